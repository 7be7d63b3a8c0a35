"""Tensors as users see them: an MLIR type beside an array, with access to single elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shlo.ir.dense import DenseElementsAttr, bit_view
from shlo.ir.dtypes import Array, dtype_of, element_type_for
from shlo.ir.types import RankedTensorType, Type

Number = bool | int | float | complex


@dataclass(frozen=True, slots=True)
class Element:
    """One element: its type, and its value as a Python number (of a quantized one, the stored value)."""

    type: Type
    value: Number

    def __str__(self) -> str:
        return str(self.value).lower() if isinstance(self.value, bool) else str(self.value)


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A tensor: its type, and an array of the type's shape and dtype that nobody writes to.

    Specification: "Types". Raises ValueError where type and array do not fit together.
    """

    type: RankedTensorType
    array: Array

    def __post_init__(self) -> None:
        dtype = dtype_of(self.type.element_type)
        if self.array.dtype != dtype:
            raise ValueError(f"a {self.type} holds elements of NumPy's {dtype}, not of {self.array.dtype}")
        sizes = self.array.shape
        fits = len(sizes) == self.type.rank and all(
            known is None or known == size for known, size in zip(self.type.shape, sizes)
        )
        if not fits:
            raise ValueError(f"an array of shape {sizes} is no {self.type}")

    @staticmethod
    def of(array: Any) -> Tensor:
        """Returns a tensor of the type that NumPy's dtype names; raises UnsupportedTypeError where none
        does."""
        array = np.asarray(array)
        return Tensor(RankedTensorType(array.shape, element_type_for(array.dtype)), array)

    @staticmethod
    def from_attribute(attribute: DenseElementsAttr) -> Tensor:
        """Returns the tensor that a constant holds; raises ValueError for a constant of a vector type."""
        if not isinstance(attribute.type, RankedTensorType):
            raise ValueError(f"{attribute.type} is no tensor type")
        return Tensor(attribute.type, attribute.array)

    def to_attribute(self) -> DenseElementsAttr:
        """Returns the tensor as a constant of its actual shape."""
        return DenseElementsAttr(RankedTensorType(self.array.shape, self.type.element_type), self.array)

    def get(self, index: Sequence[int]) -> Element:
        """Returns the element at an index of one number per dimension; raises IndexError outside the
        tensor."""
        value = self.array[self._checked(index)]
        return Element(self.type.element_type, _number(value))

    def set(self, index: Sequence[int], element: Element) -> Tensor:
        """Returns a copy in which one element is another one; raises IndexError outside the tensor."""
        if element.type != self.type.element_type:
            raise ValueError(f"an element of type {element.type} does not go into a {self.type}")
        array = self.array.copy()
        array[self._checked(index)] = element.value
        return Tensor(self.type, array)

    def elements(self) -> Iterator[tuple[tuple[int, ...], Element]]:
        """Yields every index with its element, row by row."""
        for index in np.ndindex(self.array.shape):
            yield index, self.get(index)

    def same(self, other: Tensor) -> bool:
        """Returns whether types and all bits are equal."""
        return self.type == other.type and np.array_equal(bit_view(self.array), bit_view(other.array))

    def _checked(self, index: Sequence[int]) -> tuple[int, ...]:
        sizes = self.array.shape
        if len(index) != len(sizes) or not all(0 <= at < size for at, size in zip(index, sizes)):
            raise IndexError(f"index {list(index)} is outside a tensor of shape {list(sizes)}")
        return tuple(index)


def _number(value: Any) -> Number:
    """Returns a NumPy or ml_dtypes scalar as a Python number."""
    kind = np.asarray(value).dtype.kind
    if kind in "biufc":
        return value.item()
    return int(value) if float(value).is_integer() and "int" in np.asarray(value).dtype.name else float(value)
