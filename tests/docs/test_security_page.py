"""SECURITY.md has the limits that the code has."""

from __future__ import annotations

from shlo.interpreter.engine.control_flow import FRAME_LIMIT
from shlo.interpreter.topology.groups import MOST_PROCESSES
from shlo.ir.recursion import MAX_DEPTH
from shlo.syntax.dense.parse import MAX_RANK
from shlo.syntax.lexer.cursor import MAX_EXPANSION, MAX_RATIO, MAX_TOTAL_EXPANSION
from shlo.syntax.numbers.parse import MAX_DIGITS
from shlo_bytecode.exported.pytrees import DEEPEST
from shlo_bytecode.reader.entries import MAX_PARTS

from .replay import ROOT

LIMITS = {
    "levels of regions": MAX_DEPTH,
    "containers in one another": DEEPEST,
    "aliases add to an operation": MAX_EXPANSION,
    "aliases add to a text": MAX_TOTAL_EXPANSION,
    "times the text": MAX_RATIO,
    "digits of an integer": MAX_DIGITS,
    "dimensions of a constant": MAX_RANK,
    "parts of an attribute": MAX_PARTS,
    "frames of calls": FRAME_LIMIT,
    "processes of a grid": MOST_PROCESSES,
}


def test_the_table_has_the_limits_of_the_code() -> None:
    text = (ROOT / "SECURITY.md").read_text("utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    for what, limit in LIMITS.items():
        (row,) = [line for line in rows if what in line]
        assert f" {limit:,} " in row
