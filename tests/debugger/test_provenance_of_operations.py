"""Elements that an operation says made an element of its result are those that change it when they change."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

import numpy as np
import pytest
from ml_dtypes import bfloat16

import shlo
from shlo.debugger.provenance.contributions import Index, OpRun, results_of
from shlo.debugger.provenance.lookup import is_known
from shlo.debugger.provenance.trace import contributions, differs, other_numbers
from shlo.dialects import DIALECT_MODULES, find_dialect
from shlo.fuzzing.maker import LONGEST_SIZE, Maker
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import program_of
from shlo.interpreter.registry import find_kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.diagnostics import ExecutionError
from tests.debugger import provenance_instances
from tests.differential.instances import Array, Instance
from tests.differential.makers import MAKERS

SEEDS: Final = 6
REDRAWS: Final = 12
"""How often operands are drawn anew before an element that changes nothing counts as one that does not matter."""

MAY_MATTER: Final = {
    "stablehlo.clamp": "a limit matters where the operand is beyond it",
    "stablehlo.compare": "a comparison only changes where the order does",
    "stablehlo.select_and_scatter": "an element that is compared matters where it may become the largest",
    "stablehlo.sort": "an element that is compared matters where the order changes",
    "stablehlo.rng_bit_generator": "a generator may leave a part of its state as it is",
    "stablehlo.real_dynamic_slice": "a start alone also changes the shape, unless its limit does, too",
    "chlo.top_k": "an element that is compared matters where the order changes",
    "ragged_dot_of_contracted_groups": "a group's size matters where an element that is not zero changes groups",
    "call_of_top_k": "an element of the row matters where the order changes",
    "call_of_lapack": "whole matrices are listed",
    "reduce_with_index": "an index matters where elements are equal",
}
"""Operations, or families of instances, of which listed elements need not matter in each run, with the reason."""

OPAQUE: Final = {
    "stablehlo.custom_call": "depends on its target: see the tests of custom calls",
    "stablehlo.tuple": "a tuple has no elements that are numbers; chains go through it by its parts",
    "stablehlo.get_tuple_element": "a tuple has no elements that are numbers; chains go through it by its parts",
    "stablehlo.create_token": "a token has no elements",
    "stablehlo.after_all": "a token has no elements",
    "stablehlo.outfeed": "a token has no elements",
    "func.constant": "a function has no elements",
    "interpreter.run_parallel": "runs programs of its own",
}
"""Operations with kernels that do not say how elements depend on each other, with the reason."""


def _run(text: str, arguments: list[Array]) -> OpRun | None:
    """Returns one execution of a program of one operation, None where it is refused."""
    module = shlo.parse(text)
    if any(finding.severity == "error" for finding in shlo.verify(module)):
        return None
    kernel = bound_kernel(program_of(module).functions["main"].code, 0)
    evaluate = partial(kernel.evaluate, ExecutionContext()) if kernel.entry.needs_context else kernel.evaluate
    try:
        results = results_of(evaluate(*arguments))
    except (KernelError, ExecutionError):
        return None
    return OpRun(kernel.op_view, evaluate, tuple(arguments), results)


def _changes(array: Array, index: Index) -> Iterator[Array]:
    """Yields copies of an array with other numbers at an index: beside the one there, far from it, and what
    propagates through every function.
    """
    number = array[index]
    small = range(LONGEST_SIZE) if array.dtype.kind in "iu" else ()  # each index of a small tensor
    for other in (*other_numbers(array.dtype, number), *map(array.dtype.type, small)):
        changed = array.copy()
        changed[index] = other
        if differs(changed[index], number).any():
            yield changed


def _matters(run: OpRun, operand: int, at: Index, result: int, index: Index) -> bool:
    """Returns whether some other number at an index of an operand changes an element of a result."""
    before = np.asarray(run.results[result])
    for changed in _changes(run.arrays[operand], at):
        try:
            results = results_of(run.evaluate(*run.operands[:operand], changed, *run.operands[operand + 1 :]))
        except KernelError:
            continue
        after = np.asarray(results[result])
        if after.shape != before.shape:
            continue  # the operand says a shape
        if run.view.name == "stablehlo.cholesky" and not np.isfinite(after[index]):
            continue  # the factorisation failed, which every element can bring about
        if differs(after[index], before[index]).any():
            return True
    return False


def _redrawn(run: OpRun, random: np.random.Generator, fixed: set[int]) -> Iterator[OpRun]:
    """Yields runs on other numbers in the operands that choose nothing."""
    for _ in range(REDRAWS):
        operands = [
            array if operand in fixed else np.asarray(random.integers(-3, 4, array.shape)).astype(array.dtype)
            for operand, array in enumerate(run.arrays)
        ]
        try:
            results = results_of(run.evaluate(*operands))
        except KernelError:
            continue
        if [np.shape(each) for each in results] == [np.shape(each) for each in run.results]:
            yield OpRun(run.view, run.evaluate, tuple(operands), results)


def _faults(run: OpRun, result: int, index: Index, random: np.random.Generator, is_exact: bool) -> list[str]:
    found = contributions(run, result, index)
    assert not found.opaque, found.opaque
    assert found.total == len(found.listed)
    listed = {(each.operand, each.index): each.role for each in found.listed}
    fixed = {operand for (operand, _), role in listed.items() if role == "choice"}
    faults: list[str] = []
    for operand, array in enumerate(run.arrays):
        for at in np.ndindex(array.shape):
            is_listed, matters = (operand, at) in listed, _matters(run, operand, at, result, index)
            if matters and not is_listed:
                faults.append(f"operand {operand} at {at} matters, but is not listed")
            elif (
                is_listed
                and not matters
                and is_exact
                and not any(
                    _matters(other, operand, at, result, index) for other in _redrawn(run, random, fixed)
                )
            ):
                faults.append(f"operand {operand} at {at} is listed, but does not matter")
    return faults


@pytest.mark.parametrize("maker", [*MAKERS, *provenance_instances.MAKERS], ids=lambda maker: maker.__name__)
def test_elements_that_are_listed_are_those_that_matter(maker: Callable[[Maker], Instance]) -> None:
    faults: list[str] = []
    judged = 0
    for seed in range(SEEDS):
        instance = maker(Maker(seed))
        run = _run(instance.text, instance.arguments)
        random = np.random.default_rng(seed)
        for number, value in enumerate(() if run is None else run.results):
            shape = np.shape(value)
            if 0 in shape or run is None or sum(array.size for array in run.arrays) > 400:
                continue
            index = tuple(int(random.integers(size)) for size in shape)
            is_exact = not MAY_MATTER.keys() & {run.view.name, maker.__name__}
            judged += 1
            faults += [
                f"seed {seed}, result {number} at {index}: {fault}"
                for fault in _faults(run, number, index, random, is_exact)
            ]
    assert faults == []
    assert judged


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        # the updates that land, the indices that send them there, then those that send others elsewhere
        ("stablehlo.add %x, %y", [(2, 0), (2, 2), (0, 1), (1, 0), (1, 2), (1, 1), (1, 3), (1, 4)]),
        # of those, the last update, and the indices of it and of those behind it
        (None, [(2, 2), (1, 2), (1, 3), (1, 4)]),
    ],
)
def test_an_index_that_sends_an_update_of_a_scatter_elsewhere_is_listed(
    body: str | None, elements: list[tuple[int, int]]
) -> None:
    region = f"%s = {body} : tensor<i32>\n" if body else ""
    text = f"""func.func @main(%a: tensor<4xi32>, %i: tensor<5x1xi32>, %u: tensor<5xi32>) -> tensor<4xi32> {{
  %r = "stablehlo.scatter"(%a, %i, %u) ({{
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      {region} stablehlo.return {"%s" if body else "%y"} : tensor<i32>
  }}) {{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}
    : (tensor<4xi32>, tensor<5x1xi32>, tensor<5xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}}
"""
    indices, updates = np.array([[1], [3], [1], [9], [0]], np.int32), np.array([9, 8, 7, 6, 5], np.int32)
    run = _run(text, [np.arange(4, dtype=np.int32), indices, updates])
    assert run is not None
    assert [(each.operand, each.index[0]) for each in contributions(run, 0, (1,)).listed] == elements


@pytest.mark.parametrize("name", ["add", "divide", "maximum"])
@pytest.mark.filterwarnings("error")
def test_nan_of_any_type_is_compared_without_a_warning(name: str) -> None:
    type_ = "tensor<2xbf16>"
    text = f"""func.func @main(%a: {type_}, %b: {type_}) -> {type_} {{
  %r = stablehlo.{name} %a, %b : {type_}
  return %r : {type_}
}}
"""
    run = _run(text, [np.array([1, np.nan], bfloat16), np.array([2, 1], bfloat16)])
    assert run is not None
    assert contributions(run, 0, (1,)).listed[0].operand == 0


def test_each_operation_with_a_kernel_says_how_elements_depend_on_each_other() -> None:
    dialects = [dialect for name in DIALECT_MODULES if (dialect := find_dialect(name)) is not None]
    silent = {
        op_def.name
        for dialect in dialects
        for op_def in dialect.op_defs.values()
        if op_def.results and op_def.control_flow is None and op_def.synchronizes is None
        if find_kernel(op_def.name) is not None and not is_known(op_def.name)
    }
    assert silent == OPAQUE.keys()
