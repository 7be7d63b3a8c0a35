"""Outline, uses of values and operations of a scope, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from shlo.debugger.replay.nonfinite import Nonfinite
from shlo.debugger.structure.outline import IndexedOp, OutlineNode
from shlo.debugger.structure.uses import ValueReference
from shlo.debugger.text.format import name_text
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
