"""Random tensors of any element type: arguments that front ends make up, and results of stubs."""

from __future__ import annotations

import numpy as np

from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import FloatType, IntegerType, QuantizedType, Type

RANDOM_INTEGERS_BELOW = 10
"""Random integers are small, so that they make good indices."""


def random_values(element_type: Type, shape: tuple[int, ...], generator: np.random.Generator) -> Array:
    """Returns an array of normally distributed numbers, integers from 0 to 9, or booleans; of a quantized
    type anything that it may store.

    Raises UnsupportedTypeError where no array can hold such elements.
    """
    dtype = dtype_of(element_type)
    if dtype == np.bool_:
        return np.asarray(generator.random(shape) < 0.5)
    if isinstance(element_type, FloatType):
        return np.asarray(generator.standard_normal(shape)).astype(dtype)
    if dtype.kind == "c":
        pairs = generator.standard_normal((*shape, 2))
        return np.asarray(pairs[..., 0] + 1j * pairs[..., 1]).astype(dtype)
    return np.asarray(generator.integers(*_range(element_type), shape)).astype(dtype)


def _range(element_type: Type) -> tuple[int, int]:
    """From which number on, and below which one, random integers of a type lie."""
    if isinstance(element_type, QuantizedType):
        return element_type.storage_min, element_type.storage_max + 1
    if not isinstance(element_type, IntegerType):
        return 0, RANDOM_INTEGERS_BELOW
    bits = element_type.width - (0 if element_type.is_unsigned else 1)
    return 0, min(RANDOM_INTEGERS_BELOW, 1 << bits)
