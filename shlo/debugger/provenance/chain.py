"""Provenance through time: from an element back through operations, rounds, calls and processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from shlo.debugger.provenance.collectives import collective_sources
from shlo.debugger.provenance.contributions import Index, OpRun, Role, is_finite, results_of
from shlo.debugger.provenance.trace import contributions
from shlo.debugger.replay.cursor import ReplayCursor, ShouldStop, never
from shlo.debugger.replay.program_points import value_name
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.engine.runner import bound_kernel
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.control_flow import COUNTED, next_block

MOST_LINKS: Final = 10_000
"""How long a chain may get."""

End = Literal["", "argument", "constant", "source", "opaque", "made", "limit"]
"""Why nothing follows an element: it is one of an argument of the program or of a constant; its operation
has no elements of operands that matter; nothing is known about its operation; it is not finite, but all that
it was made of is; the chain is too long. Empty where it goes on.
"""


@dataclass(frozen=True, slots=True)
class Element:
    """An element of a value, at the position at which that was bound in a frame of this `depth` (from 1)."""

    process: int
    position: int
    code: CodeBlock
    register: int
    depth: int
    index: Index

    @property
    def name(self) -> str:
        """The value's name in the source, without `%`."""
        return value_name(self.code, self.register)


@dataclass(frozen=True, slots=True)
class Link:
    """An element of a chain: its number, the operation that bound its value and its line (empty and None for
    an argument of the program), and its role and amount in the element before it in the chain.
    """

    element: Element
    number: Any
    op: str
    line: int | None
    role: Role = "value"
    amount: float | complex | None = None

    @property
    def is_finite(self) -> bool:
        """Whether the element is an ordinary number."""
        return bool(is_finite(np.asarray(self.number)))


@dataclass(frozen=True, slots=True)
class Sources:
    """What made an element: the elements that it depends on, the most important first, `total` with those
    that are not listed. Without any, `end` says why; `reason` says so in words for an opaque operation.
    """

    links: tuple[Link, ...] = ()
    total: int = 0
    end: End = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Chain:
    """An element, what made it, and so on back: the most important source of each. `end` is that of the
    last link.
    """

    links: tuple[Link, ...]
    end: End
    reason: str = ""


class Tracer:
    """Walks back from elements. It moves a fork of the cursor, never the session."""

    def __init__(self, cursor: ReplayCursor, stop: ShouldStop = never) -> None:
        self._cursor = cursor
        self._stop = stop

    def link(self, element: Element, value: Value) -> Link:
        """Returns an element of a value as the first link of a chain."""
        return self._link(self._cursor, element, value)

    def sources(self, element: Element, most: int = 20) -> Sources:
        """Returns what made an element; at most so many links."""
        cursor = self._cursor
        if not element.position:
            return Sources(end="argument")
        with cursor.fork_at(element.position - 1) as fork:
            fork.selected = element.process
            fork.go(element.position - 1, self._stop)
            return self._sources(fork, element, most)

    def chain(self, first: Link, most: int = MOST_LINKS) -> Chain:
        """Returns the chain that begins with an element. From one that is not finite it leads to others that
        are not; it ends where there are none, that is where the first of them was made.
        """
        links = [first]
        while len(links) < most:
            found = self.sources(links[-1].element, 1)
            if found.end:
                return Chain(tuple(links), found.end, found.reason)
            following = found.links[0]
            if not first.is_finite and following.is_finite:
                return Chain(tuple(links), "made")
            links.append(following)
        return Chain(tuple(links), "limit")

    # --- one step back ---

    def _sources(self, cursor: ReplayCursor, element: Element, most: int) -> Sources:
        """Returns what made an element; the cursor is before the step that bound its value."""
        process = cursor.process
        frame = process.frames[-1]
        depth = len(process.frames)
        instruction = frame.instruction
        is_own = element.code.defined_at[element.register] >= 0
        if (
            is_own
            and element.code is frame.code
            and element.depth == depth
            and instruction.kind is Kind.KERNEL
        ):
            return self._of_operation(cursor, frame, element, most)
        if instruction.kind is Kind.KERNEL:
            return Sources(
                end="opaque", reason=f"{instruction.operation.name} hands on parts of its operands"
            )
        register = _handed_on(process.frames, element)
        if register is None:
            return Sources(end="source")
        value = frame.registers[register]
        if value is None:  # what a loop carries is not needed by its condition
            value = frame.carried[frame.code.arguments.index(register)]
        source = self._element(cursor, frame, register, depth, element.index)
        return Sources((self._link(cursor, source, value),), 1)

    def _of_operation(self, cursor: ReplayCursor, frame: Frame, element: Element, most: int) -> Sources:
        instruction, depth = frame.instruction, len(cursor.process.frames)
        result = instruction.results.index(element.register)
        point = cursor.points[cursor.points.number(frame.code, frame.index)]
        if point.is_constant:
            return Sources(end="constant")
        kernel = bound_kernel(frame.code, frame.index)
        if point.is_sync_point:
            return self._of_collective(cursor, frame, element, result, most)
        operands = tuple(frame.registers[register] for register in instruction.operands)
        if kernel.entry.needs_context:
            results = cursor.history.results(cursor.position) or ()
        else:
            results = results_of(kernel.evaluate(*operands))
        found = contributions(
            OpRun(kernel.op_view, kernel.evaluate, operands, results), result, element.index, most
        )
        if found.opaque:
            return Sources(end="opaque", reason=found.opaque)
        links = tuple(
            self._link(
                cursor,
                self._element(cursor, frame, instruction.operands[each.operand], depth, each.index),
                operands[each.operand],
                each.role,
                each.amount,
            )
            for each in found.listed
        )
        return Sources(links, found.total, "" if links else "source")

    def _of_collective(
        self, cursor: ReplayCursor, frame: Frame, element: Element, result: int, most: int
    ) -> Sources:
        view = bound_kernel(frame.code, frame.index).op_view
        frames = {
            number: process.frames
            for number, process in enumerate(cursor.grid.processes)
            if process.frames and process.frames[-1].instruction.operation.name == view.name
        }
        operands = {
            number: tuple(each[-1].registers[register] for register in each[-1].instruction.operands)
            for number, each in frames.items()
        }
        found = collective_sources(view, cursor.grid.shape, element.process, operands, result, element.index)
        if found is None:
            return Sources(end="opaque", reason=f"{view.name} does not say which elements it moves")
        links: list[Link] = []
        for source in found[:most]:
            there = frames[source.process]
            register = there[-1].instruction.operands[source.operand]
            cursor.selected = source.process
            made = self._element(cursor, there[-1], register, len(there), source.index)
            links.append(
                self._link(cursor, made, operands[source.process][source.operand], source.role, source.amount)
            )
        cursor.selected = element.process
        links.sort(key=lambda link: link.is_finite)
        return Sources(tuple(links), len(found), "" if links else "source")

    def _element(
        self, cursor: ReplayCursor, frame: Frame, register: int, depth: int, index: Index
    ) -> Element:
        """Returns an element of a value in scope in the innermost frame of the selected process."""
        frames = cursor.process.frames
        while register not in frames[depth - 1].code.defined_at:
            depth -= 1
        code = frames[depth - 1].code
        return Element(cursor.selected, cursor.bound_at(code, register, depth), code, register, depth, index)

    def _link(
        self,
        cursor: ReplayCursor,
        element: Element,
        value: Value,
        role: Role = "value",
        amount: float | complex | None = None,
    ) -> Link:
        defined = element.code.defined_at[element.register]
        number: Any = np.asarray(value)[element.index]
        if defined < 0:
            return Link(element, number, "", None, role, amount)
        point = cursor.points[cursor.points.number(element.code, defined)]
        line = point.position.line if point.position else None
        return Link(element, number, point.operation.name, line, role, amount)


def _handed_on(frames: Sequence[Frame], element: Element) -> int | None:
    """Returns the register of the innermost frame that the next step, which is no kernel's, binds as the
    value of an element: what is handed to a region, a call or the next round, or back from there. None for
    the number of a counting loop.
    """
    frame = frames[-1]
    operands, kind = frame.instruction.operands, frame.instruction.kind
    is_argument = element.code.defined_at[element.register] < 0
    opened = frames[element.depth - 2 if is_argument else element.depth - 1].instruction
    place = (element.code.arguments if is_argument else opened.results).index(element.register)
    if kind is Kind.JUMP:
        return _jumped(frame, place)
    if opened.kind is Kind.COUNT:
        first = COUNTED if kind is Kind.COUNT else 0  # of the values that the loop carries
        if is_argument and not place:
            return operands[0] if kind is Kind.COUNT else None
        return operands[first + place - is_argument]
    if kind is Kind.RETURN and opened.kind is Kind.WHILE and frame.region == 0:
        is_structured = opened.operation.name == "scf.while"
        return operands[1 + place] if is_structured else frame.code.arguments[place]
    return operands[place]


def _jumped(frame: Frame, place: int) -> int:
    """Returns the register of the value that a jump passes as an argument of the block it goes on with."""
    _, values = next_block(frame.code, frame.index, frame.registers)
    return next(each for each in frame.instruction.operands if frame.registers[each] is values[place])
