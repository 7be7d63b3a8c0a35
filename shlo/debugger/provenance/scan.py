"""Scans: their regions are followed back, application by application."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, cast

import numpy as np

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
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
from shlo.runner.statistics import index_at

MOST_APPLIED: Final = 100_000
"""How many operations of all applications, or elements in them, are looked at; beyond it, or where the region
has control flow, every earlier slice counts.
"""


@terms_of("chlo.scan")
def scan(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The elements of slices and of what is carried first that the region's operations lead back to."""
    applied = _Scan(run, cast("RegionBody", run.bodies[0]))
    last, inner = len(applied.places) - 1, index
    if result < applied.outputs:
        axis = applied.axis
        last, inner = applied.places.index(index[axis]), (*index[:axis], *index[axis + 1 :])
    needed = applied.needed(last, result, inner)
    if needed is not None:
        return [
            Terms(operand, np.array(sorted(positions), np.int64), "term")
            for operand, positions in enumerate(needed)
        ]
    slices = [applied.slices(operand, last) for operand in range(applied.inputs)]
    first = range(applied.inputs, len(run.view.operand_types))
    return [*slices, *(whole(operand, run.arrays[operand]) for operand in first)]


Element = tuple[int, int, Index]
"""An element of a value of an application: the number of the application, the register, the index."""


class _Scan:
    """An execution of a scan: its region is applied to the slices at `places`, one after the other."""

    def __init__(self, run: OpRun, body: RegionBody) -> None:
        self._run, self._body = run, body
        self._code: CodeBlock = body.code
        self.inputs = run.view.integers("operandSegmentSizes")[0]
        self.outputs = run.view.integers("resultSegmentSizes")[0]
        self.axis = run.view.integer("dimension")
        places = range(run.arrays[0].shape[self.axis])
        self.places = places[::-1] if run.view.flag("is_reverse") else places

    def needed(self, last: int, result: int, index: Index) -> list[set[int]] | None:
        """Returns the positions in each operand that a result of an application leads back to, before the
        first one (-1) its own; None where that is not followed.
        """
        positions_of: list[set[int]] = [set() for _ in self._run.operands]
        if last < 0:
            operand = self.inputs + result - self.outputs
            positions_of[operand] = {position_at(index, self._run.arrays[operand].shape)}
            return positions_of
        instructions = self._code.instructions
        if any(instruction.kind is not Kind.KERNEL for instruction in instructions[:-1]):
            return None
        if (last + 1) * len(instructions) > MOST_APPLIED:
            return None
        values = self._values(last)
        waiting: list[Element] = [(last, instructions[-1].operands[result], index)]
        visited = set(waiting)
        while waiting:
            element = waiting.pop()
            sources = self._sources(element, values, positions_of)
            if sources is None:
                return None
            new = [source for source in sources if source not in visited]
            visited.update(new)
            waiting += new
            if len(visited) > MOST_APPLIED:
                return None
        return positions_of

    def _sources(
        self, element: Element, values: Sequence[Mapping[int, Value]], positions_of: Sequence[set[int]]
    ) -> list[Element] | None:
        """Returns the elements in the region that one is made of, and adds those of operands to their
        positions; None where that is not known."""
        step, register, index = element
        defined = self._code.defined_at.get(register)
        if defined is None:
            return []
        if defined >= 0:
            return self._sources_in(step, defined, register, index, values[step])
        operand = self._code.arguments.index(register)
        if operand >= self.inputs and step:
            carried = self._code.instructions[-1].operands[self.outputs + operand - self.inputs]
            return [(step - 1, carried, index)]
        if operand < self.inputs:
            index = (*index[: self.axis], self.places[step], *index[self.axis :])
        positions_of[operand].add(position_at(index, self._run.arrays[operand].shape))
        return []

    def _sources_in(
        self, step: int, number: int, register: int, index: Index, values: Mapping[int, Value]
    ) -> list[Element] | None:
        """Returns the elements of operands that made an element of an instruction's result."""
        instruction = self._code.instructions[number]
        operands, results = (
            tuple(map(values.__getitem__, registers))
            for registers in (instruction.operands, instruction.results)
        )
        run = run_of(bound_kernel(self._code, number), operands, results)
        terms = terms_in(run, instruction.results.index(register), index)
        if terms is None:
            return None
        return [
            (step, instruction.operands[term.operand], index_at(position, run.arrays[term.operand].shape))
            for term in terms
            for position in term.positions.tolist()
        ]

    def _values(self, last: int) -> list[dict[int, Value]]:
        """Returns the values of the region in each application up to the last one."""
        run, code = self._run, self._code
        slices = [np.moveaxis(array, self.axis, 0) for array in run.arrays[: self.inputs]]
        carried: Sequence[Value] = run.operands[self.inputs : len(run.view.operand_types)]
        applications: list[dict[int, Value]] = []
        for place in self.places[: last + 1]:
            arguments = (*(input_slices[place] for input_slices in slices), *carried)
            values = {**dict(self._body.captured), **dict(zip(code.arguments, arguments))}
            for number, instruction in enumerate(code.instructions[:-1]):
                operands = [values[operand] for operand in instruction.operands]
                evaluated = bound_kernel(code, number).evaluate(*operands)
                values.update(zip(instruction.results, results_of(evaluated)))
            carried = [values[register] for register in code.instructions[-1].operands[self.outputs :]]
            applications.append(values)
        return applications

    def slices(self, operand: int, last: int) -> Terms:
        """Returns all elements of the slices of an operand up to those of the last application."""
        places = np.array(self.places[: last + 1], np.int64)
        positions = np.take(positions_in(self._run.arrays[operand].shape), places, self.axis)
        return Terms(operand, positions.reshape(-1), "term")
