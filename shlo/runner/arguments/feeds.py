"""Items of infeeds and outfeeds in `.npz` files.

An array is an item of its own; arrays `NAME.0`, `NAME.1`, ... are together one item, the values of one
operation. Items are in the order of the file. What one program writes to its outfeed can so be the infeed of
another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from shlo.interpreter.program.sync_points import INFEED
from shlo.ir.array_files import ArrayArchive, ArrayHeader
from shlo.ir.dtypes import UnsupportedTypeError
from shlo.ir.operations import Module
from shlo.ir.types import RankedTensorType, TokenType, Type
from shlo.runner.arguments.call import WIDEST_ELEMENT
from shlo.runner.errors import RequestError
from shlo.runner.files import save_arrays

HOW_TO_FEED = "--infeed FILE.npz says what the infeed gives"

Item = tuple[Any, ...]
Items = Sequence[Item]


def read_infeed(path: str, module: Module) -> list[Item]:
    """Returns the items of a `.npz` file, as values that an infeed operation of the program takes.

    Raises RequestError.
    """
    if not path.lower().endswith(".npz"):
        raise RequestError(
            f"cannot read an infeed from {path}", "give a .npz file, with an array for each item"
        )
    takes = infeed_types(module)
    if not takes:
        raise RequestError(f"the program has no infeed that could read {path}")
    items: dict[str, list[Any]] = {}
    with ArrayArchive(path) as archive:
        for name in archive.names:
            item = items.setdefault(re.sub(r"\.\d+$", "", name), [])
            types = [types[len(item)] for types in takes if len(types) > len(item)]
            item.append(_value(archive, name, types, f"{path}[{name}]"))
    return [tuple(item) for item in items.values()]


def infeed_types(module: Module) -> list[tuple[Type, ...]]:
    """Returns what the infeed operations of a program give besides their tokens, each kind once."""
    kinds: dict[tuple[Type, ...], None] = {}
    for operation, _ in module.walk():
        if operation.name == INFEED:
            kinds[tuple(type_ for type_ in operation.result_types if not isinstance(type_, TokenType))] = None
    return list(kinds)


def save_outfeed(path: str, items: Iterable[Item]) -> None:
    """Writes items for `read_infeed`; raises RequestError."""
    save_arrays(path, dict(_named(items)))


def check_outfeed_path(path: str) -> None:
    """Raises RequestError where an outfeed cannot be saved under that name."""
    if not path.lower().endswith(".npz"):
        raise RequestError(f"cannot save an outfeed in {path}", "give a name that ends in .npz")


def _named(items: Iterable[Item]) -> Iterator[tuple[str, Any]]:
    for number, item in enumerate(items):
        for part, value in enumerate(item):
            yield f"item_{number}" if len(item) == 1 else f"item_{number}.{part}", value


def _value(archive: ArrayArchive, name: str, types: Sequence[Type], label: str) -> Any:
    """Returns an array as a value of the first of these types that it fits."""
    from shlo.interpreter.kernel_api import KernelError
    from shlo.interpreter.runtime.marshal import marshal_argument

    array = archive.read(name, lambda header: _check(header, types, label))
    for type_ in types:
        try:
            return marshal_argument(array, type_, label)
        except (KernelError, UnsupportedTypeError):
            continue
    raise _strange(f"{array.dtype.name} of shape {array.shape}", types, label)


def _check(header: ArrayHeader, types: Sequence[Type], label: str) -> None:
    """Raises RequestError where an array has the shape of none of the types, before it is read."""
    shapes = {type_.shape for type_ in types if isinstance(type_, RankedTensorType)}
    if header.shape not in shapes or header.dtype.itemsize > WIDEST_ELEMENT:
        raise _strange(f"{header.dtype.name} of shape {header.shape}", types, label)


def _strange(held: str, types: Sequence[Type], label: str) -> RequestError:
    wanted = " or ".join(str(type_) for type_ in dict.fromkeys(types)) or "no further value of an item"
    return RequestError(f"{label} holds {held}, but the program's infeeds read {wanted}")
