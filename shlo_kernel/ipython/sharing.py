"""What a Python notebook and its StableHLO cells share: arrays and numbers are values, programs are
functions.

A name that a cell uses is looked up in Python. What Python has given a new meaning since a cell last saw it
takes the place of what the session knows by that name; otherwise the session's own stays.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any

import numpy as np

from shlo.jax_programs.kinds import is_program
from shlo.jax_programs.leaves import array_in
from shlo.jax_programs.program import program_of
from shlo.runner.errors import RequestError
from shlo.syntax.lexer.strings import symbol_value
from shlo.syntax.lexer.tokens import tokens
from shlo_kernel.cells.errors import cell_error
from shlo_kernel.cells.session import CellSession, Naming


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
            array = array_in(value) if kind == "value" else None
            if array is not None:
                self.session.set_value(name, array)
            elif kind == "symbol" and is_program(value):
                define(self.session, name, program_of(value).text)
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
        shared = [value.array for value in self.session.named(name)]
        if not shared:
            raise RequestError(f"there is no value %{name}")
        arrays = [np.array(array) for array in shared]
        self.variables[name] = self._shared[name] = arrays[0] if len(arrays) == 1 else tuple(arrays)


def define(session: CellSession, name: str, text: str) -> None:
    """Makes a program a module of a session, whose name alone means its `@main`. Raises CellError."""
    outcome = session.execute(text, f"@{name}", Naming(module=name))
    if not outcome.ok:
        raise cell_error(text, outcome.diagnostics, f"@{name}")


def _names(text: str) -> Iterator[tuple[str, str]]:
    """Yields the values and symbols that a text names, by their kind."""
    for token in tokens(text):
        if token.kind == "value":
            yield token.kind, token.text[1:].partition("#")[0]
        elif token.kind == "symbol":
            yield token.kind, symbol_value(token.text).partition(".")[0]  # of `@lowered.relu` the program
