"""Generated arguments of a run: zeros, or random values that depend on a seed only."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.runtime.random_values import random_values
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType
from shlo.runner.arguments.layout import layout_of

_HINT = "give it as an array"


def zeros(type_: RankedTensorType, label: str) -> Array:
    """Returns a tensor of zeros; raises RequestError where the type has no fixed shape."""
    shape, dtype = layout_of(type_, label, _HINT)
    return np.zeros(shape, dtype)


def random(type_: RankedTensorType, label: str, generator: np.random.Generator) -> Array:
    """Returns a tensor of random values: normally distributed numbers, integers from 0 to 9, booleans; of a
    quantized type anything that it may store.
    """
    shape, _ = layout_of(type_, label, _HINT)
    return random_values(type_.element_type, shape, generator)
