"""Sanitized runs as a whole: where findings are told to be, what is left out, grids, reports."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions
from shlo.places.remedies import INTEGERS
from shlo.runner.python_source import PythonSources
from shlo.sanitizer.report import element_text, lines_of
from shlo.sanitizer.run import Sanitizer
from shlo.sanitizer.selection import Selection
from tests.sanitizer.programs import I8, SORTED, binary, gather, module, scatter, unary

LOOP = """func.func @main(%x: tensor<3xi8>) -> tensor<3xi8> {
  %y = func.call @thrice(%x) : (tensor<3xi8>) -> tensor<3xi8>
  return %y : tensor<3xi8>
}
func.func private @thrice(%x: tensor<3xi8>) -> tensor<3xi8> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%a = %zero, %b = %x) : tensor<i32>, tensor<3xi8> cond {
    %c = stablehlo.compare LT, %a, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %s = stablehlo.add %a, %one : tensor<i32>
    %t = stablehlo.add %b, %b : tensor<3xi8> loc("step/add"("model.py":12:3))
    stablehlo.return %s, %t : tensor<i32>, tensor<3xi8>
  }
  return %r#1 : tensor<3xi8>
}
"""


def sanitized(text: str, *arguments: object, selection: str = "") -> Sanitizer:
    """Returns the sanitizer behind a run."""
    sanitizer = Sanitizer(Selection.of(selection))
    sanitizer.execute(shlo.parse(text), arguments, RunOptions())
    return sanitizer


@pytest.mark.parametrize(
    ("most_steps", "looked_at", "findings"), [(None, 6, 1), (6, 2, 0), (8, 3, 0), (9, 4, 1)]
)
def test_the_rest_of_a_run_is_not_looked_at_and_has_the_same_results(
    most_steps: int | None, looked_at: int, findings: int
) -> None:
    sanitizer = Sanitizer(most_steps=most_steps)
    (result,) = sanitizer.execute(shlo.parse(LOOP), [np.array([1, 20, 40], np.int8)], RunOptions())
    assert result.tolist() == [8, -96, 64]
    assert (sanitizer.findings.looked_at, len(sanitizer.findings)) == (looked_at, findings)
    assert sanitizer.findings.is_cut == (most_steps is not None)


def test_a_run_of_just_so_many_operations_was_looked_at_as_a_whole() -> None:
    steps = sanitized(LOOP, np.array([1, 20, 40], np.int8)).findings.steps
    for most_steps, is_cut in ((steps - 1, True), (steps, False)):
        sanitizer = Sanitizer(most_steps=most_steps)
        sanitizer.execute(shlo.parse(LOOP), [np.array([1, 20, 40], np.int8)], RunOptions())
        assert sanitizer.findings.is_cut == is_cut


def test_a_finding_tells_where_it_was_first_made_how_often_and_the_worst_elements() -> None:
    sanitizer = sanitized(LOOP, np.array([1, 20, 40], np.int8))
    lines = "\n".join(lines_of(sanitizer.findings, PythonSources([])))
    assert lines.splitlines() == [
        "stablehlo.add wrapped around: the exact result does not fit its type at model.py:12",
        "  operation stablehlo.add on MLIR line 14",
        "  in call of @thrice at <text>:2:3",
        "  in iteration 1 of stablehlo.while at <text>:9:3",
        "  wrapped: 3 elements, in 2 executions",
        "  [2]: lhs 80, rhs 80, result -96",
        "  [1]: lhs 80, rhs 80, result -96",
        "  [2]: lhs -96, rhs -96, result 64",
        f"  remedy: {INTEGERS.sentence} ({INTEGERS.link})",
        "sanitizer: 6 operations looked at, 1 finding",
    ]


def test_findings_that_are_not_kept_count_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shlo.sanitizer.findings.MOST_FINDINGS", 1)
    further = "%low = stablehlo.constant dense<-128> : tensor<i8>\n"
    further += "".join(f"%l{name} = stablehlo.{name} %low : tensor<i8>\n" for name in ("negate", "abs"))
    text = LOOP.replace("    stablehlo.return %s, %t", f"{further}stablehlo.return %s, %t")
    found = sanitized(text, np.array([100, 0, 0], np.int8)).findings
    assert [each.operation.name for each in found] == ["stablehlo.add"]
    assert (len(found), found.left_out) == (3, 2)
    assert list(lines_of(found, PythonSources([])))[-1].endswith(" looked at, 3 findings")


def test_products_of_matrices_of_i64_wrap_where_those_of_python_do() -> None:
    text = """func.func @main(%a: tensor<30x40xi64>, %b: tensor<40x20xi64>) -> tensor<30x20xi64> {
  %r = stablehlo.dot %a, %b : (tensor<30x40xi64>, tensor<40x20xi64>) -> tensor<30x20xi64>
  return %r : tensor<30x20xi64>
}
"""
    random = np.random.default_rng(0)
    half, other = (
        random.integers(-(1 << 61), 1 << 61, (30, 20)),
        random.integers(-(1 << 61), 1 << 61, (20, 20)),
    )
    a, b = np.hstack([half, -half]), np.vstack([other, other + random.integers(-2, 3, (20, 20))])
    exact = (a.astype(object) @ b.astype(object)).reshape(-1).tolist()
    beyond = [each for each in exact if not -(1 << 63) <= each < 1 << 63]
    assert 0 < len(beyond) < len(exact)
    (finding,) = sanitized(text, a, b).findings
    assert finding.count == len(beyond)
    assert {int(dict(each.values)["exact"]) for each in finding.worst} <= set(beyond)


@pytest.mark.parametrize(
    "selection", ["-add", "-wrapped", "-stablehlo.add", "clamped", "divided,lost", "gather"]
)
def test_findings_and_operations_are_left_out(selection: str) -> None:
    assert not sanitized(module(binary("add", "100", "100", I8)), selection=selection).findings


@pytest.mark.parametrize("selection", ["add", "wrapped", "-lost", "add,nan", "+nan"])
def test_findings_and_operations_are_asked_for(selection: str) -> None:
    assert sanitized(module(binary("add", "100", "100", I8)), selection=selection).findings


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(
        shlo.RequestError, match="expected the name of a finding or an operation, got 'wraped'"
    ) as error:
        Selection.of("-wraped")
    assert error.value.hint == "did you mean wrapped?"


@pytest.mark.parametrize(("name", "operation"), [("nan", ("sqrt", "-1.0")), ("infinity", ("log", "0.0"))])
def test_numbers_that_are_not_finite_are_found_on_request(name: str, operation: tuple[str, str]) -> None:
    text = module(unary(*operation, "tensor<2xf32>"))
    assert not sanitized(text).findings
    assert [each.check.name for each in sanitized(text, selection=f"+{name}").findings] == [name]
    passed_on = module(unary(operation[0], "0x7FC00000", "tensor<2xf32>"))
    assert not sanitized(passed_on, selection=f"+{name}").findings


def test_an_operation_says_what_it_expects() -> None:
    text = module(binary("add", "100", "100", I8))
    for expected, count in (('"wrapped"', 0), ('"lost", "wrapped"', 0), ('"lost"', 1)):
        marked = text.replace("%a, %b", f"%a, %b {{shlo.expects = [{expected}]}}")
        assert len(sanitized(marked).findings) == count
        assert not shlo.verify(shlo.parse(marked))


def test_findings_before_a_failure_are_kept() -> None:
    wrong = "  check.expect_eq_const %r, dense<0> : tensor<2xi8>"
    sanitizer = Sanitizer()
    with pytest.raises(shlo.ExecutionError, match="expected equal tensors") as error:
        sanitizer.execute(shlo.parse(module(f"{binary('add', '100', '100', I8)}\n{wrong}")), (), RunOptions())
    assert not isinstance(error.value, shlo.GridError)
    assert len(sanitizer.findings) == 1


def test_an_error_of_python_has_the_findings_before_it() -> None:
    wrong = "  check.expect_eq_const %r, dense<0> : tensor<2xi8>"
    with pytest.raises(shlo.ExecutionError, match="expected equal tensors") as error:
        shlo.sanitize(module(f"{binary('add', '100', '100', I8)}\n{wrong}"))
    assert "stablehlo.add wrapped around" in error.value.__notes__[0]


def test_results_are_those_of_a_plain_run() -> None:
    module_, x = shlo.parse(LOOP), np.array([1, 2, 3], np.int8)
    assert Sanitizer().execute(module_, (x,), RunOptions())[0].tolist() == shlo.run(module_, x)[0].tolist()


BROADCAST = """func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> {
  %y = stablehlo.add %x, %x : tensor<2xi8>
  %z = "stablehlo.collective_broadcast"(%y) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2xi8>) -> tensor<2xi8>
  return %z : tensor<2xi8>
}
"""


def test_processes_in_no_group_and_the_first_process_are_told() -> None:
    sanitizer = Sanitizer()
    inputs = [[np.array([number * 30] * 2, np.int8)] for number in range(4)]
    options = RunOptions(replicas=4)
    results = sanitizer.execute_grid([shlo.parse(BROADCAST)], inputs, options)
    assert [each[0].tolist() for each in results] == [[60, 60], [60, 60], [0, 0], [0, 0]]
    found = {each.check.name: each for each in sanitizer.findings}
    assert (found["wrapped"].process, found["groups"].process, found["groups"].times) == (3, 2, 2)
    assert element_text(found["groups"].worst[0]) == "process (2, 0), in a group (0, 0), (1, 0)"
    two = Sanitizer()
    two.execute_grid([shlo.parse(BROADCAST)], inputs[:2], RunOptions(replicas=2))
    assert not two.findings


def test_grids_within_a_program_are_looked_into() -> None:
    text = """func.func @main() {
  %x = stablehlo.constant dense<100> : tensor<2xi8>
  %r:2 = "interpreter.run_parallel"(%x, %x) {programs = [[@a], [@a]]} : (tensor<2xi8>, tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>)
  return
}
func.func private @a(%x: tensor<2xi8>) -> tensor<2xi8> {
  %r = stablehlo.add %x, %x : tensor<2xi8>
  return %r : tensor<2xi8>
}
"""
    (finding,) = sanitized(text).findings
    assert (finding.times, finding.place) == (2, "<text>:7:3")


def test_indices_of_batches_are_sorted_within_each() -> None:
    text = """func.func @main(%a: tensor<2x5xf32>, %s: tensor<2x2x1xi32>) -> tensor<2x2xf32> {
  %r = "stablehlo.gather"(%a, %s) {
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>,
    slice_sizes = array<i64: 1, 1>, indices_are_sorted = true
  } : (tensor<2x5xf32>, tensor<2x2x1xi32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
"""
    a, rising = np.zeros((2, 5), np.float32), np.array([[[2], [4]], [[0], [1]]], np.int32)
    assert not sanitized(text, a, rising).findings
    assert [each.check.name for each in sanitized(text, a, rising[:, ::-1].copy()).findings] == ["unsorted"]


BEYOND = "[[1], [3], [9223372036854775809]]"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (gather(BEYOND, True, "ui64"), ["clamped"]),
        (scatter(BEYOND, SORTED, "ui64"), ["dropped"]),
    ],
    ids=["gather", "scatter"],
)
def test_unsigned_indices_beyond_signed_ones_are_greater(text: str, names: list[str]) -> None:
    assert [each.check.name for each in sanitized(module(text)).findings] == names


def test_processes_that_nothing_is_sent_to_are_none() -> None:
    text = BROADCAST.replace("collective_broadcast", "collective_permute").replace(
        "replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>",
        "source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>",
    )
    inputs = [[np.array([number, 1], np.int8)] for number in range(4)]
    sanitizer = Sanitizer()
    results = sanitizer.execute_grid([shlo.parse(text)], inputs, RunOptions(replicas=4))
    assert [each[0].tolist() for each in results] == [[0, 0], [0, 2], [2, 2], [0, 0]]
    assert not sanitizer.findings


def test_sizes_that_are_not_known_before_the_run_make_no_difference() -> None:
    text = gather("[[0], [5], [4]]").replace(
        'stablehlo.gather"(%a, %s)', 'stablehlo.dynamic_gather"(%a, %s, %z)'
    )
    text = text.replace("slice_sizes = array<i64: 1, 2>, ", "").replace(
        "tensor<3x1xi32>) ->", "tensor<3x1xi32>, tensor<2xi32>) ->"
    )
    text = f"  %z = stablehlo.constant dense<[1, 2]> : tensor<2xi32>\n{text}"
    assert [each.check.name for each in sanitized(module(text)).findings] == ["clamped"]


@pytest.mark.oracle
def test_a_function_of_jax_is_sanitized_with_its_line_of_python() -> None:
    jax = pytest.importorskip("jax")

    def last(x: object, index: object) -> object:
        return jax.lax.dynamic_index_in_dim(x, index, keepdims=False)

    x = np.arange(5, dtype=np.float32)
    run = shlo.sanitize(last, x, np.int32(7))
    assert (float(run.results), bool(run)) == (4.0, True)
    deed = "jax.lax.dynamic_index_in_dim clamped a start index that is out of bounds"
    assert str(run).startswith(f"{deed} at {__file__}:")
    assert not shlo.sanitize(last, x, np.int32(4))
    assert not shlo.sanitize(last, x, np.int32(7), names="-clamped")
