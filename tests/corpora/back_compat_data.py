"""Reads JAX's back-compatibility data: Python files whose literals are serialized programs with their inputs
and results.

The files are not trusted, so they are parsed and never run: a walker over their syntax trees knows constants,
sequences, `dict(...)`, arrays, dates and dtypes, and leaves out whatever else there is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

FOLDERS = ("export_back_compat_test_data", "back_compat_testdata", "export_back_compat_testdata")
"""Names that the data's folder has had."""

EXTENDED_DTYPES = ("bfloat16", "float8_e4m3fn", "float8_e5m2", "int4", "uint4")


@dataclass(frozen=True)
class Entry:
    """One serialized program. `key` is `path::variable.name`, the path from the folder of the data on."""

    key: str
    platform: str
    targets: tuple[str, ...]
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]
    program: bytes
    devices: int

    @property
    def identity(self) -> bytes:
        """Equal for entries that a later version of the data repeats."""
        return sha256(self.program + repr(self.outputs).encode()).digest()


def entries(checkout: Path) -> Iterator[Entry]:
    """Yields the entries of all files below `checkout`, each once."""
    seen = set[bytes]()
    for folder in sorted(path for name in FOLDERS for path in checkout.rglob(name)):
        for path in sorted(folder.rglob("*.py")):
            for entry in entries_of(path.read_text("utf-8"), path.relative_to(folder).as_posix()):
                if entry.identity not in seen:
                    seen.add(entry.identity)
                    yield entry


def entries_of(text: str, path: str) -> Iterator[Entry]:
    """Yields the entries of one file."""
    for name, value in assigned_values(text):
        yield from _nested_entries(f"{path}::{name}", value)


def assigned_values(text: str) -> Iterator[tuple[str, Any]]:
    """Yields the names that a file assigns literals to, with their values: `a["b"] = 1` assigns `a.b`."""
    for statement in ast.parse(text).body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            name = _target_name(statement.targets[0])
            try:
                value = evaluated(statement.value)
            except NotALiteral:
                continue
            if name:
                yield name, value


class NotALiteral(Exception):
    """An expression that is more than data."""


class _Dtype(NamedTuple):
    name: str


def evaluated(node: ast.expr) -> Any:
    """Returns the value of an expression of constants, sequences, dictionaries, arrays, dates and dtypes.

    Raises NotALiteral where it has other parts.
    """
    match node:
        case ast.Constant(value):
            return value
        case ast.Tuple(elements):
            return tuple(evaluated(element) for element in elements)
        case ast.List(elements):
            return [evaluated(element) for element in elements]
        case ast.Dict(keys, values):
            return {_known(key): evaluated(value) for key, value in zip(keys, values)}
        case ast.UnaryOp(ast.USub(), operand):
            return -_number(operand)
        case ast.UnaryOp(ast.UAdd(), operand):
            return _number(operand)
        case ast.BinOp(left, ast.Add(), right):
            return _number(left) + _number(right)
        case ast.BinOp(left, ast.Sub(), right):
            return _number(left) - _number(right)
        case ast.Name(("nan" | "inf") as name) | ast.Attribute(_, ("nan" | "inf") as name):
            return float(name)
        case ast.Name(name) | ast.Attribute(_, name):
            return _Dtype(name)
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), arguments, keywords):
            named = {keyword.arg or "": evaluated(keyword.value) for keyword in keywords}
            return _called(name, [evaluated(argument) for argument in arguments], named)
        case _:
            raise NotALiteral(type(node).__name__)


def _known(node: ast.expr | None) -> Any:
    if node is None:
        raise NotALiteral("a dictionary within a dictionary")
    return evaluated(node)


def _number(node: ast.expr) -> complex:
    value = evaluated(node)
    if not isinstance(value, (int, float, complex)):
        raise NotALiteral(f"arithmetic of {type(value).__name__}")
    return value


def _called(name: str, arguments: list[Any], named: dict[str, Any]) -> Any:
    match name, arguments:
        case "dict", []:
            return named
        case "date", [int(year), int(month), int(day)]:
            return date(year, month, day)
        case "array", [values]:
            return np.array(values, _dtype(named.get("dtype")))
        case "bytearray", [bytes(data)]:
            return data
        case "dtype", [value]:
            return value
        case _, [value] if isinstance(value, (int, float, complex)):
            return _dtype(_Dtype(name)).type(value)
        case _:
            raise NotALiteral(f"a call of {name}")


def _dtype(value: Any) -> Any:
    """Returns the dtype of a name; None for None, which leaves the choice to NumPy."""
    if value is None or isinstance(value, np.dtype):
        return value
    name = value.name if isinstance(value, _Dtype) else str(value)
    try:
        return np.dtype(getattr(ml_dtypes, name) if name in EXTENDED_DTYPES else name)
    except TypeError as error:
        raise NotALiteral(f"the dtype {name}") from error


def _target_name(node: ast.expr) -> str:
    match node:
        case ast.Name(name):
            return name
        case ast.Subscript(value, ast.Constant(str(key))):
            return f"{_target_name(value)}.{key}"
        case _:
            return ""


def _nested_entries(key: str, value: Any) -> Iterator[Entry]:
    if isinstance(value, dict) and isinstance(value.get("mlir_module_serialized"), bytes):
        yield Entry(
            key,
            str(value.get("platform", "")),
            tuple(value.get("custom_call_targets") or ()),
            tuple(value.get("inputs") or ()),
            _outputs(value.get("expected_outputs")),
            value["mlir_module_serialized"],
            int(value.get("nr_devices", 1)),
        )
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _nested_entries(f"{key}.{name}", inner)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _nested_entries(f"{key}.{number}", inner)


def _outputs(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)
