"""Functions of narrow floating-point types, computed in f32."""

from __future__ import annotations

from collections.abc import Callable

from shlo.ir.dtypes import bit_width
from shlo.ir.types import F32, FloatType
from shlo.transforms.rewriting.builder import ValueRef


def at_least_single(formula: Callable[..., ValueRef], *values: ValueRef) -> ValueRef:
    """Returns a formula of values as they are, or of values narrower than f32 in f32, and converted back."""
    element = values[0].element_type
    if not isinstance(element, FloatType) or bit_width(element) >= 32:
        return formula(*values)
    return formula(*[value.converted(F32) for value in values]).converted(element)
