"""Magics about the session's values: `%input`, `%who`, `%reset`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final, cast

from shlo.ir.array_files import ArrayHeader, read_npy
from shlo.ir.diagnostics import ParseError
from shlo.ir.dtypes import UnsupportedTypeError, element_type_for
from shlo.ir.types import RankedTensorType, Type
from shlo.runner.arguments.call import Parameter
from shlo.runner.equality import tensor_of
from shlo.runner.errors import RequestError, quoted
from shlo.syntax import parse_type
from shlo.syntax.lexer.strings import readable_symbol
from shlo.syntax.lexer.tokens import NAME
from shlo.text.numbers import byte_size
from shlo_kernel.cells.calls import read_value
from shlo_kernel.cells.definitions import headline
from shlo_kernel.cells.session import own_type
from shlo_kernel.magics.magic import Magic
from shlo_kernel.mime.bundle import CellValue, mime_of

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession

_INPUT: Final = re.compile(
    rf"%?(?P<name>{NAME})\s*=\s*(?P<source>.*?)(?:\s*:\s*(?P<type>(?:tensor\s*<|[!#]).*))?\Z",
    re.ASCII | re.DOTALL,
)

LISTED: Final = 8
"""Up to how many results of one op are listed one by one."""


def _input(notebook: NotebookSession, argument: str, body: str | None) -> None:
    match = _INPUT.match(argument.strip())
    if not argument.strip():
        raise RequestError("a name and a value are missing", f"write %input {_USAGE}")
    if match is None or not match["source"]:
        raise RequestError(f"expected %NAME = VALUE, got {quoted(argument)}", f"write %input {_USAGE}")
    source = match["source"]
    if match["type"] is None and source.lower().endswith(".npy"):
        array = read_npy(source, lambda header: check_elements(header, source))
        type_: Type = own_type(array)
    else:
        type_ = _type(match["type"], match["name"], source)
        array = read_value(notebook.session, Parameter(0, match["name"], type_), source)
    notebook.session.set_value(match["name"], array, type_)
    notebook.screen.show_result(mime_of(match["name"], type_, array))


def _type(text: str | None, name: str, source: str) -> RankedTensorType:
    if text is None:
        likely = f"write %input %{name} = {source} : {_likely_type(source)}"
        raise RequestError(f"the type of {quoted(source)} is missing", likely)
    try:
        type_ = parse_type(text)
    except ParseError as error:
        raise RequestError(f"{quoted(text)} is no type: {error.diagnostics[0].message}") from None
    if not isinstance(type_, RankedTensorType):
        raise RequestError(f"{type_} is no tensor type")
    return type_


def _likely_type(source: str) -> RankedTensorType:
    """Returns the type that a literal may be meant to have: f32 or i32, with the shape of its lists."""
    shape: list[int] = []
    rest = source.strip()
    with suppress(ValueError, RecursionError):
        value: Any = json.loads(rest)
        while isinstance(value, list):
            values = cast("list[Any]", value)
            shape.append(len(values))
            value = values[0] if values else 0.0
        return RankedTensorType(tuple(shape), parse_type("i32" if type(value) is int else "f32"))
    return RankedTensorType((2, 3), parse_type("f32"))


def check_elements(header: ArrayHeader, path: str) -> None:
    """Raises RequestError where no tensor holds elements like those of an array file."""
    try:
        element_type_for(header.dtype)
    except UnsupportedTypeError as error:
        raise RequestError(f"{path}: {error}") from None


def _who(notebook: NotebookSession, argument: str, body: str | None) -> None:
    groups = groupby(notebook.session.values.items(), lambda item: item[0].partition("#")[0])
    rows = [row for name, members in groups for row in _rows(name, dict(members))]
    definitions = notebook.session.state.definitions
    for name in definitions.names:
        operation = definitions.signature(name)
        assert operation is not None
        written = readable_symbol(name)
        rows.append((written, headline(name, operation).removeprefix(written).removeprefix(" : "), ""))
    if not rows:
        rows = [("nothing has been defined yet", "", "")]
    width = max(len(name) for name, _, _ in rows)
    lines = (f"{name:{width}}  {type_}  {size}".rstrip() for name, type_, size in rows)
    notebook.screen.write("\n".join(lines) + "\n")


def _rows(name: str, members: dict[str, CellValue]) -> Iterator[tuple[str, str, str]]:
    """Yields the name, type and size of a value; many results of one op and one type share a line."""
    types = {str(value.type) for value in members.values()}
    if len(members) > LISTED and len(types) == 1:
        size = sum(_bytes(value.array) for value in members.values())
        yield f"%{name}:{len(members)}", types.pop(), byte_size(size)
        return
    for member, value in members.items():
        yield f"%{member}", str(value.type), byte_size(_bytes(value.array))


def _bytes(value: Any) -> int:
    if isinstance(value, tuple):
        return sum(map(_bytes, cast("tuple[Any, ...]", value)))
    array = tensor_of(value)
    return 0 if array is None else array.nbytes


_USAGE: Final = "%x = random : tensor<2x3xf32>"
VALUES: Final = (
    Magic(
        "input",
        _USAGE,
        "name a value: random, random 7, zeros, x.npy, [1.0, 2.0], dense<1>",
        _input,
        words=lambda: ("random", "zeros"),
        defines="named",
    ),
    Magic("who", "", "which values and functions there are", _who),
    Magic(
        "reset",
        "",
        "forget all values and functions, and the variables of Python",
        lambda notebook, argument, body: notebook.forget(),
        defines="anything",
    ),
)
