"""docs/mistakes.md shows what `shlo check` prints today, and each message says what it should."""

from __future__ import annotations

import re

import pytest

from docs.generate_mistakes import PAGE, page, printed, programs
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.source import Source
from shlo.runner.validity import findings_of

TEXT = PAGE.read_text(encoding="utf-8")
VALUE = re.compile(r"\[[^\]]*\]|tensor<[^>]*>|\b[A-Z]{3,}\b|%\w+|@\w+|\b\w+\.\w+\b|\b\d+\b")
RAW = ("does not hold", "is not true", "lambda", "<=")


def mistake(program: str) -> Diagnostic:
    """Returns the only error of a program."""
    (found,) = (each for each in findings_of(Source(program))[1] if each.severity == "error")
    return found


def test_messages_are_up_to_date() -> None:
    assert page(TEXT) == TEXT, "python docs/generate_mistakes.py writes them"


def test_there_are_twenty() -> None:
    assert len(programs(TEXT)) == 20


@pytest.mark.parametrize("program", programs(TEXT))
def test_a_message_names_the_constraint_two_values_and_what_mends_it(program: str) -> None:
    found, lines = mistake(program), printed(program).splitlines()
    assert found.code not in ("syntax", "type-mismatch")
    assert re.fullmatch(r"program\.mlir:\d+:\d+: error: .+ \[[\w.-]+\]", lines[0])
    assert not any(each in found.message for each in RAW)
    advice = [line for line in lines if line.startswith("help: ") or ": fix: " in line]
    assert len(set(VALUE.findall(f"{found.message} {advice}"))) > 1
    assert len(advice) == 1


@pytest.mark.parametrize("program", [each for each in programs(TEXT) if mistake(each).fix])
def test_a_fix_mends_its_mistake(program: str) -> None:
    found = mistake(program)
    assert found.fix
    (start, end), text = found.fix.span, found.fix.replacement
    after = findings_of(Source(program[:start] + text + program[end:]))[1]
    assert found.code not in {each.code for each in after}
