"""A program with f64 in place of all narrower floating-point types, operation by operation the same."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from msgspec.structs import replace

from shlo.ir.attributes import Attribute, FloatAttr, TypeAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.floats import bits_from_float
from shlo.ir.operations import Module, Signature
from shlo.ir.types import (
    ComplexType,
    FloatType,
    RankedTensorType,
    Type,
    UnrankedTensorType,
    element_type_of,
)
from shlo.runner.statistics import is_floating
from shlo.transforms.rewriting.retyping import Retyping

F64: Final = FloatType("f64")

_TYPED: Final = frozenset({"function_type", "value"})
"""Attributes that repeat types of values."""

_ROUNDING: Final = frozenset({"stablehlo.reduce_precision"})
"""Operations that do nothing but round, which a shadow does not."""

_CONVERT: Final = "stablehlo.convert"

_OF_NARROW_TYPES: Final = frozenset({"algorithm"})
"""Attributes that say how narrow types are rounded, which f64 does not take."""


def is_float(type_: Type) -> bool:
    """Returns whether a type is that of tensors of floating-point or complex numbers."""
    return isinstance(element_type_of(type_), (FloatType, ComplexType))


def widened_value(value: Any) -> Any:
    """Returns a value with its numbers in f64 or complex<f64>, exactly; others as they are."""
    if isinstance(value, tuple):
        return tuple(map(widened_value, cast("tuple[Any, ...]", value)))
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    array = np.asarray(cast("Array", value))
    if not is_floating(array):
        return array
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64, copy=False)


def widened_module(module: Module) -> Module:
    """Returns a module whose operations, blocks and values have the places of the given one's, with f64 for
    all narrower floating-point types. It need not be valid: what takes no f64 is found when its kernel is
    bound.
    """
    return _Widening().retyping.module(module)


class _Widening:
    """What types, signatures and attributes of one module become."""

    def __init__(self) -> None:
        self.retyping = Retyping(self._type, self._signature)

    def _type(self, type_: Type) -> Type:
        if isinstance(type_, FloatType):
            return type_ if type_ == F64 else F64
        if isinstance(type_, (ComplexType, RankedTensorType, UnrankedTensorType)):
            element = self.retyping.type(type_.element_type)
            return type_ if element is type_.element_type else replace(type_, element_type=element)
        return type_

    def _signature(
        self, signature: Signature, operands: tuple[Type, ...], results: tuple[Type, ...]
    ) -> Signature:
        if signature.name in _ROUNDING:
            return Signature(_CONVERT, operands, results)
        properties, attributes = (
            {
                name: self._attribute(attribute) if name in _TYPED else attribute
                for name, attribute in attributes.items()
                if name not in _OF_NARROW_TYPES
            }
            for attributes in (signature.properties, signature.attributes)
        )
        return Signature(signature.name, operands, results, properties, attributes)

    def _attribute(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, TypeAttr):
            return TypeAttr(self.retyping.type(attribute.value))
        if isinstance(attribute, FloatAttr) and attribute.type != F64:
            return FloatAttr(bits_from_float(attribute.value, F64), F64)
        if isinstance(attribute, DenseElementsAttr):
            type_ = self.retyping.type(attribute.type)
            if type_ is not attribute.type and isinstance(type_, RankedTensorType):
                return DenseElementsAttr(type_, lambda: widened_value(attribute.array))
        return attribute
