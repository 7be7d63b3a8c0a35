"""Writes what `shlo check` prints for each program of docs/mistakes.md below it.

python docs/generate_mistakes.py
"""

from __future__ import annotations

import re
from pathlib import Path

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from shlo.text.diagnostics import diagnostic_lines
from shlo.text.styled import plain_text

PAGE = Path(__file__).with_name("mistakes.md")
_PROGRAM = re.compile(r"```mlir\n(.*?)```\n(?:\n```text\n.*?```\n)?", re.DOTALL)


def page(text: str) -> str:
    """The page with the messages that belong to its programs."""
    return _PROGRAM.sub(_replayed, text)


def _replayed(match: re.Match[str]) -> str:
    return f"```mlir\n{match[1]}```\n\n```text\n{printed(match[1])}```\n"


def programs(text: str) -> list[str]:
    """The programs on the page."""
    return [match[1] for match in _PROGRAM.finditer(text)]


def printed(program: str) -> str:
    """What `shlo check` prints about a program."""
    source = Source(program, "program.mlir")
    lines = list(diagnostic_lines([(source, finding) for finding in findings_of(source)[1]]))
    return plain_text(lines) + "\n" if lines else ""


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8", newline="\n")
