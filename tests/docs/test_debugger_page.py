"""The sections of docs/debugger.md about commands and expressions say what is so."""

from __future__ import annotations

import re

from shlo.debugger.expressions.expression import read_expression
from shlo.debugger.expressions.functions import FUNCTIONS
from tests.docs.replay import ROOT, replayed

PAGE = (ROOT / "docs" / "debugger.md").read_text("utf-8")
SECTION = PAGE[PAGE.index("## Expressions") : PAGE.index("## Rounds of a loop")]


def test_commands_without_a_screen_print_what_is_shown(monkeypatch):
    monkeypatch.chdir(ROOT)
    section = PAGE[PAGE.index("## Commands") : PAGE.index("## Expressions")]
    page = f"$ shlo debug examples/diverging.mlir\n{section}"
    assert "(shlo) nonfinite nan" in page
    assert replayed(page) == page


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
