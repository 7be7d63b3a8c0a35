"""Arguments made up for a run: zeros, or random values that depend on a seed only."""

from __future__ import annotations

import numpy as np

from shlo.ir.dtypes import Array
from shlo.ir.types import FloatType, IntegerType, QuantizedType, RankedTensorType, Type
from shlo.runner.layout import layout_of

RANDOM_INTEGERS_BELOW = 10
"""Random integers are small, so that they make good indices."""
_HINT = "give it as an array"


def zeros(type_: RankedTensorType, label: str) -> Array:
    """A tensor of zeros; raises RequestError where the type has no fixed shape."""
    shape, dtype = layout_of(type_, label, _HINT)
    return np.zeros(shape, dtype)


def random(type_: RankedTensorType, label: str, generator: np.random.Generator) -> Array:
    """A tensor of random values: normally distributed numbers, integers from 0 to 9, booleans; of a quantized
    type anything that it may store."""
    shape, dtype = layout_of(type_, label, _HINT)
    if dtype == np.bool_:
        return generator.random(shape) < 0.5
    if isinstance(type_.element_type, FloatType):
        return np.asarray(generator.standard_normal(shape)).astype(dtype)
    if dtype.kind == "c":
        pairs = generator.standard_normal((*shape, 2))
        return np.asarray(pairs[..., 0] + 1j * pairs[..., 1]).astype(dtype)
    return np.asarray(generator.integers(*_range(type_.element_type), shape)).astype(dtype)


def _range(element_type: Type) -> tuple[int, int]:
    """From which number on, and below which one, random integers of a type lie."""
    if isinstance(element_type, QuantizedType):
        return element_type.storage_min, element_type.storage_max + 1
    if not isinstance(element_type, IntegerType):
        return 0, RANDOM_INTEGERS_BELOW
    bits = element_type.width - (0 if element_type.is_unsigned else 1)
    return 0, min(RANDOM_INTEGERS_BELOW, 1 << bits)
