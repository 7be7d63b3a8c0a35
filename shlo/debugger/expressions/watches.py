"""Watches: expressions that are shown wherever a session stops; reading and evaluating expressions."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple

from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.environment import Outward, Scope
from shlo.debugger.expressions.expression import Expression, Template, read_expression, read_template
from shlo.debugger.expressions.nodes import ValueRef
from shlo.debugger.inspect.listing import Listing, unknown_value
from shlo.debugger.inspect.python_values import binds
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.scope import read_only
from shlo.debugger.replay.program_points import value_name
from shlo.debugger.tensors.summaries import Summaries
from shlo.places.names import PythonName, python_path
from shlo.places.place import short_line_text

MOST_PARTS: Final = 4
"""How many values a message lists that begin with a name."""


class Evaluation(NamedTuple):
    """What an expression is, which of its values were found in functions around, and which values its names
    of Python are.
    """

    expression: Expression
    value: Any
    outward: tuple[Outward, ...]
    python: tuple[PythonName, ...] = ()


class Watch(Struct, frozen=True):
    """An expression that is shown wherever the session stops, with its number."""

    number: int
    expression: Expression


class ExpressionReader:
    """Reads expressions about the values of programs, and finds the functions that they are about."""

    def __init__(self, run: SessionRun) -> None:
        self._run = run

    @cached_property
    def _names(self) -> set[str]:
        return set[str]().union(*(listing.value_names for listing in self._listings))

    @property
    def _listings(self) -> list[Listing]:
        return [self._run.listing_of(module) for module in self._run.modules]

    def expression(self, text: str, subject: Expression | None = None) -> Expression:
        """Returns the expression of a text; short forms without a value are about the subject. Raises
        DebuggerError, also for a value that no program has.
        """
        expression = read_expression(text, subject, self._names, self._run.python_names)
        self._check(expression)
        return expression

    def python_value(self, name: str) -> PythonName | None:
        """Returns the value of a name of the Python source; None for none. Raises DebuggerError where the
        name has several values, or it is not known which one.
        """
        names, path = self._run.python_names, python_path(name)
        if path in names.unknown:
            self.expression(path)  # refuses it
        values = names.values_of(path)
        if len({(value.function, value.value) for value in values}) > 1:
            raise DebuggerError(f"{path} is {len(values)} values: {', '.join(map(self._place, values))}")
        return values[0] if values else None

    def _place(self, name: PythonName) -> str:
        code = next(code for code in self._run.listing.code if binds(code, name))
        where = f" at {short_line_text(name.line)}" if name.line else ""
        return f"%{value_name(code, name.value)}{where}"

    def template(self, text: str) -> Template:
        """Returns a text with expressions in braces."""
        template = read_template(text, self._names, self._run.python_names)
        for expression in template.expressions:
            self._check(expression)
        return template

    def function(self, expression: Expression, here: str | None) -> str:
        """Returns the function whose values an expression is about: the one `here` where that binds them,
        else the only one that does.
        """
        local = [ref for ref in expression.refs if not ref.outer and ref.process is None]
        names = {ref.name for ref in local if not ref.python}
        in_python = [{name.function for name in ref.python} for ref in local if ref.python]
        bound: dict[str, set[str]] = {}
        for listing in self._listings:
            for code in listing.code:
                names_bound = bound.setdefault(code.function.name, set())
                names_bound.update(value_name(code, register) for register in code.defined_at)
        functions = [
            function
            for function, names_bound in bound.items()
            if names <= names_bound and all(function in of_name for of_name in in_python)
        ]
        if here is not None and (here in functions or len(functions) != 1):
            return here
        if len(functions) != 1:
            raise DebuggerError(f"{len(functions)} functions have values of these names: go to the one meant")
        return functions[0]

    def _check(self, expression: Expression) -> None:
        for name in expression.names - self._names:
            inside = [path for path in self._run.python_names if path.startswith((f"{name}[", f"{name}."))]
            hint = f"its parts are {', '.join(inside[:MOST_PARTS])}" if inside else ""
            raise unknown_value(name, self._names, hint)


class Watches:
    """The watches of a session. Iterating yields them in the order in which they were added."""

    def __init__(self, run: SessionRun, reader: ExpressionReader, summaries: Summaries) -> None:
        self._run = run
        self._cursor = run.cursor
        self._reader = reader
        self._summaries = summaries
        self._all: list[Watch] = []
        self._next = 1

    def __iter__(self) -> Iterator[Watch]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)

    def add(self, text: str) -> Watch:
        """Shows an expression from now on; one that is shown already is returned as it is."""
        expression = self._reader.expression(text)
        for watch in self._all:
            if watch.expression == expression:
                return watch
        self._all.append(Watch(self._next, expression))
        self._next += 1
        return self._all[-1]

    def remove(self, text: str) -> Watch:
        """Shows an expression no more, told by its number or text; raises DebuggerError for none."""
        for watch in self._all:
            if text.isdigit() and watch.number == int(text):
                break
        else:
            expression = self._reader.expression(text)
            watch = next((watch for watch in self._all if watch.expression == expression), None)
            if watch is None:
                raise DebuggerError(f"{expression} is not displayed")
        self._all.remove(watch)
        return watch

    def evaluate(self, text: str, frame: int = -1) -> Evaluation:
        """Returns the value of an expression (see docs/debugger.md) in a frame: an array that cannot be
        written to, a number, a truth value, a token or a tuple. Raises DebuggerError where it has none.
        """
        with self._run.command():
            expression, scope = self._reader.expression(text), Scope(self._cursor, frame, suggests=True)
            value = read_only(expression.evaluate(scope))
            return Evaluation(
                expression, value, tuple(dict.fromkeys(scope.outward)), tuple(dict.fromkeys(scope.python))
            )

    def summary(self, watch: Watch, frame: int = -1) -> str | None:
        """Returns a watch's value in one line; None for one that was dropped for want of memory, which is not
        computed for this. Raises DebuggerError where it has none, as where it is not in scope.
        """
        expression = watch.expression
        scope = Scope(self._cursor, frame)
        if isinstance(expression.node, ValueRef) and not (expression.node.back or expression.node.process):
            bound = scope.find(expression.node)
            value = bound.frame.registers[bound.register]
            return None if value is None else self._summaries.of(value)
        return self._summaries.of(expression.evaluate(scope))
