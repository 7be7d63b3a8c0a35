"""What a Python notebook and its StableHLO cells share: arrays are values, programs are functions.

A name that a cell uses is looked up in Python. What Python has given a new meaning since a cell last saw it
takes the place of what the session knows by that name; otherwise the session's own stays.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any, Final

import numpy as np

from shlo.ir.dtypes import UnsupportedTypeError, element_type_for
from shlo.runner.errors import RequestError
from shlo.syntax.lexer.strings import symbol_text, unescape
from shlo.syntax.lexer.tokens import tokens
from shlo_kernel.cells.errors import cell_error
from shlo_kernel.cells.session import CellSession
from shlo_kernel.ipython.programs import is_program, text_of

ENTRY: Final = "main"
"""The function of a program that gets the name of its variable."""


class Sharing:
    """The variables of Python beside a session."""

    def __init__(self, session: CellSession, variables: MutableMapping[str, Any]) -> None:
        self.session = session
        self.variables = variables
        self._shared: dict[str, Any] = {}

    def give(self, text: str) -> None:
        """Gives the session the arrays and programs that a cell names. Raises CellError for a program that
        is none."""
        for kind, name in dict.fromkeys(_names(text)):
            value = self.variables.get(name)
            if value is None or self._shared.get(name) is value:
                continue
            if kind == "value" and _is_array(value):
                self.session.set_value(name, value)
            elif kind == "symbol" and is_program(value):
                define(self.session, name, text_of(value, located=True))
            else:
                continue
            self._shared[name] = value

    def keep(self, text: str) -> None:
        """Lets the names of a cell mean what the session says, until Python gives them another meaning."""
        for _, name in _names(text):
            self._shared[name] = self.variables.get(name)

    def take(self, name: str) -> None:
        """Makes a value of the session a variable of Python; a tuple of arrays where it has several. Raises
        RequestError where there is no such value."""
        found = [each.array for each in self.session.named(name)]
        if not found:
            raise RequestError(f"there is no value %{name}")
        arrays = [np.array(array) for array in found]
        self.variables[name] = self._shared[name] = arrays[0] if len(arrays) == 1 else tuple(arrays)


def define(session: CellSession, name: str, text: str) -> None:
    """Makes a program's `@main` a function of a session by another name, its other symbols `@name.symbol`.
    Raises CellError."""
    text = renamed(text, name)
    outcome = session.execute(text, f"@{name}")
    if not outcome.ok:
        raise cell_error(text, outcome.diagnostics, f"@{name}")


def renamed(text: str, name: str) -> str:
    """Returns a program's text in which all symbols have names of their own."""
    parts, done = list[str](), 0
    for token in tokens(text):
        if token.kind == "symbol":
            symbol = _symbol(token.text)
            new = name if symbol == ENTRY else f"{name}.{symbol}"
            parts += [text[done : token.span.start], symbol_text(new)]
            done = token.span.end
    return "".join((*parts, text[done:]))


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Yields the values and symbols that a text names, by their kind."""
    for token in tokens(text):
        if token.kind == "value":
            yield token.kind, token.text[1:].partition("#")[0]
        elif token.kind == "symbol":
            yield token.kind, _symbol(token.text)


def _symbol(text: str) -> str:
    return unescape(text[2:-1]) if text.startswith('@"') else text[1:]


def _is_array(value: Any) -> bool:
    """Returns whether a variable is an array that StableHLO has a type for."""
    if isinstance(value, type) or not hasattr(value, "dtype") or not hasattr(value, "__array__"):
        return False
    try:
        element_type_for(np.dtype(value.dtype))
    except (TypeError, UnsupportedTypeError):
        return False
    return True
