"""Values compared bit by bit."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable
from typing import Any, Final, cast

import numpy as np

from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import Array

SMALL: Final = 64
"""Arrays of at most so many bytes are compared as they are."""


def bits_of(value: Value) -> Hashable:
    """Something that is equal for values that are the same, bit by bit: NaN is NaN, and -0 is not 0."""
    if isinstance(value, tuple):
        return tuple(bits_of(part) for part in cast("tuple[Value, ...]", value))
    if isinstance(value, (np.ndarray, np.generic)):
        array: Array = np.asarray(cast("Any", value))
        return array.dtype.name, array.shape, _digest(array)
    return value


def _digest(array: Array) -> bytes:
    """The bytes of a small array, a checksum of a large one, which nobody should have to hold twice."""
    if array.nbytes <= SMALL:
        return array.tobytes()
    content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return hashlib.blake2b(content.data, digest_size=32).digest()


def same_bits(one: Value, other: Value) -> bool:
    """Whether two values are the same, bit by bit."""
    return one is other or bits_of(one) == bits_of(other)
