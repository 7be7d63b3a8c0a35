"""Whether a text that is being typed is finished, as a notebook asks on Enter."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from shlo.ir.source import Source
from shlo.syntax import parse_cell
from shlo.syntax.lexer.tokens import CLOSING, NAME, tokens

State = Literal["complete", "incomplete", "invalid"]
INDENT = "  "
VALUES_AT_END = re.compile(
    rf"^[ \t]*%{NAME}(?:\#[0-9]+)?(?:[ \t]*,[ \t]*%{NAME}(?:\#[0-9]+)?)*\s*\Z", re.MULTILINE | re.ASCII
)
"""A last line that only names values, as a notebook takes it to show them."""


class Completeness(Struct, frozen=True):
    """What a text is; where it is incomplete, the blanks that the next line starts with."""

    state: State
    indent: str = ""


def completeness(text: str) -> Completeness:
    """Returns whether a text can be carried out (it is complete, or wrong for good), or goes on on the next
    line.

    A text goes on where brackets are open, or where all that is wrong with it is that it ends. Names that a
    text uses and does not define are no mistake here: others may define them.
    """
    text = VALUES_AT_END.sub("", text)
    opened = open_brackets(text)
    if opened is None:
        return Completeness("invalid")
    if opened:
        return Completeness("incomplete", INDENT * opened.count("{"))
    end = len(text.rstrip())
    diagnostics = parse_cell(Source(text), {}).diagnostics
    undeclared = "use of undeclared value"
    wrong = [
        diagnostic
        for diagnostic in diagnostics
        if diagnostic.severity == "error" and not diagnostic.message.startswith(undeclared)
    ]
    if not wrong:
        return Completeness("complete")
    at_end = all(
        diagnostic.span.start >= end or text[diagnostic.span.start : end] == "," for diagnostic in wrong
    )
    return Completeness("incomplete", INDENT) if at_end else Completeness("invalid")


def open_brackets(text: str) -> list[str] | None:
    """Returns the brackets open at a text's end, outer ones first; None for one that none opened."""
    opened: list[str] = []
    for token in tokens(text):
        if token.kind != "mark":
            continue
        if token.text in CLOSING.values():
            opened.append(token.text)
        elif token.text in CLOSING and (not opened or opened.pop() != CLOSING[token.text]):
            return None
    return opened
