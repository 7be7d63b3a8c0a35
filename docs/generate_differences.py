"""Writes docs/differences.md: where the specification, the MLIR tools, XLA and shlo part.

python docs/generate_differences.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from docs.differences.difference import Topic
from docs.differences.topics import TOPICS
from shlo.interpreter.semantics import DEPARTURES, Departure

PAGE = Path(__file__).with_name("differences.md")

INTRODUCTION = """# Differences

Where the StableHLO specification, the MLIR tools, XLA and shlo part, what shlo does, and why.

`python docs/generate_differences.py` writes this page from the tables in `docs/differences`
and `shlo/interpreter/semantics.py`.
"""
VALUES = """## Values: where XLA departs from the specification

`--semantics xla` of `shlo run`, `test`, `debug` and `fold`, `%semantics xla` in notebooks and
`shlo.run(..., semantics="xla")` do as XLA here; the default, `spec`, as the specification.
"""
UNFOLLOWED = """Here XLA is not followed:
"""
HEAD = ("subject", "specification", "MLIR tools and XLA", "shlo", "reason")


def page() -> str:
    """The page as it should be."""
    return "\n".join([INTRODUCTION, values(), *map(section, TOPICS)])


def values() -> str:
    """The values in which XLA departs from the specification."""
    followed = [row for row in DEPARTURES if row.kernels]
    others = [row for row in DEPARTURES if not row.kernels]
    head = ("name", "operations", "specification", "XLA on CPU")
    parts = [
        VALUES,
        table(head, map(_cells, followed)),
        UNFOLLOWED,
        table((*head, "reason"), [(*_cells(row), row.reason) for row in others]),
    ]
    return "\n".join(parts)


def _cells(row: Departure) -> tuple[str, ...]:
    operations = (f"`{name}`" if " " not in name else name for name in row.operations)
    return f"`{row.name}`", ", ".join(operations), row.specification, row.xla


def section(topic: Topic) -> str:
    """A topic's title, introduction and table."""
    rows = [(row.subject, row.specification, row.tools, row.shlo, row.reason) for row in topic.differences]
    return f"## {topic.title}\n\n{topic.introduction}\n\n{table(HEAD, rows)}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
