"""Brackets in the bodies of dialects' types and attributes, of which MLIR only says that they balance."""

from __future__ import annotations

import re
from typing import Final

from shlo.ir.source import Span
from shlo.syntax.lexer.cursor import Cursor, SyntaxFault
from shlo.syntax.lexer.strings import LITERAL, literal_value
from shlo.syntax.lexer.tokens import CLOSING, STRING

_OPENING: Final = {opening: closing for closing, opening in CLOSING.items()}
_STEP: Final = re.compile(rf"{STRING}|->|[<\[{{(>\]}})\0]")


def balanced_end(cursor: Cursor, start: int) -> int:
    """Returns the offset behind the bracket that closes the one at `start`, past strings and arrows."""
    open_brackets: list[tuple[str, int]] = []
    for match in _STEP.finditer(cursor.text, start):
        token, at = match[0], match.start()
        if token[0] == '"':
            literal = LITERAL.match(token)
            if literal is None or literal_value(literal) is None or "\0" in token:
                cursor.fail("the string has no end on its line, or a bad escape in it", Span(at, at + 1))
        elif token in _OPENING:
            open_brackets.append((_OPENING[token], at))
        elif token == "\0":
            break
        elif len(token) == 1 and open_brackets.pop()[0] != token:
            cursor.fail(f"'{token}' closes a bracket of another kind", Span(at, at + 1))
        if not open_brackets:
            return match.end()
    return cursor.unclosed(open_brackets[-1][1] if open_brackets else start)


def is_balanced(text: str) -> bool:
    """Returns whether a text's last character closes the bracket at its start, all between balancing."""
    try:
        return balanced_end(Cursor(text), 0) == len(text)
    except SyntaxFault:
        return False
