"""Compiled expressions: read once, evaluated at many places."""

from __future__ import annotations

import re
from collections.abc import Callable, Container
from typing import Any, Final, Protocol, cast

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.functions import (
    FUNCTIONS,
    arithmetic,
    array_of,
    compare,
    elementwise_logic,
    extreme_of_finite,
    invert,
    is_true,
    negate,
    number_of,
)
from shlo.debugger.expressions.nodes import RELATIONS, Round, ValueRef, expression_text, finite_argument
from shlo.debugger.expressions.parser import parse_expression
from shlo.places.names import NO_NAMES, PythonNames
from shlo.support.cancellation import checkpoint
from shlo.text.expressions import Binary, Call, Constant, Node, Slice, Subscript, Unary, walk

LONGEST_TEMPLATE: Final = 1000
"""How many characters the text of a log point may have."""


class Environment(Protocol):
    """What an expression is evaluated in. Both raise DebuggerError where there is no such thing."""

    def value(self, ref: ValueRef) -> Any:
        """Returns a value of the program."""
        ...

    def round(self, level: int) -> int:
        """Returns the round of a loop that is open, counted outward."""
        ...


Evaluate = Callable[[Environment], Any]


class Expression:
    """An expression. `str` of it is a text that is read as the same one; equal ones are the same text."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.text = expression_text(node)
        # now, and not where a program runs up to a breakpoint
        self._evaluate = _compile(node)
        parts = tuple(walk(node))
        self.refs = tuple(part for part in parts if isinstance(part, ValueRef))
        """The values that it uses."""
        self.names = frozenset(ref.name for ref in self.refs if not ref.python)
        """The names, in the program, of the values that it uses."""
        self.python = tuple(name for ref in self.refs for name in ref.python)
        """The values of the names of Python that it uses."""
        self.may_always_change = any(isinstance(part, Round) for part in parts) or any(
            ref.process is not None for ref in self.refs
        )
        """Whether it can change where none of its values is bound: it has rounds, or other processes."""

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def evaluate(self, environment: Environment) -> Any:
        """Returns its value; raises DebuggerError where it has none."""
        try:
            with np.errstate(all="ignore"):
                return self._evaluate(environment)
        except (ArithmeticError, MemoryError, ValueError, IndexError, TypeError) as error:
            raise DebuggerError(f"{self.text}: {' '.join(str(error).split())}") from None

    def holds(self, environment: Environment) -> bool:
        """Returns whether it is true: a number that is not 0, a tensor with any such element."""
        return is_true(self.evaluate(environment))


def read_expression(
    text: str,
    subject: Expression | None = None,
    names: Container[str] = (),
    python: PythonNames = NO_NAMES,
) -> Expression:
    """Returns the expression that a text states; raises DebuggerError. See `parse_expression`."""
    return Expression(parse_expression(text, None if subject is None else subject.node, names, python))


def value_expression(name: str) -> Expression:
    """Returns the expression that is a value."""
    return Expression(ValueRef(name.removeprefix("%")))


class Template(Struct, frozen=True):
    """A text with expressions in braces, as it is written and in parts."""

    text: str
    parts: tuple[str | Expression, ...]

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """The expressions in it."""
        return tuple(part for part in self.parts if isinstance(part, Expression))

    def render(self, environment: Environment, show: Callable[[Any], str]) -> str:
        """Returns the text with the values that expressions have, or why they have none."""
        return "".join(
            part if isinstance(part, str) else _rendered(part, environment, show) for part in self.parts
        )


def read_template(text: str, names: Container[str] = (), python: PythonNames = NO_NAMES) -> Template:
    """Returns a text with expressions in braces; `{{` and `}}` are braces. Raises DebuggerError."""
    if len(text) > LONGEST_TEMPLATE:
        raise DebuggerError(f"a text has at most {LONGEST_TEMPLATE} characters, got {len(text)}")
    parts: list[str | Expression] = []
    for piece in re.findall(r"\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+", text):
        if piece in ("{", "}"):
            raise DebuggerError(
                f"{piece!r} without the other brace in {text!r}; a brace is written {piece * 2}"
            )
        if piece.startswith("{") and len(piece) > 1 and piece != "{{":
            parts.append(read_expression(piece[1:-1], names=names, python=python))
        else:
            parts.append(piece[0] if piece in ("{{", "}}") else piece)
    return Template(text, tuple(parts))


def _rendered(expression: Expression, environment: Environment, show: Callable[[Any], str]) -> str:
    try:
        return show(expression.evaluate(environment))
    except DebuggerError as error:
        return f"<{error}>"


# --- compiling ---


def _compile(node: Node) -> Evaluate:
    """Returns a function that evaluates a tree."""
    match node:
        case Constant(value):
            return lambda environment: value
        case ValueRef():
            return lambda environment: environment.value(node)
        case Round(level):
            return lambda environment: environment.round(level)
        case Subscript():
            return _compile_index(node)
        case Call():
            return _compile_call(node)
        case Unary(operator, operand):
            inner = _compile(operand)
            if operator == "not":
                return lambda environment: not is_true(inner(environment))
            act = negate if operator == "-" else invert
            return lambda environment: act(inner(environment))
        case Binary():
            return _compile_binary(node)
        case _:
            raise AssertionError(node)


def _compile_binary(node: Binary) -> Evaluate:
    sign, left, right = node.operator, _compile(node.left), _compile(node.right)
    if sign == "and":
        return lambda environment: is_true(left(environment)) and is_true(right(environment))
    if sign == "or":
        return lambda environment: is_true(left(environment)) or is_true(right(environment))
    act = compare if sign in RELATIONS else elementwise_logic if sign in "&|" else arithmetic

    def evaluate(environment: Environment) -> Any:
        one, other = left(environment), right(environment)
        checkpoint()
        return act(sign, one, other)

    return evaluate


def _compile_call(node: Call) -> Evaluate:
    name = node.function
    if (measured := finite_argument(node)) is not None:
        inner = _compile(measured)
        return lambda environment: extreme_of_finite(name, inner(environment))
    act, arguments = FUNCTIONS[name].act, [_compile(argument) for argument in node.arguments]

    def evaluate(environment: Environment) -> Any:
        values = [argument(environment) for argument in arguments]
        checkpoint()
        return act(*values)

    return evaluate


def _compile_index(node: Subscript) -> Evaluate:
    base, items = _compile(node.value), [_compile_item(item) for item in node.index]

    def evaluate(environment: Environment) -> Any:
        value, index = base(environment), tuple([item(environment) for item in items])
        if isinstance(value, tuple) and len(index) == 1 and isinstance(index[0], int):
            parts = cast("tuple[Any, ...]", value)
            if not -len(parts) <= index[0] < len(parts):
                raise DebuggerError(f"there is no part {index[0]} of a tuple of {len(parts)}")
            return parts[index[0]]
        try:
            return np.asarray(array_of(value)[index])
        except IndexError as error:
            raise DebuggerError(str(error)) from None

    return evaluate


def _compile_item(item: Node) -> Evaluate:
    if not isinstance(item, Slice):
        inner = _compile(item)
        return lambda environment: _whole(inner(environment))
    bounds = [None if part is None else _compile(part) for part in (item.start, item.stop, item.step)]

    def evaluate(environment: Environment) -> slice:
        start, stop, step = [None if bound is None else _whole(bound(environment)) for bound in bounds]
        if step == 0:
            raise DebuggerError("a slice takes steps of 0")
        return slice(start, stop, step)

    return evaluate


def _whole(value: Any) -> int:
    """Returns an index."""
    number = None if isinstance(value, bool) else number_of(value)
    if not isinstance(number, int):
        raise DebuggerError("an index is a whole number")
    return number
