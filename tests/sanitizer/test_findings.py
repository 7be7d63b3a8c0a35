"""Each finding: a program that makes it, one that nearly does."""

from __future__ import annotations

import pytest

import shlo
from shlo.interpreter import RunOptions
from shlo.sanitizer.findings import Findings
from shlo.sanitizer.report import element_text
from shlo.sanitizer.run import Sanitizer
from shlo.sanitizer.selection import Selection
from shlo.sanitizer.table import NAMES
from tests.sanitizer.programs import CASES, Case, module

ON_REQUEST = {"nan", "infinity"}


def found_in(text: str, *arguments: object, selection: str = "", **options: object) -> Findings:
    """Returns the findings of a run."""
    sanitizer = Sanitizer(Selection.of(selection))
    sanitizer.execute(shlo.parse(text), arguments, RunOptions.of(options))
    return sanitizer.findings


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_finding_is_made_and_what_is_near_it_is_not(case: Case) -> None:
    found = {finding.check.name: finding for finding in found_in(module(case.makes))}
    assert set(found) == {case.name}
    if case.element:
        assert element_text(found[case.name].worst[0]) == case.element
    assert not found_in(module(case.spares))


def test_every_finding_has_a_case() -> None:
    assert {case.name for case in CASES} == set(NAMES) - ON_REQUEST - {"groups"}
