"""Values compared bit by bit."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, cast

import numpy as np

from shlo.interpreter.kernel import Value
from shlo.ir.dtypes import Array


def bits_of(value: Value) -> Hashable:
    """Something that is equal for values that are the same, bit by bit: NaN is NaN, and -0 is not 0."""
    if isinstance(value, tuple):
        return tuple(bits_of(part) for part in cast("tuple[Value, ...]", value))
    if isinstance(value, (np.ndarray, np.generic)):
        array: Array = np.asarray(cast("Any", value))
        return array.dtype.str, array.dtype.name, array.shape, array.tobytes()
    return value


def same_bits(one: Value, other: Value) -> bool:
    """Whether two values are the same, bit by bit."""
    return one is other or bits_of(one) == bits_of(other)
