"""Programs that are wrong in one way each: what is reported first, and at which operation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from tests.conformance.suite import split
from tests.verifier.labels import PROGRAMS, VALID

_EXPECTED = re.compile(r"^[ \t]*// expect: (\S+)$", re.MULTILINE)


def expected_of(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yields the programs of a file, each with the code and the line of what is wrong with it."""
    for _, text in split(path.read_text()):
        match = _EXPECTED.search(text)
        assert match, f"a program of {path.name} does not say what is wrong with it"
        yield text, match[1], text.count("\n", 0, match.end()) + 2


@pytest.mark.parametrize("path", sorted(PROGRAMS.glob("*.mlir")), ids=lambda path: path.stem)
def test_programs_are_reported_first_under_their_label(path: Path) -> None:
    for text, code, line in expected_of(path):
        source = Source(text)
        findings = [each for each in findings_of(source)[1] if each.severity != "hint"]
        assert findings, f"nothing is wrong with the program for {code}"
        place = findings[0].operation or findings[0].span
        assert (findings[0].code, source.line_of(place.start)) == (code, line), findings[0].message


@pytest.mark.parametrize("text", [text for _, text in split(VALID.read_text())])
def test_nothing_is_wrong_with_valid_programs(text: str) -> None:
    assert findings_of(Source(text))[1] == []
