"""Outline, uses of values, operations of a scope, and Python sources, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import Struct

from shlo.debugger.inspect.areas import PythonLineArea, is_file
from shlo.debugger.replay.nonfinite import Nonfinite
from shlo.debugger.session import Session
from shlo.debugger.structure.outline import IndexedOp, OutlineNode
from shlo.debugger.structure.uses import ValueReference
from shlo.debugger.text.format import LONGEST_LINE, name_text
from shlo.places.origins import Origin
from shlo.text.numbers import plural

ROWS_SHOWN: Final = 150
"""How many rows of an outline are shown."""

REFERENCES_SHOWN: Final = 50

NAME_WIDTH: Final = 40


def outline_text(roots: Iterable[OutlineNode], depth: int) -> str:
    """Returns the nodes as a tree of `depth` levels: name, operations, lines, what was executed."""
    rows = [(level, node) for root in roots for level, node in root.walk() if level < depth]
    more = [f"{len(rows) - ROWS_SHOWN} more; outline SCOPE shows a part"] if len(rows) > ROWS_SHOWN else []
    return "\n".join([*(_outline_row(*row) for row in rows[:ROWS_SHOWN]), *more])


def _outline_row(level: int, node: OutlineNode) -> str:
    name = f"{'  ' * level}{name_text(node.name)}"
    parts = [plural(node.ops, "op")]
    if node.first_line:
        one = node.first_line == node.last_line
        parts.append(f"line {node.first_line}" if one else f"lines {node.first_line}-{node.last_line}")
    if node.executed:
        parts.append("executed" if node.executed == node.ops else f"{node.executed} executed")
    names = {Nonfinite.NAN: "NaN", Nonfinite.INFINITY: "Inf"}
    flags = [text for flag, text in names.items() if node.nonfinite & flag]
    if flags:
        parts.append(f"made {' and '.join(flags)}")
    return f"{name:{NAME_WIDTH}} {', '.join(parts)}"


def references_text(name: str, references: Sequence[ValueReference], verb: str) -> str:
    """Returns the operations that bind or read a value, a line each."""
    lines = [_reference_text(name, reference, verb) for reference in references[:REFERENCES_SHOWN]]
    more = [f"{len(references) - REFERENCES_SHOWN} more"] if len(references) > REFERENCES_SHOWN else []
    return "\n".join([*lines, *more])


def _reference_text(name: str, reference: ValueReference, verb: str) -> str:
    line = "    -" if reference.line is None else f"{reference.line:5}"
    op = f"{name_text(reference.op)} " if reference.op else ""
    scope = f" in {name_text(reference.scope)}" if reference.scope else ""
    return f"{line} @{reference.function}: {op}{verb} %{name} as {name_text(reference.what)}{scope}"


def ops_text(ops: Sequence[IndexedOp], most: int) -> str:
    """Returns operations, a line each: line, function, name, scope."""
    lines = [
        f"{op.line:5} @{op.code.function.name}: {op.op}"
        + (f" in {name_text(op.origin.scope)}" if op.origin.scope else "")
        for op in ops[:most]
    ]
    more = [f"{len(ops) - most} more"] if len(ops) > most else []
    return "\n".join([*lines, *more])


class PythonView(Struct, frozen=True):
    """A Python file: its lines; the numbers, from 1, of the one that the operation comes from (0: it is
    in another file), of those that called it, and of those with breakpoints.
    """

    file: str
    lines: tuple[str, ...]
    current: int
    callers: frozenset[int]
    stops: frozenset[int]

    def row(self, number: int) -> str:
        """Returns a line with its number, after `->` where it is the current one, `=>` where it led there,
        `*` where it has a breakpoint.
        """
        mark = "->" if number == self.current else "=>" if number in self.callers else "  "
        text = self.lines[number - 1][:LONGEST_LINE].expandtabs(4)
        return f"{mark}{'*' if number in self.stops else ' '}{number:5} {text}".rstrip()


def python_view(session: Session, file: str | None = None) -> PythonView | None:
    """Returns a Python file, or that of the selected frame; None where it cannot be read."""
    frames = session.snapshot.frames
    origin = frames[session.selected_frame].origin if frames else Origin()
    source_line = origin.line
    file = file or (source_line.file if source_line else "")
    lines = session.structure.python.lines(file)
    if lines is None:
        return None
    areas = (point.area for point in session.breakpoints)
    stops = (area.line for area in areas if isinstance(area, PythonLineArea) and is_file(file, area.file))
    return PythonView(
        file,
        lines,
        source_line.line if source_line and source_line.file == file else 0,
        frozenset(at.line for at in origin.lines if at.file == file),
        frozenset(stops),
    )


def python_text(session: Session, file: str, middle: int, around: int) -> str:
    """Returns the lines of a Python file around one (see `PythonView`)."""
    view = python_view(session, file)
    if view is None:
        return f"{name_text(file)}:{middle}\nits text is not found; --source-root DIR says where to look"
    shown = range(max(middle - around, 1), min(middle + around, len(view.lines)) + 1)
    rows = [view.row(number) for number in shown] or [f"it has {plural(len(view.lines), 'line')}"]
    return "\n".join([name_text(file), *rows])
