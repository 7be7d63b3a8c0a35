"""Structure of a session's programs: outline, search, uses and definitions, moves by scopes and lines of
Python.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Container
from typing import Final

import numpy as np

from shlo.debugger.control.stepping import Stepping
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.areas import LONGEST, AreaKind, ScopeArea, read_area, read_python_line
from shlo.debugger.inspect.listing import IndexedOp, Listing, ProgramIndex, unknown_value
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.scope import find_value
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite
from shlo.debugger.replay.program_points import NOWHERE, program_point
from shlo.debugger.structure.moves import AreaMoves, Unit
from shlo.debugger.structure.outline import OutlineNode, outline_of
from shlo.debugger.structure.uses import ValueReference, definition_of, named_values, uses_of
from shlo.interpreter.program.code import CodeBlock, Instruction, Kind
from shlo.ir.source import Source

_ALIAS = re.compile(r"#\w+ = loc\(")
_LOCATION = re.compile(r"\bloc\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\")*\))*\)")


class Structure:
    """What a session knows of scopes, lines of Python and uses of values in its programs, and its moves by
    them. Like commands of the session, its methods raise DebuggerError.
    """

    def __init__(self, run: SessionRun, stepping: Stepping) -> None:
        self._run = run
        self._cursor = run.cursor
        self._stepping = stepping
        self._moves = AreaMoves(run.cursor, stepping)
        self._unused: dict[Listing, list[IndexedOp]] = {}
        self.python: Final = run.python
        """Texts of Python files below the working folder, and below those that are added."""

    @property
    def index(self) -> ProgramIndex:
        """The operations of the selected process's program with their scopes and lines."""
        return self._run.listing.index

    # --- moves ---

    def run_to(self, kind: AreaKind, text: str) -> Snapshot:
        """Goes on to where the selected process enters a scope or line of Python; stays where it does not
        from here to the end.
        """
        stepping, area = self._stepping, read_area(kind, self._run.listing.area_name(kind, text))
        return stepping.go(lambda: stepping.search(lambda: stepping.selected(self._moves.into(area))))

    def reverse_to(self, kind: AreaKind, text: str) -> Snapshot:
        """Goes back to where the process entered a scope or line of Python; stays where it did not."""
        stepping, area = self._stepping, read_area(kind, self._run.listing.area_name(kind, text))
        return self._stepping.go(
            lambda: stepping.search(lambda: stepping.backwards(self._moves.was_into(area)))
        )

    def step_out_of(self, unit: Unit, is_deep: bool = False, since: int | None = None) -> Snapshot:
        """Goes on to the next scope or line of Python in this frame or one around it; with `is_deep`, to any
        other, also one below this scope or in what it calls. `since` is the step of the selected process at
        which such a move began that was stopped.
        """
        start = self._cursor.process.steps if since is None else since
        depth = sys.maxsize if is_deep else self._cursor.trace.depths[start]
        return self._stepping.go(
            lambda: self._stepping.selected(self._moves.out(unit, is_deep, start), depth=depth)
        )

    def step_out_of_scope(self, text: str) -> Snapshot:
        """Goes on to behind a scope that the next operation, or one around it, is in."""
        until = self._moves.out_of(ScopeArea(self._run.listing.area_name("scope", text)))
        return self._stepping.go(lambda: self._stepping.selected(until))

    def back_out_of(self, unit: Unit, is_deep: bool = False) -> Snapshot:
        """Goes back to the beginning of the scope or line of Python that came before the next operation."""
        return self._stepping.go(lambda: self._stepping.backwards(self._moves.was_out(unit, is_deep)))

    # --- what there is ---

    def outline(self) -> tuple[OutlineNode, ...]:
        """Returns the functions of the program with the scopes in them, and what was executed so far."""
        history, points = self._cursor.history, self._cursor.points
        executed: set[tuple[CodeBlock, int]] = set()
        nonfinite: dict[tuple[CodeBlock, int], Nonfinite] = {}
        for trace in history.traces:
            for number in np.unique(trace.distinct(0, trace.last).numbers).tolist():
                if number != NOWHERE:
                    executed.add((points[number].code, points[number].index))
        for position, findings in history.nonfinite.items():
            for process, flags in findings:
                trace = history.traces[process]
                point = trace.point(trace.step_at(position) - 1)
                if point is not None:
                    key = point.code, point.index
                    nonfinite[key] = nonfinite.get(key, NOTHING) | flags
        return outline_of(self.index, executed, nonfinite)

    def find(self, text: str) -> list[IndexedOp]:
        """Returns the operations of a line of Python (`FILE.py:LINE`) or a scope; none for another text."""
        text = text.strip().strip("/")
        if not text or len(text) > LONGEST:
            return []
        return self.index.of_area(read_python_line(text) or ScopeArea(text))

    def find_lines(self, text: str) -> list[int]:
        """Returns the lines of the source that a search finds, in order: of the operations of a line of
        Python or a scope, and else those that have the text outside of locations.
        """
        source = self._run.module.source
        lines = sorted({op.line for op in self.find(text) if op.line})
        if lines or source is None or not text:
            return lines
        return lines_with(source, text)

    def unused(self) -> list[IndexedOp]:
        """Returns the operations of the program whose results nothing uses, in order."""
        listing = self._run.listing
        if listing not in self._unused:
            self._unused[listing] = unused_ops(listing)
        return self._unused[listing]

    def executed_lines(self, lines: Container[int]) -> frozenset[int]:
        """Returns those of some lines of the source on which an operation begins that the selected process
        took on the way to where it is.
        """
        ops = [op for op in self.index.ops if op.line in lines]
        points, step = self._cursor.points, self._cursor.process.steps
        numbers = {points.number(op.code, op.index): op.line for op in ops}
        visited = self._cursor.trace.distinct(0, step).numbers
        visited_ops = np.array(list(numbers), np.int64)
        return frozenset(numbers[number] for number in visited_ops[np.isin(visited_ops, visited)].tolist())

    # --- values ---

    def definition(self, name: str, frame: int = -1) -> list[ValueReference]:
        """Returns what binds the value of a name in scope; where none is, the values of that name in the
        function, or else all.
        """
        references = [definition_of(code, register) for code, register in self._values(name, frame)]
        return list(dict.fromkeys(references))

    def uses(self, name: str, frame: int = -1) -> list[ValueReference]:
        """Returns what reads a value, or values, of a name, as for `definition`."""
        return [
            reference
            for code, register in self._values(name, frame)
            for reference in uses_of(code, register, self._run.listing.code)
        ]

    def _values(self, name: str, frame: int) -> list[tuple[CodeBlock, int]]:
        frames, name = self._cursor.process.frames, name.removeprefix("%")
        try:
            bound = find_value(frames, frame % len(frames) if frames else 0, name)
        except (DebuggerError, IndexError):
            matches = named_values(self._run.listing.code, name)
            if not matches:
                raise unknown_value(name, self._run.listing.value_names) from None
            here = frames[frame].function.name if frames else ""
            return [value for value in matches if value[0].function.name == here] or matches
        return [(bound.code, bound.register)]


def lines_with(source: Source, text: str) -> list[int]:
    """Returns the lines that have a text outside of locations (`#loc7 = loc(...)`, `loc(...)`). Small letters
    refer to capitals too.
    """
    pattern = re.compile(re.escape(text), re.IGNORECASE if text == text.lower() else 0)
    lines, match = list[int](), pattern.search(source.text)
    while match is not None:
        line = source.line_of(match.start())
        shown = source.line_text(line)
        if not _ALIAS.match(shown) and pattern.search(_LOCATION.sub("", shown)):
            lines.append(line)
        end = line >= len(source.line_starts)
        match = None if end else pattern.search(source.text, source.line_starts[line])
    return lines


Key = tuple[int, int]
"""A value: the table of values that it is in, by its id, and its number there."""


def unused_ops(listing: Listing) -> list[IndexedOp]:
    """Returns the operations without effects whose results no operation uses, or such operations alone. Calls
    are none of them.
    """
    uses: Counter[Key] = Counter()
    for code in listing.code:
        for instruction in code.instructions:
            uses.update((id(code.values), value) for value in _read_by(instruction))
    ops = listing.index.ops
    makers = {(id(op.code.values), register): op for op in ops for register in _instruction(op).results}
    unused: set[int] = set()
    waiting = [op for op in ops if _is_unused(op, uses)]
    while waiting:
        op = waiting.pop()
        if id(op) in unused:
            continue
        unused.add(id(op))
        for value in _read_by(_instruction(op)):
            key = id(op.code.values), value
            uses[key] -= 1
            maker = makers.get(key)
            if maker is not None and _is_unused(maker, uses):
                waiting.append(maker)
    return [op for op in ops if id(op) in unused]


def _is_unused(op: IndexedOp, uses: Counter[Key]) -> bool:
    instruction, table = _instruction(op), id(op.code.values)
    if not instruction.results or any(uses[table, register] > 0 for register in instruction.results):
        return False
    return instruction.kind is not Kind.CALL and not program_point(op.code, op.index).has_effect


def _read_by(instruction: Instruction) -> list[int]:
    """Returns the values that an operation reads, its regions and the blocks that it hands values to too."""
    passed = [value for _, values in instruction.operation.successors for value in values]
    return [*instruction.operands, *passed]


def _instruction(op: IndexedOp) -> Instruction:
    return op.code.instructions[op.index]
