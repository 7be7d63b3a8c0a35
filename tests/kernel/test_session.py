"""Cells in a session: what stays, what a wrong cell changes, and where messages point."""

from __future__ import annotations

import _thread
import threading
from pathlib import Path

import numpy as np
import pytest

import shlo
from shlo.runner.interrupts import interruptible
from shlo_kernel.cells.session import CellOutcome, CellSession

CONSTANT = "%x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>"
SQUARE = """func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
DOUBLE = SQUARE.replace("multiply", "add")
CALL = "%y = func.call @f(%x) : (tensor<2xf32>) -> tensor<2xf32>"


@pytest.fixture
def session() -> CellSession:
    return CellSession()


def shown(outcome: CellOutcome) -> dict[str, object]:
    """Returns the values that an outcome shows, as nested lists."""
    assert outcome.ok, outcome.diagnostics
    return {value.name: value.array.tolist() for value in outcome.values}


def error(outcome: CellOutcome, source: str) -> tuple[str, str, int]:
    """Returns an outcome's first error: its message, the text that it is about, and the line of that."""
    found = next(each for each in outcome.diagnostics if each.severity == "error")
    start, end = found.span
    return found.message, source[start:end], source.count("\n", 0, start) + 1


def test_values_stay_for_later_cells_and_the_last_operation_is_shown(session: CellSession) -> None:
    assert shown(session.execute(CONSTANT)) == {"x": [1, 2]}
    outcome = session.execute(
        "%y = stablehlo.add %x, %x : tensor<2xf32>\n%z = stablehlo.negate %y : tensor<2xf32>"
    )
    assert shown(outcome) == {"z": [-2, -4]}
    assert str(session.values["y"].type) == "tensor<2xf32>"


def test_a_last_line_of_names_shows_these_values(session: CellSession) -> None:
    assert shown(
        session.execute(f"{CONSTANT}\n%y = stablehlo.negate %x : tensor<2xf32>\n%y, %x // both\n")
    ) == {
        "y": [-1, -2],
        "x": [1, 2],
    }
    source = "\n%y, %nope"
    assert error(session.execute(source), source) == ("there is no value '%nope'", "%nope", 2)


def test_a_value_can_be_defined_again_from_its_old_self(session: CellSession) -> None:
    session.execute(CONSTANT)
    again = "%x = stablehlo.add %x, %x : tensor<2xf32>"
    assert [shown(session.execute(again)) for _ in range(2)] == [{"x": [2, 4]}, {"x": [4, 8]}]
    session.execute("%x = stablehlo.constant dense<7> : tensor<i32>")
    assert "is used as tensor<2xf32>, but it is tensor<i32>" in session.execute(again).diagnostics[0].message


def test_the_newest_definition_of_a_function_is_called(session: CellSession) -> None:
    session.execute(CONSTANT)
    assert session.execute(SQUARE).text == "@f : (tensor<2xf32>) -> tensor<2xf32>\n"
    assert shown(session.execute(CALL)) == {"y": [1, 4]}
    session.execute(DOUBLE)
    assert shown(session.execute(CALL)) == {"y": [2, 4]}


def test_functions_and_bare_operations_mix_and_do_not_see_each_others_names(session: CellSession) -> None:
    assert shown(session.execute(f"{CONSTANT}\n{SQUARE}{CALL}")) == {"y": [1, 4]}
    assert list(session.functions) == ["f"]


def test_inner_regions_may_use_names_of_the_session(session: CellSession) -> None:
    session.execute(CONSTANT)
    mapped = """%z = "stablehlo.map"(%x) ({
^bb0(%x: tensor<f32>):
  %y = stablehlo.negate %x : tensor<f32>
  stablehlo.return %y : tensor<f32>
}) {dimensions = array<i64: 0>} : (tensor<2xf32>) -> tensor<2xf32>
%w = stablehlo.add %z, %x : tensor<2xf32>"""
    assert shown(session.execute(mapped)) == {"w": [0, 0]}


def test_packs_tuples_and_tokens_go_from_cell_to_cell(session: CellSession) -> None:
    session.execute(
        f"{CONSTANT}\n%p:2 = stablehlo.optimization_barrier %x, %x : tensor<2xf32>, tensor<2xf32>"
    )
    assert shown(session.execute("%s = stablehlo.add %p, %p#1 : tensor<2xf32>")) == {"s": [2, 4]}
    assert set(shown(session.execute("%p"))) == {"p#0", "p#1"}
    session.execute("%t = stablehlo.tuple %s, %x : tuple<tensor<2xf32>, tensor<2xf32>>")
    element = (
        "%e = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tensor<2xf32>>) -> tensor<2xf32>"
    )
    assert shown(session.execute(element)) == {"e": [1, 2]}
    session.execute("%k = stablehlo.create_token : !stablehlo.token")
    assert session.execute("%l = stablehlo.after_all %k : !stablehlo.token").ok
    session.execute("%p = stablehlo.negate %x : tensor<2xf32>")
    assert session.execute("%p#1").diagnostics[0].message == "there is no value '%p#1'"


def test_results_without_a_name_are_kept_under_one(session: CellSession) -> None:
    session.execute(CONSTANT)
    assert shown(session.execute("stablehlo.negate %x : tensor<2xf32>")) == {"": [-1, -2]}
    assert shown(session.execute("stablehlo.negate %_ : tensor<2xf32>")) == {"": [1, 2]}


def test_a_module_that_jax_printed_gives_its_functions(session: CellSession) -> None:
    text = Path(__file__).parents[2].joinpath("examples", "transformer.mlir").read_text("utf-8")
    outcome = session.execute(text)
    assert outcome.ok, outcome.diagnostics
    module = shlo.parse(text)
    assert f"@{module.name}.main : (" in outcome.text
    assert list(session.functions) == [f"{module.name}.{name}" for name in module.functions]


def test_parts_of_a_cell_follow_each_other(session: CellSession) -> None:
    source = f"{CONSTANT}\n// -----\n%y = stablehlo.negate %x : tensor<2xf32>\n// -----\n%z = stablehlo.negate %q : tensor<2xf32>"
    assert error(session.execute(source), source) == ("use of undeclared value '%q'", "%q", 5)
    assert not session.values
    assert shown(session.execute(source.replace("%q", "%y"))) == {"z": [1, 2]}


WRONG: dict[str, tuple[str, str, str, int]] = {
    "syntax": ("%y = stablehlo.negate %x : tensor<2xf32>\n%z = stablehlo.add %y", "expected", "", 2),
    "a name": ("%y = stablehlo.add %x, %nope : tensor<2xf32>", "use of undeclared value '%nope'", "%nope", 1),
    "a type": ("\n\n%y = stablehlo.negate %x : tensor<3xf32>", "but it is tensor<2xf32>", "%x", 3),
    "a constraint": (
        '// first\n%y = "stablehlo.transpose"(%x) {permutation = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>',
        "",
        "",
        2,
    ),
    "a function": (
        "%y = func.call @nope(%x) : (tensor<2xf32>) -> tensor<2xf32>",
        "there is no function @nope",
        "",
        1,
    ),
    "a function's type": ("%y = func.call @f(%x) : (tensor<2xf32>) -> tensor<f32>", "tensor<2xf32>", "", 1),
    "twice the same": (f"{SQUARE}\n{SQUARE}", "redefinition of symbol", "", 6),
    "an end": (
        '%y = stablehlo.negate %x : tensor<2xf32>\n"func.return"(%y) : (tensor<2xf32>) -> ()',
        "ends a function",
        "",
        2,
    ),
    "a check": (
        "%y = stablehlo.negate %x : tensor<2xf32>\ncheck.expect_eq %x, %y : tensor<2xf32>",
        "",
        "check.expect_eq %x, %y : tensor<2xf32>",
        2,
    ),
    "a module's top-level op": (
        "module {\n  %y = stablehlo.constant dense<1> : tensor<i32>\n}",
        "outside of a module",
        "",
        2,
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_cell_changes_nothing_and_points_at_its_own_line(session: CellSession, name: str) -> None:
    source, message, at, line = WRONG[name]
    session.execute(f"{CONSTANT}\n{SQUARE}")
    before = session.state
    found = error(session.execute(source), source)
    assert message in found[0]
    assert at in found[1]
    assert found[2] == line
    assert session.state is before


def test_an_invalid_cell_is_refused_with_the_verifiers_words(session: CellSession) -> None:
    session.execute(f"{SQUARE}{CONSTANT}")
    wide = '%y = "stablehlo.add"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>'
    for source, code in (
        (wide, "add-C1"),
        (f"func.func @g(%x: tensor<2xf32>) {{\n{wide}\nreturn\n}}\n%x", "add-C1"),
        ('%y = "func.call"(%x) <{callee = @f}> : (tensor<2xf32>) -> tensor<3xf32>', "func.call"),
    ):
        outcome = session.execute(source)
        (found,) = outcome.diagnostics
        assert found.code.startswith(code), found
        assert source[found.span.start : found.span.end]
        assert outcome.values == ()
    assert sorted(session.values) == ["x"]
    assert shown(session.execute(CALL)) == {"y": [1, 4]}


def test_a_failure_in_a_function_points_at_the_call_and_names_the_other_cell(session: CellSession) -> None:
    session.execute(CONSTANT)
    session.execute(
        "\nfunc.func @g(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
        "  %0 = stablehlo.custom_call @nobody(%x) : (tensor<2xf32>) -> tensor<2xf32>\n"
        "  return %0 : tensor<2xf32>\n}",
        "In[2]",
    )
    source = "%a = stablehlo.negate %x : tensor<2xf32>\n" + CALL.replace("@f", "@g")
    message, at, line = error(session.execute(source, "In[3]"), source)
    assert "nobody" in message
    assert "(in @g, In[2]:3:3)" in message
    assert (at, line) == (CALL.replace("@f", "@g"), 2)


def test_values_are_taken_as_they_are_and_nobody_writes_to_them(session: CellSession) -> None:
    given = np.arange(6, dtype=np.float32).reshape(2, 3)
    session.set_value("%m", given)
    kept = session.values["m"].array
    assert np.shares_memory(kept, given)
    with pytest.raises(ValueError, match="read-only"):
        kept[0, 0] = 1
    assert shown(session.execute("%s = stablehlo.negate %m : tensor<2x3xf32>"))["s"] == (-given).tolist()


def test_a_value_that_is_a_view_of_another_takes_no_memory(session: CellSession) -> None:
    session.execute("%x = stablehlo.iota dim = 0 : tensor<6xf32>")
    session.execute("%y = stablehlo.reshape %x : (tensor<6xf32>) -> tensor<2x3xf32>")
    session.execute("%part = stablehlo.slice %x [1:2] : (tensor<6xf32>) -> tensor<1xf32>")
    mine = np.ones(6, np.float32)
    session.set_value("mine", mine)
    session.execute("%z = stablehlo.reshape %mine : (tensor<6xf32>) -> tensor<2x3xf32>")
    x, y, z, part = (session.values[name].array for name in ("x", "y", "z", "part"))
    assert np.shares_memory(x, y)
    assert not np.shares_memory(x, part)  # it would keep all of it
    mine[0] = 7  # whose it is may write to it
    assert z[0, 0] == 1


def test_the_module_text_is_a_program(session: CellSession) -> None:
    session.execute(f'{SQUARE}\nsdy.mesh @mesh = <["a"=2]>')
    again = CellSession()
    assert again.execute(session.state.definitions.module.to_text()).ok
    assert set(again.state.definitions.names) == {"module_1.f", "module_1.mesh"}


ENDLESS = """%one = stablehlo.constant dense<1> : tensor<i64>
%i = stablehlo.while(%k = %one) : tensor<i64> cond {
  %p = stablehlo.compare GT, %k, %one : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %q = stablehlo.not %p : tensor<i1>
  %r = stablehlo.or %p, %q : tensor<i1>
  stablehlo.return %r : tensor<i1>
} do {
  %n = stablehlo.add %k, %one : tensor<i64>
  stablehlo.return %n : tensor<i64>
}"""


@pytest.mark.timeout(60)
def test_an_interrupt_leaves_the_session_as_it_was(session: CellSession) -> None:
    session.execute(CONSTANT)
    before = session.state
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: session.execute(ENDLESS))
    assert session.state is before
    assert shown(session.execute("%x")) == {"x": [1, 2]}
