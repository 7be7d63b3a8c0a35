"""Arguments made up for a run: zeros, or random values that depend on a seed only."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.ir.dtypes import Array, UnsupportedTypeError, dtype_of
from shlo.ir.types import FloatType, IntegerType, RankedTensorType, Type
from shlo.runner.errors import RequestError

RANDOM_INTEGERS_BELOW = 10
"""Random integers are small, so that they make good indices."""


def zeros(type_: RankedTensorType, label: str) -> Array:
    """A tensor of zeros; raises RequestError where the type has no fixed shape."""
    shape, dtype = _layout(type_, label)
    return np.zeros(shape, dtype)


def random(type_: RankedTensorType, label: str, generator: np.random.Generator) -> Array:
    """A tensor of random values: normally distributed numbers, integers from 0 to 9, or booleans."""
    shape, dtype = _layout(type_, label)
    if dtype == np.bool_:
        return generator.random(shape) < 0.5
    if isinstance(type_.element_type, FloatType):
        return np.asarray(generator.standard_normal(shape)).astype(dtype)
    if dtype.kind == "c":
        pairs = generator.standard_normal((*shape, 2))
        return np.asarray(pairs[..., 0] + 1j * pairs[..., 1]).astype(dtype)
    return np.asarray(generator.integers(0, _below(type_.element_type), shape)).astype(dtype)


def _below(element_type: Type) -> int:
    if not isinstance(element_type, IntegerType):
        return RANDOM_INTEGERS_BELOW
    bits = element_type.width - (0 if element_type.is_unsigned else 1)
    return min(RANDOM_INTEGERS_BELOW, 1 << bits)


def _layout(type_: RankedTensorType, label: str) -> tuple[tuple[int, ...], np.dtype[Any]]:
    if not type_.is_static:
        raise RequestError(
            f"{label} has type {type_}, of which no value can be made up", "give it as an array"
        )
    try:
        return type_.static_shape, dtype_of(type_.element_type)
    except UnsupportedTypeError as error:
        raise RequestError(f"{label}: {error}") from None
