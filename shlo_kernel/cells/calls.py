"""Calls of the session's functions as one writes them: `@f(%x, 2.0, x.npy, random)`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from shlo.ir.operations import Function, Module
from shlo.ir.types import RankedTensorType, TokenType, Type
from shlo.runner.arguments.call import Parameter, entry_function, parameters_of, read_argument
from shlo.runner.arguments.grid import whole_types
from shlo.runner.errors import RequestError, quoted
from shlo.syntax.lexer.strings import unescape
from shlo.syntax.lexer.tokens import STRING
from shlo.text.numbers import plural
from shlo_kernel.cells.session import CellSession

_CALL: Final = re.compile(
    rf"@(?P<name>{STRING}|[A-Za-z_][\w$.:]*)\s*(?:\((?P<arguments>.*)\))?\s*\Z", re.ASCII | re.DOTALL
)
_ASSIGNMENT: Final = re.compile(r"(?P<names>%[\w$.-]+(?:\s*,\s*%[\w$.-]+)*)\s*=(?P<call>.*)\Z", re.DOTALL)
_RANDOM: Final = re.compile(r"random(?:\s*\(?\s*(?P<seed>\d{1,18})\s*\)?)?\Z", re.ASCII)
_OPENING, _CLOSING = "([<{", ")]>}"


@dataclass(frozen=True, slots=True)
class Call:
    """A function of a program with its arguments."""

    module: Module
    function: Function
    arguments: list[Any]


def read_names(text: str) -> tuple[list[str], str]:
    """Returns the names in front of a call, without `%`, none where there are none, and the call: `%x, %y
    = @f`."""
    match = _ASSIGNMENT.match(text.strip())
    if match is None:
        return [], text
    return [name.strip().removeprefix("%") for name in match["names"].split(",")], match["call"]


def check_names(names: Sequence[str], function: str, count: int) -> None:
    """Raises RequestError where a function has another number of results than there are names for them."""
    if names and len(names) != count:
        raise RequestError(f"@{function} gives {plural(count, 'result')}, {len(names)} names are given")


def read_call(
    session: CellSession, text: str, splits: Mapping[int, int] | None = None, count: int = 1
) -> Call:
    """Returns the call that a text says; raises RequestError. `splits` are arguments that are given for
    `count` processes together, with the dimension along which they will be split.
    """
    match = _CALL.match(text.strip())
    if match is None:
        raise RequestError(f"{quoted(text)} is no call" if text else "a call is missing", "write @f(%x, 2.0)")
    name = match["name"]
    name = unescape(name[1:-1]) if name.startswith('"') else name
    function = entry_function(session.module, name)
    texts = list(split_arguments(match["arguments"] or ""))
    types = whole_types(function, splits or {}, count)
    parameters = [replace(each, type=types[each.index]) for each in parameters_of(function)]
    if len(texts) != len(parameters):
        wanted = ", ".join(f"%{each.name}: {each.type}" for each in parameters) or "no arguments"
        takes = plural(len(parameters), "argument", "no")
        raise RequestError(f"@{name} takes {takes}, {len(texts)} given", wanted)
    arguments = [read_value(session, parameter, each) for parameter, each in zip(parameters, texts)]
    return Call(session.module, function, arguments)


def read_value(session: CellSession, parameter: Parameter, text: str) -> Any:
    """Returns an argument from what the user wrote: a value of the session, `random`, `zeros`, an array file
    or a literal; raises RequestError."""
    if text.startswith("%"):
        return _value_of(session, parameter.type, text)
    if isinstance(parameter.type, TokenType):
        return None
    random = _RANDOM.match(text)
    if random or text == "zeros":
        return _generated(parameter, int(random["seed"] or 0) if random else None)
    return read_argument(parameter, text)


def _value_of(session: CellSession, type_: Type | None, text: str) -> Any:
    """Returns a value of the session, which must be of a type where one is given."""
    from shlo.interpreter.kernel_api import KernelError
    from shlo.interpreter.runtime.marshal import marshal_argument

    found = session.named(text[1:])
    if not found:
        raise RequestError(f"there is no value {quoted(text)}")
    if type_ is None:
        return found[0].array
    try:
        return marshal_argument(found[0].array, type_, text)
    except KernelError as error:
        raise RequestError(str(error)) from None


def _generated(parameter: Parameter, seed: int | None) -> Any:
    """Random numbers that depend on a seed and the argument's place; zeros without a seed."""
    import numpy as np

    from shlo.runner.arguments import generated

    type_ = parameter.type
    if not isinstance(type_, RankedTensorType):
        raise RequestError(f"{parameter.label} has type {type_}; only tensors can be made up")
    if seed is None:
        return generated.zeros(type_, parameter.label)
    return generated.random(type_, parameter.label, np.random.default_rng([seed, parameter.index]))


def split_arguments(text: str) -> Iterator[str]:
    """Yields what commas separate that are in no brackets and in no string."""
    start, depth, in_string = 0, 0, False
    for at, character in enumerate(text):
        if character == '"':
            in_string = not in_string
        elif in_string:
            continue
        elif character == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
        else:
            depth += (character in _OPENING) - (character in _CLOSING)
    if text.strip():
        yield text[start:].strip()
