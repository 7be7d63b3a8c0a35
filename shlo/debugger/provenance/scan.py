"""Scans: their regions are followed back, application by application."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    index_at,
    position_at,
    positions_in,
    results_of,
    run_of,
    terms_of,
    whole,
)
from shlo.debugger.provenance.lookup import terms_in
from shlo.interpreter.engine.binding import bound_kernel
from shlo.interpreter.engine.region_body import RegionBody
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind

MOST_APPLIED: Final = 100_000
"""How many operations of all applications, or elements in them, are looked at; beyond it, or where the region
has control flow, every earlier slice counts.
"""


@terms_of("chlo.scan")
def scan(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements of slices and of what is carried first that the region's operations lead back to."""
    inputs, outputs = run.view.integers("operandSegmentSizes")[0], run.view.integers("resultSegmentSizes")[0]
    axis, is_reverse = run.view.integer("dimension"), run.view.flag("is_reverse")
    count = run.arrays[0].shape[axis]
    places = list(range(count))[::-1] if is_reverse else list(range(count))
    last, inner = count - 1, index
    if result < outputs:
        last, inner = places.index(index[axis]), (*index[:axis], *index[axis + 1 :])
    code = cast("RegionBody", run.bodies[0]).code
    needed = _needed(run, code, inputs, outputs, axis, places[: last + 1], result, inner)
    if needed is None:
        slices = [_slices(run, operand, axis, places[: last + 1]) for operand in range(inputs)]
        first = range(inputs, len(run.view.operand_types))
        return [*slices, *(whole(operand, run.arrays[operand]) for operand in first)]
    return [
        Terms(operand, np.array(sorted(positions), np.int64), "term")
        for operand, positions in enumerate(needed)
    ]


def _needed(
    run: OpRun,
    code: CodeBlock,
    inputs: int,
    outputs: int,
    axis: int,
    places: Sequence[int],
    result: int,
    index: Index,
) -> list[set[int]] | None:
    """Returns the positions in each operand that a result of the last application leads back to; None where
    that is not followed.
    """
    positions_of: list[set[int]] = [set() for _ in run.operands]
    if not places:
        positions_of[inputs + result - outputs] = {
            position_at(index, run.arrays[inputs + result - outputs].shape)
        }
        return positions_of
    if any(instruction.kind is not Kind.KERNEL for instruction in code.instructions[:-1]):
        return None
    if len(places) * len(code.instructions) > MOST_APPLIED:
        return None
    values = _values(run, code, inputs, outputs, axis, places)
    end = code.instructions[-1].operands
    waiting: list[tuple[int, int, Index]] = [(len(places) - 1, end[result], index)]
    visited = set(waiting)
    while waiting:
        step, register, at = waiting.pop()
        defined = code.defined_at.get(register)
        following: list[tuple[int, int, Index]] = []
        if defined == -1:
            operand = code.arguments.index(register)
            if operand < inputs:
                positions_of[operand].add(
                    position_at((*at[:axis], places[step], *at[axis:]), run.arrays[operand].shape)
                )
            elif step:
                following = [(step - 1, end[outputs + operand - inputs], at)]
            else:
                positions_of[operand].add(position_at(at, run.arrays[operand].shape))
        elif defined is not None:
            instruction = code.instructions[defined]
            kernel = bound_kernel(code, defined)
            operands = tuple(values[step][operand] for operand in instruction.operands)
            results = tuple(values[step][value] for value in instruction.results)
            inner = run_of(kernel, operands, results)
            terms = terms_in(inner, instruction.results.index(register), at)
            if terms is None:
                return None
            following = [
                (step, instruction.operands[operand], index_at(position, inner.arrays[operand].shape))
                for operand, positions in ((term.operand, term.positions) for term in terms)
                for position in positions.tolist()
            ]
        new = [candidate for candidate in following if candidate not in visited]
        visited.update(new)
        waiting += new
        if len(visited) > MOST_APPLIED:
            return None
    return positions_of


def _values(
    run: OpRun, code: CodeBlock, inputs: int, outputs: int, axis: int, places: Sequence[int]
) -> list[dict[int, Value]]:
    """Returns the values of the region in each application."""
    captured = dict(cast("RegionBody", run.bodies[0]).captured)
    slices = [np.moveaxis(array, axis, 0) for array in run.arrays[:inputs]]
    carried: Sequence[Value] = run.operands[inputs : len(run.view.operand_types)]
    applications: list[dict[int, Value]] = []
    for slice_index in places:
        values = {
            **captured,
            **dict(zip(code.arguments, (*(input_slices[slice_index] for input_slices in slices), *carried))),
        }
        for number, instruction in enumerate(code.instructions[:-1]):
            evaluated = bound_kernel(code, number).evaluate(
                *[values[operand] for operand in instruction.operands]
            )
            values.update(zip(instruction.results, results_of(evaluated)))
        carried = [values[register] for register in code.instructions[-1].operands[outputs:]]
        applications.append(values)
    return applications


def _slices(run: OpRun, operand: int, axis: int, places: Sequence[int]) -> Terms:
    array = run.arrays[operand]
    positions = np.take(positions_in(array.shape), np.array(places, np.int64), axis)
    return Terms(operand, positions.reshape(-1), "term")
