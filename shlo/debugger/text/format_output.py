"""What a program printed, in words: position, process, line, line of Python, text."""

from __future__ import annotations

import os
from typing import Final

from shlo.debugger.replay.program_output import OutputEntry
from shlo.debugger.session import Session
from shlo.debugger.text.format import name_text

MOST_SHOWN: Final = 100
"""How many entries are shown, the last ones."""


def output_entry_text(session: Session, entry: OutputEntry) -> str:
    """Returns one entry: `[12] line 5, train.py:68, callback 0: [1., 2.]`."""
    grid = session.cursor.grid
    process = [] if grid.is_alone else [grid.shape.label(entry.process)]
    line = [] if entry.point.position is None else [f"line {entry.point.position.line}"]
    python = entry.point.origin.line
    file = [] if python is None else [f"{name_text(os.path.basename(python.file))}:{python.line}"]
    return f"[{entry.position}] {', '.join((*process, *line, *file, entry.text))}"


def output_lines(session: Session) -> list[str]:
    """Returns what was printed on the way to here, an entry each, of more than MOST_SHOWN the last."""
    entries = [entry for entry in session.output if entry.position <= session.position]
    shown = [output_entry_text(session, entry) for entry in entries[-MOST_SHOWN:]]
    before = session.output.total - sum(1 for _ in session.output) + len(entries) - len(shown)
    return [f"{before} before", *shown] if before else shown


def output_text(session: Session) -> str:
    """Returns what was printed on the way to here."""
    return "\n".join(output_lines(session)) or "nothing was printed"
