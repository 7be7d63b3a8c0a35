"""docs/mistakes.md shows what `shlo check` prints today, and each message says what it should."""

from __future__ import annotations

import re

import pytest

from docs.generate_mistakes import PAGE, page, printed, programs
from shlo.ir.source import Source
from shlo.runner.validity import findings_of

TEXT = PAGE.read_text(encoding="utf-8")


def test_messages_are_up_to_date() -> None:
    assert page(TEXT) == TEXT, "python docs/generate_mistakes.py writes them"


def test_there_are_twenty() -> None:
    assert len(programs(TEXT)) == 20


@pytest.mark.parametrize("program", programs(TEXT))
def test_one_mistake_gives_one_error_with_code_and_values(program: str) -> None:
    findings = [each for each in findings_of(Source(program))[1] if each.severity == "error"]
    assert [each.code != "syntax" for each in findings] == [True]
    first = printed(program).splitlines()[0]
    assert re.fullmatch(r"program\.mlir:\d+:\d+: error: .+ \[[\w.-]+\]", first)
