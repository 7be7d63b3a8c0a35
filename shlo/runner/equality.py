"""Which values are tensors, and equality of values bit by bit: NaN equals itself, and -0 differs from 0."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import numpy as np

from shlo.ir.dtypes import Array

if TYPE_CHECKING:
    from shlo.interpreter.kernel_api import Value

SMALL: Final = 64
"""Arrays of at most so many bytes are compared as they are."""

Item = TypeVar("Item")


def tensor_of(value: Any) -> Array | None:
    """Returns the array that a value is, None where it is no tensor."""
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(cast("Array", value))
    return None


def bits_of(value: Value) -> Hashable:
    """Returns an object that is equal for values with the same bits."""
    if isinstance(value, tuple):
        return tuple(bits_of(part) for part in cast("tuple[Value, ...]", value))
    array = tensor_of(value)
    return value if array is None else (array.dtype.name, array.shape, _digest(array))


def _digest(array: Array) -> bytes:
    """Returns the bytes of a small array, a checksum of a large one, so that it is not held twice."""
    if array.nbytes <= SMALL:
        return array.tobytes()
    from hashlib import blake2b  # loads OpenSSL

    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return blake2b(content.data, digest_size=32).digest()


def same_bits(one: Value, other: Value) -> bool:
    """Returns whether two values have the same bits."""
    return one is other or bits_of(one) == bits_of(other)


def equal_groups(items: Iterable[tuple[Item, Hashable, Value]]) -> list[list[Item]]:
    """Groups items by their keys and the bits of their values, in order of their first members.

    A value that several items share is read once.
    """
    groups: dict[Hashable, list[Item]] = {}
    bits: dict[int, tuple[Value, Hashable]] = {}
    for item, key, value in items:
        _, digest = bits.setdefault(id(value), (value, None))
        if digest is None:
            digest = bits_of(value)
            bits[id(value)] = value, digest
        groups.setdefault((key, digest), []).append(item)
    return list(groups.values())
