"""Outline, uses of values, operations of a scope, and Python sources, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from shlo.debugger.inspect.areas import PythonLineArea, is_file
from shlo.debugger.replay.nonfinite import Nonfinite
from shlo.debugger.session import Session
from shlo.debugger.structure.outline import IndexedOp, OutlineNode
from shlo.debugger.structure.uses import ValueSite
from shlo.debugger.text.format import LONGEST_LINE, name_text
from shlo.text.numbers import plural

ROWS_SHOWN: Final = 150
"""How many rows of an outline are shown."""

SITES_SHOWN: Final = 50

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
    made = [text for flag, text in names.items() if node.nonfinite & flag]
    if made:
        parts.append(f"made {' and '.join(made)}")
    return f"{name:{NAME_WIDTH}} {', '.join(parts)}"


def sites_text(name: str, sites: Sequence[ValueSite], verb: str) -> str:
    """Returns the operations that bind or read a value, a line each."""
    lines = [_site_text(name, site, verb) for site in sites[:SITES_SHOWN]]
    more = [f"{len(sites) - SITES_SHOWN} more"] if len(sites) > SITES_SHOWN else []
    return "\n".join([*lines, *more])


def _site_text(name: str, site: ValueSite, verb: str) -> str:
    line = "    -" if site.line is None else f"{site.line:5}"
    op = f"{name_text(site.op)} " if site.op else ""
    scope = f" in {name_text(site.scope)}" if site.scope else ""
    return f"{line} @{site.function}: {op}{verb} %{name} as {name_text(site.what)}{scope}"


def ops_text(ops: Sequence[IndexedOp], most: int) -> str:
    """Returns operations, a line each: line, function, name, scope."""
    lines = [
        f"{op.line:5} @{op.code.function.name}: {op.op}"
        + (f" in {name_text(op.origin.scope)}" if op.origin.scope else "")
        for op in ops[:most]
    ]
    more = [f"{len(ops) - most} more"] if len(ops) > most else []
    return "\n".join([*lines, *more])


def python_text(session: Session, file: str, middle: int, around: int) -> str:
    """Returns the lines of a Python file around one: `->` marks the one that the next operation comes from,
    `=>` those that called it, `*` breakpoints.
    """
    lines = session.structure.python.lines(file)
    if lines is None:
        return f"{name_text(file)}:{middle}\nits text is not found; --source-root DIR says where to look"
    origin = session.structure.origin(session.selected_frame)
    current = session.structure.python.line_of(origin) if origin else None
    callers = {place.line for place in origin.lines if place.file == file} if origin else set[int]()
    areas = (point.area for point in session.breakpoints)
    stops = {area.line for area in areas if isinstance(area, PythonLineArea) and is_file(file, area.file)}
    shown = [name_text(file)]
    for number in range(max(middle - around, 1), min(middle + around, len(lines)) + 1):
        is_here = current is not None and (current.file, current.line) == (file, number)
        mark = "->" if is_here else "=>" if number in callers else "  "
        text = lines[number - 1][:LONGEST_LINE].expandtabs(4)
        shown.append(f"{mark}{'*' if number in stops else ' '}{number:5} {text}".rstrip())
    return "\n".join(shown) if len(shown) > 1 else f"{name_text(file)} has {plural(len(lines), 'line')}"
