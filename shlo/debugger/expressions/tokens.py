"""Tokens of expressions."""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Final, Literal, NamedTuple, NoReturn

from shlo.debugger.errors import DebuggerError

LONGEST: Final = 500
"""How many characters an expression may have."""

TokenKind = Literal["number", "name", "value", "operator", "end"]

_TOKEN = re.compile(
    r"\s*(?:"
    r"%(?P<value>[\w$.#-]+)"
    r"|(?P<number>0[xX][0-9a-fA-F]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)(?![\w$])"
    r"|(?P<name>[A-Za-z_$][\w$#]*)"
    r"|(?P<operator>\*\*|//|<=|>=|==|!=|[-+*/<>=()\[\],:.@&|~])"
    r"|(?P<end>\Z))",
    re.ASCII,
)
_METHOD = re.compile(r"\.[A-Za-z_]\w*\Z", re.ASCII)
_MISTAKES: Final = {"&&": "and", "||": "or", "!": "not", "=>": ">=", "=<": "<=", "<>": "!=", "^": "**"}
"""What other languages write, and what is meant."""


class Token(NamedTuple):
    """A token: its kind, its text (of a value without `%`), the offsets where it begins and ends."""

    kind: TokenKind
    text: str
    start: int
    end: int


def refuse(text: str, offset: int, message: str) -> NoReturn:
    """Raises DebuggerError for a mistake at an offset of an expression."""
    raise DebuggerError(f"{message}, at character {offset + 1} of {text!r}")


def tokens_of(text: str, names: Container[str] = ()) -> list[Token]:
    """Returns the tokens of a text; raises DebuggerError.

    In MLIR the name of a value may hold `.` and `-`. A name is the longest one that `names` (of the program)
    has; where there is none, it ends before `-` and before `.method(`.
    """
    if len(text) > LONGEST:
        raise DebuggerError(f"an expression has at most {LONGEST} characters, got {len(text)}")
    tokens: list[Token] = []
    at = 0
    while True:
        match = _TOKEN.match(text, at)
        if match is None:
            _refuse_character(text, at)
        kind = match.lastgroup
        start, end = match.span(kind or 0)
        if kind == "value":
            end = start + len(_value_name(match["value"], names, text[end : end + 1] == "("))
            tokens.append(Token("value", text[start:end], start - 1, end))
        elif kind in ("number", "name", "operator", "end"):
            if kind == "operator" and text[start : start + 2] in _MISTAKES:
                _refuse_character(text, start)
            tokens.append(Token(kind, text[start:end], start, end))
        if kind == "end":
            return tokens
        at = end


def _value_name(longest: str, names: Container[str], is_called: bool) -> str:
    """Returns the part of the characters behind `%` that is the name."""
    ends = [len(longest), *(match.start() for match in re.finditer(r"[.-]", longest))]
    for end in sorted(ends, reverse=True):
        if end and longest[:end] in names:
            return longest[:end]
    name = longest.partition("-")[0] or longest
    if is_called and name == longest:
        name = _METHOD.sub("", name) or name
    return name


def _refuse_character(text: str, at: int) -> NoReturn:
    at += len(text[at:]) - len(text[at:].lstrip())
    wrong = text[at : at + 2] if text[at : at + 2] in _MISTAKES else text[at : at + 1]
    suggested = _MISTAKES.get(wrong)
    refuse(text, at, f"unexpected {wrong!r}" + (f"; did you mean {suggested}?" if suggested else ""))
