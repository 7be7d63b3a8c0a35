"""Arguments of requests, held against the protocol's types."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, Final, Literal, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

from shlo.debugger.errors import DebuggerError
from shlo.text.shortening import clipped

_NAMES: Final[dict[Any, str]] = {
    bool: "true or false", int: "a whole number", float: "a number", str: "a text", type(None): "null"
}  # fmt: skip
LONGEST: Final = 60
"""How many characters of a wrong value are shown."""


def check(value: Any, type_: Any, name: str = "") -> None:
    """Raises DebuggerError where a value read from JSON is not of a type; `name` is where it was found. Keys
    that a type does not have are passed over.
    """
    if is_typeddict(type_):
        _check_object(value, type_, name)
        return
    origin, parts = get_origin(type_), get_args(type_)
    if type_ is Any:
        return
    if origin is list:
        if not isinstance(value, list):
            raise _wrong("a list", value, name)
        for number, item in enumerate(cast("list[Any]", value)):
            check(item, parts[0], f"{name}[{number}]")
    elif origin is dict:
        if not isinstance(value, dict):
            raise _wrong("an object", value, name)
        for key, item in cast("dict[str, Any]", value).items():
            check(item, parts[1], f"{name}.{key}")
    elif origin is Literal:
        if value not in parts:
            raise _wrong(f"one of {', '.join(map(repr, parts))}", value, name)
    elif origin in (Union, types.UnionType):
        if not any(_is_plain(value, part) for part in parts):
            raise _wrong(" or ".join(_NAMES[part] for part in parts), value, name)
    elif not _is_plain(value, type_):
        raise _wrong(_NAMES[type_], value, name)


def _check_object(value: Any, type_: Any, name: str) -> None:
    if not isinstance(value, dict):
        raise _wrong("an object", value, name)
    members = cast("dict[str, Any]", value)
    for key in type_.__required_keys__:
        if key not in members:
            raise DebuggerError(f"expected {f'{name}.' if name else ''}{key}, got none")
    for key, hint in _hints(type_).items():
        if key in members:
            check(members[key], hint, f"{name}.{key}" if name else key)


@cache
def _hints(type_: Any) -> dict[str, Any]:
    return get_type_hints(type_)


def _is_plain(value: Any, type_: Any) -> bool:
    if isinstance(value, bool):
        return type_ is bool
    return isinstance(value, (int, float) if type_ is float else type_)


def _wrong(expected: str, value: Any, name: str) -> DebuggerError:
    shown = clipped(repr(value), LONGEST)
    return DebuggerError(f"expected {expected}{f' as {name}' if name else ''}, got {shown}")
