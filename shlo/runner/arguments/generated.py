"""Generated arguments of a run: zeros, or random values that depend on a seed only."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.ir.dtypes import Array, UnsupportedTypeError, dtype_of
from shlo.ir.types import RankedTensorType
from shlo.runner.errors import RequestError

_HINT = "give it as an array"


def zeros(type_: RankedTensorType, label: str) -> Array:
    """Returns a tensor of zeros; raises RequestError where the type has no fixed shape."""
    shape, dtype = layout_of(type_, label, _HINT)
    return np.zeros(shape, dtype)


def random(type_: RankedTensorType, label: str, generator: np.random.Generator) -> Array:
    """Returns a random tensor: normally distributed numbers, integers from 0 to 9, any quantized values."""
    from shlo.interpreter.runtime.random_values import random_values

    shape, _ = layout_of(type_, label, _HINT)
    return random_values(type_.element_type, shape, generator)


def layout_of(type_: RankedTensorType, label: str, hint: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Returns the shape and dtype of an array of that type.

    Raises RequestError where a size is unknown (with the `hint`), where no array can hold such elements, and
    where the machine has not the memory.
    """
    from shlo.interpreter.runtime.limits import memory_limit

    if not type_.is_static:
        raise RequestError(f"{label} has type {type_}, of which no value can be made up", hint)
    try:
        dtype = dtype_of(type_.element_type)
    except UnsupportedTypeError as error:
        raise RequestError(f"{label}: {error}") from None
    if type_.element_count * dtype.itemsize > memory_limit():
        raise RequestError(f"{label} has type {type_}, which is more than this machine's memory")
    return type_.static_shape, dtype
