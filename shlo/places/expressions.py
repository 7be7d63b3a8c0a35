"""Expressions of Python at the lines that operations came from: their text, and what they call."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from shlo.places.origins import SourceLine
from shlo.places.python_files import parse_python
from shlo.text.shortening import clipped

LONGEST_TEXT: Final = 80
"""How many characters of an expression are shown."""


class PythonExpression(Struct, frozen=True):
    """An expression: its text in one line, and that of the function that it calls (`jnp.log`), or its
    operator (`/`); empty where it is neither a call nor an operation.
    """

    text: str
    function: str = ""

    @property
    def subject(self) -> str:
        """What a sentence about it begins with: the function, or the whole expression."""
        return self.function if self.function[-1:].isidentifier() else self.text


_OPERATORS: Final[dict[type[ast.AST], str]] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.USub: "-",
}


def expression_at(lines: Sequence[str] | None, line: SourceLine | None) -> PythonExpression | None:
    """Returns the expression that a line of a file means, None where that is not known: the location has no
    end, or the file is another one by now.

    Args:
        lines: the file's.
        line: the line with its end; columns count bytes from 0, as JAX and `ast` do.
    """
    if not lines or line is None or not line.end_line:
        return None
    file = parse_python(lines)
    place = line.line, line.column, line.end_line, line.end_column
    node = file.expressions.get(place) if file else None
    return None if node is None else PythonExpression(_text(node), _function(node))


def _text(node: ast.expr) -> str:
    return clipped(ast.unparse(node), LONGEST_TEXT)


def _function(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _text(node.func)
    if isinstance(node, (ast.BinOp, ast.UnaryOp)):
        return _OPERATORS.get(type(node.op), "")
    return ""
