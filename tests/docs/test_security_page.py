"""SECURITY.md has the limits that the code has, and for each promise the tests that hold it."""

from __future__ import annotations

import ast
import re
from functools import cache
from typing import Final

from shlo.interpreter.engine.control_flow import FRAME_LIMIT
from shlo.interpreter.topology.groups import MOST_PROCESSES
from shlo.ir.recursion import MAX_DEPTH
from shlo.syntax.dense.parse import MAX_RANK
from shlo.syntax.lexer.cursor import MAX_EXPANSION, MAX_RATIO, MAX_TOTAL_EXPANSION
from shlo.syntax.numbers.parse import MAX_DIGITS
from shlo_bytecode.exported.flatbuffers import DEEPEST
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


_TEST: Final = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_each_promise_names_tests_that_there_are() -> None:
    promises = _promises()
    assert len(promises) > 15
    for promise in promises:
        text, _, held_by = promise.partition(" Held by ")
        named = _TEST.findall(held_by)
        assert named, text
        assert [f"{path}::{name}" for path, name in named if name not in _tests_of(path)] == [], text


def _promises() -> list[str]:
    """Returns the items of the section on promises, each in one line."""
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    section = page.partition("## What shlo promises\n")[2].partition("\n## ")[0]
    items = re.findall(r"^- (.+(?:\n  .+)*)", section, re.MULTILINE)
    return [re.sub(r"\n +", " ", item) for item in items]


@cache
def _tests_of(path: str) -> set[str]:
    tree = ast.parse((ROOT / path).read_text("utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}
