"""The section of docs/debugger.md about expressions says what is so."""

from __future__ import annotations

import re

from shlo.debugger.expressions.expression import read_expression
from shlo.debugger.expressions.functions import FUNCTIONS
from tests.docs.replay import ROOT, replayed

PAGE = (ROOT / "docs" / "debugger.md").read_text("utf-8")
SECTION = PAGE[PAGE.index("## Expressions") : PAGE.index("## Rounds of a loop")]


def test_the_conversation_is_what_the_debugger_answers(monkeypatch):
    monkeypatch.chdir(ROOT)
    assert replayed(SECTION) == SECTION


def test_the_expressions_of_the_table_can_be_read():
    table = SECTION[: SECTION.index("Functions:")]
    for row in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE):
        for text in re.findall(r"`([^`]*)`", row):
            if text not in ("and", "or", "not"):
                read_expression(text)


def test_all_functions_are_listed():
    listed = SECTION[SECTION.index("Functions:") : SECTION.index("Arithmetic is")]
    assert set(re.findall(r"`(\w+)`", listed)) - {"axis"} == set(FUNCTIONS)
