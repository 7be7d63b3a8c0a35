"""Breakpoints: on lines, operations, names of values, scopes, lines of Python, on a step that makes a NaN,
an infinity, an overflow or a finding of the sanitizer, and on the change of an expression.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.debugger.control.messages import Messages
from shlo.debugger.control.shadow_trail import check_shadow
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.expression import Expression, Template, value_expression
from shlo.debugger.expressions.watches import ExpressionReader
from shlo.debugger.inspect.areas import Area, AreaKind, read_area
from shlo.debugger.inspect.python_values import binds, binds_python
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.replay.block_index import BlockIndex, BlockSet, block_index
from shlo.debugger.replay.nonfinite import NOTHING, NUMBERS, Nonfinite
from shlo.debugger.replay.program_points import (
    ProgramPoint,
    ProgramPoints,
    is_entered,
    origin_at,
    position_of,
    program_point,
    value_name,
)
from shlo.dialects import find_op_def
from shlo.interpreter.program.code import CodeBlock, Program
from shlo.interpreter.program.code import Kind as InstructionKind
from shlo.places.names import PythonName

Kind = Literal["line", "op", "value", "scope", "python", "nonfinite", "shadow", "change"]

NONFINITE = {
    "nan": Nonfinite.NAN,
    "infinity": Nonfinite.INFINITY,
    "any": Nonfinite.NAN | Nonfinite.INFINITY,
    "overflow": Nonfinite.OVERFLOW,
    "finding": Nonfinite.FINDING,
}
"""What a breakpoint on numbers that are not finite, out of range, or objected to can wait for."""

INDEXED: dict[Kind, Callable[[BlockIndex], Mapping[Any, Sequence[int]]]] = {
    "line": lambda index: index.lines,
    "op": lambda index: index.operations,
    "value": lambda index: index.names,
}
"""Where a block has what breakpoints of a kind are on."""

IN_BLOCKS: dict[Kind, Callable[[BlockSet], frozenset[Any]]] = {
    "line": lambda blocks: blocks.lines,
    "op": lambda blocks: blocks.operations,
    "value": lambda blocks: blocks.names,
}
"""What several blocks have that breakpoints of a kind are on."""


class Breakpoint(Struct, frozen=True):
    """A place to stop. `where` is a line (from 1), an operation's name, a value's name without `%`, a scope,
    a `FILE.py:LINE` (see `areas`), a key of NONFINITE, a number of digits, or an expression's text. One on a
    line or an operation stops before the operation; one on a value as it is bound; one on a scope or a line
    of Python where a process enters it; one on NaN, infinity, overflow or a finding after the step that makes
    it (see nonfinite.Nonfinite); one on a shadow after a step that loses so many digits; one on an
    `expression` where that changes (see hit_conditions.ChangeDetector) in the function `function`.

    With a `condition`, it stops only where that is true. The first `ignored` times that it would stop,
    counted from the program's start, it does not. In a grid it stops all processes, or the one that `process`
    is the number of. With a `message` it never stops: the message is noted on the way forwards. `function`
    is also the name of the function on whose first line it is, where it was asked for so. With a `column` (in
    code points, from 1), one on a line stops before the operation alone that begins there. One on a value
    that was asked for by a name of the Python source (`python`) stops as that value alone is bound.
    """

    number: int
    kind: Kind
    where: int | str
    enabled: bool = True
    condition: Expression | None = None
    ignored: int = 0
    process: int | None = None
    message: Template | None = None
    expression: Expression | None = None
    function: str = ""
    column: int | None = None
    python: PythonName | None = None

    def is_for(self, process: int) -> bool:
        """Returns whether it stops a process."""
        return self.process is None or self.process == process

    @property
    def is_behind(self) -> bool:
        """Whether it stops behind a step, because of what that did."""
        return self.kind in ("nonfinite", "shadow")

    @property
    def area(self) -> Area | None:
        """The scope or line of Python that a process enters where this stops."""
        return read_area(self.kind, str(self.where)) if self.kind in ("scope", "python") else None

    def is_at(self, point: ProgramPoint) -> bool:
        """Returns whether it may stop at a program point (never for one that waits for numbers)."""
        if self.kind == "line":
            position = point.position
            return (
                position is not None
                and position.line == self.where
                and self.column in (None, position.column)
            )
        if self.kind == "op":
            return point.operation.name == self.where
        if self.area is not None:
            return self.area.contains(origin_at(point.code, point.index))
        if self.kind == "value":
            return self.where in point.bound and (self.python is None or binds_python(point, self.python))
        return self.expression is not None and self._may_change_at(point, self.expression)

    def _may_change_at(self, point: ProgramPoint, expression: Expression) -> bool:
        """Returns whether the expression can have another value at a point than at the one before: where a
        value of a name that it uses is bound, or other values come into scope.
        """
        if point.code.function.name != self.function:
            return False
        if point.index == 0 or expression.may_always_change:
            return True
        before = point.code.instructions[point.index - 1]
        has_scope = before.kind is not InstructionKind.KERNEL or is_entered(before, in_grid=True)
        return (
            has_scope
            or not expression.names.isdisjoint(point.bound)
            or any(binds_python(point, name) for name in expression.python)
        )

    def places(self, code: CodeBlock) -> Sequence[int]:
        """Returns the instructions of a block before which it may stop, as `is_at`."""
        if self.kind in INDEXED:
            indices = INDEXED[self.kind](block_index(code)).get(self.where, ())
            if self.column is None and self.python is None:
                return indices
            return [at for at in indices if self.is_at(program_point(code, at))]
        area, count = self.area, len(code.instructions)
        if self.kind == "change":
            return [at for at in range(count) if self.is_at(ProgramPoint(code, at))]
        return [] if area is None else [at for at in range(count) if area.contains(origin_at(code, at))]

    def is_for_loss(self, digits: float) -> bool:
        """Returns whether it stops after a step that loses so many digits."""
        return self.kind == "shadow" and digits >= float(self.where)

    def is_for_nonfinite(self, flags: Nonfinite) -> bool:
        """Returns whether it stops after a step that made this."""
        return self.kind == "nonfinite" and bool(flags & NONFINITE[str(self.where)])


class BreakpointTable:
    """Breakpoints by number, and at which program points they stop. Iterating yields them in the order of
    their numbers.
    """

    def __init__(self, points: ProgramPoints) -> None:
        self._points = points
        self._all: dict[int, Breakpoint] = {}
        self._next = 1
        self.version = 0
        """How often they have changed."""
        self._armed: dict[CodeBlock, dict[int, list[int]]] = {}
        self._enabled: dict[Kind, dict[int | str, list[Breakpoint]]] = {}

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(tuple(self._all.values()))

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, number: int) -> Breakpoint:
        """Returns the breakpoint of a number; raises DebuggerError where there is none."""
        point = self._all.get(number)
        if point is None:
            raise DebuggerError(f"there is no breakpoint {number}")
        return point

    def add(self, point: Breakpoint) -> Breakpoint:
        """Returns a breakpoint with a number of its own; one that is there already is enabled."""
        for other in self._all.values():
            function = (
                other.function if point.kind == "change" else point.function
            )  # of a line, it is a label
            same = replace(other, number=point.number, enabled=point.enabled, ignored=point.ignored)
            if replace(same, function=function) == point:
                return self.enable(other.number, True)
        self._next += 1
        return self._put(replace(point, number=self._next - 1))

    def number_from(self, number: int) -> None:
        """Gives new breakpoints this number or greater ones."""
        self._next = max(self._next, number)

    def twin(self, previous: Breakpoint) -> Breakpoint:
        """Returns another breakpoint like one that was there before it was set again: beside the one that
        `add` took for it, which is again what it was. A change of conditions can leave two alike.
        """
        self._put(previous)
        self._next += 1
        return self._put(replace(previous, number=self._next - 1))

    def remove(self, number: int) -> None:
        """Takes a breakpoint away; raises DebuggerError where there is none of that number."""
        del self._all[self[number].number]
        self._changed()

    def enable(self, number: int, enabled: bool = True) -> Breakpoint:
        """Switches a breakpoint on or off."""
        return self._put(replace(self[number], enabled=enabled))

    def ignore(self, number: int, count: int) -> Breakpoint:
        """Has a breakpoint not stop the first `count` times; raises DebuggerError for one that waits for
        numbers, whose times cannot be told without computing them.
        """
        point = self[number]
        if point.kind in ("nonfinite", "shadow"):
            raise DebuggerError("a breakpoint on numbers cannot be ignored some times")
        return self._put(replace(point, ignored=count))

    @property
    def are_on(self) -> bool:
        """Whether one is switched on."""
        return any(point.enabled for point in self._all.values())

    @property
    def scans(self) -> Nonfinite:
        """What steps must be searched for: all that numbers can be, and findings where one waits for them."""
        kinds = [
            NONFINITE[str(point.where)]
            for point in self._all.values()
            if point.enabled and point.kind == "nonfinite"
        ]
        if not kinds:
            return NOTHING
        return NUMBERS | Nonfinite.FINDING if Nonfinite.FINDING in kinds else NUMBERS

    def at_point(self, number: int) -> Sequence[int]:
        """Returns the numbers of those that stop at a program point."""
        code, index = self._points.place(number)
        return self.armed(code).get(index, ())

    def stopped_at(self) -> list[int]:
        """Returns the numbers of the program points at which any stops."""
        return [
            numbers[index - first]
            for code, first, numbers in self._points.runs()
            for index in self.armed(code)
            if 0 <= index - first < len(numbers)
        ]

    def armed(self, code: CodeBlock) -> dict[int, list[int]]:
        """Returns the numbers of those that stop before instructions of a block, by the instruction."""
        armed = self._armed.get(code)
        if armed is None:
            armed = self._armed[code] = {}
            index = block_index(code)
            for kind, places in INDEXED.items():
                if kind in self._enabled and not places(index).keys().isdisjoint(self._enabled[kind]):
                    self._arm(armed, code, kind)
            for kind in self._enabled.keys() - INDEXED.keys():
                self._arm(armed, code, kind)
            for numbers in armed.values():
                numbers.sort()
        return armed

    def are_armed(self, blocks: BlockSet) -> bool:
        """Returns whether any stops before an instruction of blocks."""
        if self._enabled.keys() <= IN_BLOCKS.keys():
            return not all(
                IN_BLOCKS[kind](blocks).isdisjoint(places) for kind, places in self._enabled.items()
            )
        return any(map(self.armed, blocks.codes))

    def _arm(self, armed: dict[int, list[int]], code: CodeBlock, kind: Kind) -> None:
        """Adds the instructions of a block before which breakpoints of a kind stop."""
        for points in self._enabled[kind].values():
            for point in points:
                for index in point.places(code):
                    armed.setdefault(index, []).append(point.number)

    def _changed(self) -> None:
        """Sorts those that are on by kind and place, and forgets where they stop."""
        self.version += 1
        self._armed.clear()
        self._enabled = {}
        for point in self._all.values():
            if point.enabled:
                self._enabled.setdefault(point.kind, {}).setdefault(point.where, []).append(point)

    def after(self, flags: Nonfinite) -> tuple[int, ...]:
        """Returns the numbers of those that stop after a step that made this."""
        return tuple(
            point.number for point in self._all.values() if point.enabled and point.is_for_nonfinite(flags)
        )

    @property
    def on_losses(self) -> list[Breakpoint]:
        """Those that are on and wait for lost digits."""
        return [point for point in self._all.values() if point.enabled and point.kind == "shadow"]

    def _put(self, point: Breakpoint) -> Breakpoint:
        self._all[point.number] = point
        self._changed()
        return point


class Breakpoints(BreakpointTable):
    """The breakpoints of a session.

    A `condition` is an expression (see docs/debugger.md) that says when to stop, `process` the process of a
    grid in which to stop, which is any unless it is given.
    """

    def __init__(self, run: SessionRun, reader: ExpressionReader) -> None:
        super().__init__(run.cursor.points)
        self.messages = Messages()
        """What log points said, and why conditions could not be evaluated."""
        self._run = run
        self._reader = reader
        self._marked: dict[tuple[Program, str, int | str], frozenset[int]] = {}

    # --- where to stop ---

    def on_line(
        self,
        line: int,
        condition: str | None = None,
        process: int | None = None,
        column: int | None = None,
    ) -> Breakpoint:
        """Stops before operations that begin on a line, or else on the next line of its function that has
        one, the last such line where none is below.

        Args:
            line: The line, counted from 1.
            condition: When to stop; always, unless it says.
            process: In which process of a grid.
            column: Of several operations that begin on the line, the one at or before this column (in code
                points, from 1), else the first; all of them, unless it says.
        """
        nearest = self._run.listing.lines.nearest(line)
        if column is not None:
            columns = self._run.listing.columns_on(nearest)
            before = [start for start in columns if start <= column] if nearest == line else []
            column = before[-1] if before else columns[0]
        return self._set("line", nearest, condition, process, column=column)

    def on_function(self, name: str, condition: str | None = None, process: int | None = None) -> Breakpoint:
        """Stops before the first operation of a function, on its line."""
        name, listing = name.removeprefix("@"), self._run.listing
        line = listing.lines.nearest(listing.first_line(name))
        return self._set("line", line, condition, process, function=name)

    def on_op(self, name: str, condition: str | None = None, process: int | None = None) -> Breakpoint:
        """Stops before operations of a name (`dot_general` is `stablehlo.dot_general`)."""
        return self._set("op", full_op_name(name), condition, process)

    def on_value(self, name: str, condition: str | None = None, process: int | None = None) -> Breakpoint:
        """Stops when a value of this name (with or without `%`), or the one of a name of the Python source,
        has been bound. A condition is one on this value, unless it names another.
        """
        if (python := self._reader.python_value(name)) is not None:
            return self.on_python(python, condition, process)
        name = name.removeprefix("%")
        self._run.listing.check_value_name(name)
        return self._set("value", name, condition, process)

    def on_python(
        self, name: PythonName, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops when one value of a name of the Python source has been bound. Raises DebuggerError for one
        that no process can bind.
        """
        code = next((code for code in self._run.listing.code if binds(code, name)), None)
        if code is None:
            raise DebuggerError(f"{name.name} is in code that runs as a whole: no process stops there")
        return self._set("value", value_name(code, name.value), condition, process, python=name)

    def on_area(
        self, kind: AreaKind, text: str, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops where a process enters a scope of the name stack (`layer_57`), or the operations that a line
        of Python (`mytrain.py:68`) led to.
        """
        return self._set(kind, self._run.listing.area_name(kind, text), condition, process)

    def on_nonfinite(
        self, what: str = "any", process: int | None = None, condition: str | None = None
    ) -> Breakpoint:
        """Stops after a step that makes a NaN ("nan"), an infinity ("infinity"), or either ("any"), that
        converts numbers out of the range of their new type ("overflow"), or that the sanitizer objects to
        ("finding"), under a condition on the values behind that step.
        """
        nonfinite_of(what)
        return self._set("nonfinite", what, condition, process)

    def on_loss(self, digits: float, condition: str | None = None) -> Breakpoint:
        """Stops after a step that loses so many decimal digits (docs/shadow.md), under a condition on the
        values behind it. Raises DebuggerError for less than 1 or no finite number, and in a grid.
        """
        check_shadow(self._run)
        if not 1 <= digits < inf:
            raise DebuggerError(f"expected 1 digit or more, got {digits:g}")
        return self._set("shadow", f"{digits:g}", condition)

    def on_change(
        self, text: str, condition: str | None = None, process: int | None = None, function: str | None = None
    ) -> Breakpoint:
        """Stops where the value of an expression has changed, in the function of the selected frame; with a
        condition, where that becomes true: `> 10` is about the expression.

        Args:
            text: The expression.
            condition: What becomes true.
            process: In which process of a grid.
            function: Another function whose values are meant.
        """
        expression = self._reader.expression(text)
        if function is None:
            frames = self._run.cursor.process.frames
            here = frames[self._run.selected_frame].function.name if frames else None
            function = self._reader.function(expression, here)
        return self._set(
            "change", expression.text, condition, process, expression=expression, function=function
        )

    def _set(
        self,
        kind: Kind,
        where: int | str,
        condition: str | None,
        process: int | None = None,
        *,
        expression: Expression | None = None,
        function: str = "",
        column: int | None = None,
        python: PythonName | None = None,
    ) -> Breakpoint:
        if process is not None:
            self._run.check_process(process)
        point = Breakpoint(
            0,
            kind,
            where,
            process=process,
            expression=expression,
            function=function,
            column=column,
            python=python,
        )
        return self.add(replace(point, condition=self._condition(point, condition)))

    def _condition(self, point: Breakpoint, text: str | None) -> Expression | None:
        if text is None:
            return None
        subject = value_expression(str(point.where)) if point.kind == "value" else point.expression
        return self._reader.expression(text, subject)

    # --- what they do ---

    def log(self, number: int, message: str, in_place: bool = False) -> Breakpoint:
        """Returns a log point at the place of a breakpoint, under its condition: it does not stop, and adds
        the message, with values of the expressions in braces, to `messages`; beside the breakpoint, or in its
        place.
        """
        point = replace(self[number], message=self._reader.template(message))
        return self._put(point) if in_place else self.add(replace(point, ignored=0))

    def restrict(self, number: int, condition: str | None) -> Breakpoint:
        """Returns a breakpoint a condition instead of the one it has; None takes that away."""
        point = self[number]
        return self._put(replace(point, condition=self._condition(point, condition), ignored=0))

    def lines_of(self, point: Breakpoint) -> frozenset[int]:
        """Returns the lines of the source at whose operations a breakpoint stops; for one on a value, those
        that bind it.
        """
        if point.kind == "line":
            return frozenset((int(point.where),))
        if point.kind in ("nonfinite", "change"):
            return frozenset()
        listing = self._run.listing
        key = listing.program, point.kind, point.where
        if key not in self._marked:
            self._marked[key] = frozenset(_lines_of(point, listing.code))
        return self._marked[key]

    def reached(self, point: Breakpoint) -> int | None:
        """Returns how often processes came to the place of a breakpoint on the way from the start to here,
        whatever its condition; None for one that has no such place: on numbers, a scope, a line of Python.
        """
        if point.kind in ("nonfinite", "shadow", "change") or point.area:
            return None
        cursor, points = self._run.cursor, self._points
        numbers = [number for number in range(len(points)) if point.is_at(points[number])]
        return sum(
            trace.arrivals(numbers, cursor.position)
            for process, trace in enumerate(cursor.history.traces)
            if point.is_for(process)
        )


def nonfinite_of(what: str) -> Nonfinite:
    """Returns what a key of NONFINITE waits for; raises DebuggerError for another text."""
    if what not in NONFINITE:
        raise DebuggerError(f"{what!r} is none of {', '.join(NONFINITE)}")
    return NONFINITE[what]


def _lines_of(point: Breakpoint, codes: Iterable[CodeBlock]) -> Iterator[int]:
    for code in codes:
        was_there = False
        for index, instruction in enumerate(code.instructions):
            names = [value_name(code, register) for register in instruction.results]
            is_value = (
                point.kind == "value"
                and point.where in names
                and (point.python is None or binds(code, point.python))
            )
            is_there = is_value or (point.kind != "value" and point.is_at(ProgramPoint(code, index)))
            is_entered_here = is_there and not (was_there and point.area)
            if is_entered_here and (position := position_of(code, index)):
                yield position.line
            was_there = is_there


OTHER_DIALECTS: Final = ("func", "chlo", "sdy", "cf")
"""Dialects whose operations may be named without them, where StableHLO has none of the name."""


def full_op_name(name: str) -> str:
    """Returns an operation's full name; one without a dialect is StableHLO's, or else of another dialect that
    has one of that name (`call`). Raises DebuggerError for none that is known.
    """
    full = name if "." in name else f"stablehlo.{name}"
    others = () if "." in name else (f"{dialect}.{name}" for dialect in OTHER_DIALECTS)
    match = next((candidate for candidate in (full, *others) if find_op_def(candidate) is not None), None)
    if match is None:
        raise DebuggerError(f"there is no operation {full}")
    return match
