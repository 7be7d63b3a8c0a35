"""Texts that hold several programs: a line `// -----` is between two of them, as in the MLIR tools."""

from __future__ import annotations

import re

from shlo.ir.source import Span

SEPARATOR = re.compile(r"^// -----[ \t\r]*$", re.MULTILINE)


def part_spans(text: str) -> list[Span]:
    """Returns where the programs of a text are, without the lines between them; one at least."""
    if "\n// -----" not in text and not text.startswith("// -----"):
        return [Span(0, len(text))]  # the ordinary case, told quickly
    spans: list[Span] = []
    start = 0
    for line in SEPARATOR.finditer(text):
        spans.append(Span(start, line.start()))
        start = line.end()
    return [*spans, Span(start, len(text))]
