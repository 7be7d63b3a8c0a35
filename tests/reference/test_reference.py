"""The reference: the specification's examples, the interpreter beside it, grids of processes, and what it refuses."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter.agreement import equal, within, within_ulps
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.ir.types import F32, ComplexType
from shlo.reference import evaluate
from shlo.reference.evaluation import ProcessEvaluation
from shlo.reference.grid import GridProcess, run_processes
from shlo.reference.op import MEANINGS, Op
from shlo.reference.tensor import Tensor, array_of, tensor_of
from shlo.syntax import parse
from shlo.transforms import chlo_to_stablehlo
from tests.reference.instances import compare_batch

FOLDER = Path(__file__).parents[1] / "ops"
PROGRAMS = {path.relative_to(FOLDER).as_posix(): path for path in sorted(FOLDER.rglob("*.mlir"))}

OUT_OF_SCOPE = {
    "all_reduce_along_an_axis_of_a_mesh": "groups by the axes of a mesh",
    "collective_reduce_spec_example_dynamic_root": "a root that an operand tells",
    "custom_call_known_target": "the specification does not say what a target does",
    "expect_serialized_eq_reads_what_a_probe_wrote": "a probe writes files",
    "infeed_spec_example": "feeds come from outside of the program",
    "print_leaves_its_operand": "printing is no computation",
    "probe_gives_its_operand_and_writes_it": "a probe writes files",
    "recv_from_the_process_that_it_is_paired_with": "channels between two processes",
    "send_spec_example": "channels between two processes",
    **dict.fromkeys(
        ("rng_spec_example", "rng_range_of_integers", "rng_range_of_floats", "rng_normal_without_deviation"),
        "the specification does not say which random numbers these are",
    ),
}
"""Functions of the check programs that the reference refuses, and why."""


def agree(holds: Callable[[Any, Any], Any]) -> Callable[[Op, Tensor, Tensor], None]:
    def check(op: Op, lhs: Tensor, rhs: Tensor) -> None:
        left, right = array_of(lhs), array_of(rhs)
        assert np.all(holds(left, right)), f"{left}\n{right}"

    return check


def agree_with_value(holds: Callable[[Any, Any], Any]) -> Callable[[Op, Tensor], None]:
    def check(op: Op, operand: Tensor) -> None:
        value: Any = op.operation.attribute("value")
        left, right = array_of(operand), np.broadcast_to(value.array, operand.shape)
        assert np.all(holds(left, right)), f"{left}\n{right}"

    return check


def close(op: Op, lhs: Tensor, rhs: Tensor) -> None:
    limits = op.attribute("max_ulp_difference", 1), op.attribute("min_ulp_difference", 0)
    agree(within_ulps(*limits))(op, lhs, rhs)


def almost(op: Op, *operands: Tensor) -> None:
    holds = within(op.attribute("tolerance", 1e-4))
    (agree if len(operands) == 2 else agree_with_value)(holds)(op, *operands)


def parallel(module: Module) -> Callable[..., tuple[Tensor, ...]]:
    """The operation of the check programs that runs a grid of functions."""

    def run_parallel(op: Op, *operands: Tensor) -> tuple[Tensor, ...]:
        rows = op.attribute("programs")
        names = [name for row in rows for name in row]
        counts = [len(module.functions[name].type.inputs) for name in names]

        def run(process: GridProcess) -> tuple[Tensor, ...]:
            first = sum(counts[: process.number])
            arguments = operands[first : first + counts[process.number]]
            return ProcessEvaluation(module, process).call(names[process.number], arguments)

        results = run_processes(len(rows), len(rows[0]), run)
        return tuple(tensor for row in results for tensor in row)

    return run_parallel


@pytest.fixture(autouse=True)
def checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gives the operations of check programs a meaning."""
    for name, meaning in {
        "check.expect_eq": agree(equal),
        "check.expect_eq_const": agree_with_value(equal),
        "check.expect_almost_eq": almost,
        "check.expect_almost_eq_const": almost,
        "check.expect_close": close,
    }.items():
        monkeypatch.setitem(MEANINGS, name, meaning)


@pytest.mark.parametrize("name", [name for name in PROGRAMS if not name.startswith(("sdy/", "upstream/"))])
def test_check_programs_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module = chlo_to_stablehlo(parse(PROGRAMS[name].read_text())[0])
    monkeypatch.setitem(MEANINGS, "interpreter.run_parallel", parallel(module))
    for function in module.functions.values():
        if function.type.inputs or function.body is None:
            continue
        if function.name in OUT_OF_SCOPE:
            with pytest.raises(ExecutionError):
                evaluate(module, [], function.name)
        else:
            evaluate(module, [], function.name)


@pytest.mark.parametrize("seed", range(4))
def test_random_operations_give_what_the_interpreter_gives(seed: int) -> None:
    verdicts = compare_batch(seed, 100, "")
    assert [row for row in verdicts if row[1] not in ("same", "not valid")] == []
    assert sum(verdict == "same" for _, verdict, *_ in verdicts) > 50


def test_a_complex_number_has_its_real_part_first_on_a_big_endian_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    value = np.array([1 + 2j], np.complex64)
    stored = value if sys.byteorder == "big" else value.byteswap()
    monkeypatch.setattr(sys, "byteorder", "big")
    made = tensor_of(stored, ComplexType(F32))
    assert array_of(made).tobytes() == stored.tobytes()
    monkeypatch.undo()
    assert tensor_of(value, ComplexType(F32)).get((0,)).value == made.get((0,)).value


def test_arithmetic_is_rounded_once_where_python_rounds_twice() -> None:
    text = "func.func @main(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {\n"
    text += "  %0 = stablehlo.multiply %a, %b : tensor<f32>\n  return %0 : tensor<f32>\n}\n"
    left, right = np.float32(1 + 2**-12), np.float32(1 + 2**-12 + 2**-23)
    (result,) = evaluate(shlo.parse(text), [left, right])
    assert result == np.float32(float(left) * float(right))  # exact in binary64, so rounded once


ALL_GATHER = """
func.func @main(%x: tensor<1xi32>) -> tensor<2xi32> {
  %id = stablehlo.replica_id : tensor<ui32>
  %i = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %b = stablehlo.reshape %i : (tensor<i32>) -> tensor<1xi32>
  %s = stablehlo.add %x, %b : tensor<1xi32>
  %0 = "stablehlo.all_gather"(%s) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<1xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}
"""


def test_the_engine_runs_a_grid_as_the_interpreter_does() -> None:
    from shlo.engines import engine_of

    module, options = shlo.parse(ALL_GATHER), RunOptions(replicas=2)
    inputs = [[np.array([10], np.int32)], [np.array([20], np.int32)]]
    by_engine = [
        engine_of(name).execute_grid([module], inputs, options) for name in ("interpreter", "reference")
    ]
    assert [[row.tolist() for (row,) in results] for results in by_engine] == [[[10, 21]] * 2] * 2


def test_processes_that_wait_for_one_that_never_comes_are_an_error() -> None:
    text = ALL_GATHER.replace("@main(%x", "@wait(%x")
    text += "func.func @end(%x: tensor<1xi32>) -> tensor<1xi32> {\n  return %x : tensor<1xi32>\n}\n"
    module = shlo.parse(text)

    def run(process: GridProcess) -> Any:
        tensor = Tensor((1,), module.functions["end"].type.inputs[0].element_type)  # pyright: ignore
        return ProcessEvaluation(module, process).call(("wait", "end")[process.number], [tensor])

    with pytest.raises(ExecutionError, match="never reach it"):
        run_processes(2, 1, run)


def test_what_has_no_meaning_is_named_and_located(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from shlo.cli import main

    path = tmp_path / "call.mlir"
    path.write_text(
        "func.func @main() -> tensor<f32> {\n  %0 = stablehlo.custom_call @unknown() : () -> tensor<f32>\n"
        "  return %0 : tensor<f32>\n}\n"
    )
    assert main(["run", str(path), "--engine", "reference"]) == 1
    error = capsys.readouterr().err
    assert f"{path}:2:" in error
    assert "stablehlo.custom_call: the reference has no meaning for this operation" in error
