"""Writes docs/differences.md: where the specification, the MLIR tools, XLA and shlo part.

python docs/generate_differences.py
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from shlo.dialects.differences import TOPICS, Topic

PAGE = Path(__file__).with_name("differences.md")

INTRODUCTION = """# Differences

Where the StableHLO specification, the MLIR tools, XLA and shlo part, what shlo does, and why.

`python docs/generate_differences.py` writes this page from the tables in `shlo/dialects/differences.py`.
"""
HEAD = ("subject", "specification", "MLIR tools and XLA", "shlo", "reason")


def page() -> str:
    """The page as it should be."""
    return "\n".join([INTRODUCTION, *map(section, TOPICS)])


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
