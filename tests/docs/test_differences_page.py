"""docs/differences.md is up to date, and shlo and the MLIR tools do what it says."""

from __future__ import annotations

import pytest

from docs.differences.difference import Difference
from docs.differences.topics import TOPICS
from docs.generate_differences import PAGE, page
from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from tests.oracle import JAXLIB, Oracle

EXAMPLES = [row for topic in TOPICS for row in topic.differences if row.example]


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python docs/generate_differences.py writes it"


@pytest.mark.parametrize("row", EXAMPLES, ids=[row.subject for row in EXAMPLES])
def test_example_shows_the_difference(oracle: Oracle, row: Difference) -> None:
    found = [f"{finding.severity} {finding.code}" for finding in findings_of(Source(row.example))[1]]
    assert (found[:1] or [""]) == [row.finding]
    is_past = row.until != "" and tuple(map(int, row.until.split("."))) <= JAXLIB
    accepted = not row.finding.startswith("error") if is_past else row.accepted
    assert oracle.accepts(row.example).accepted == accepted
