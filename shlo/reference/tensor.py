"""Tensors: elements by index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import Any

import numpy as np

from shlo.ir.dense import little_endian
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import Type
from shlo.reference.bits import bits_of, element_of_bits
from shlo.reference.element import Element, zero

Index = tuple[int, ...]


class Tensor:
    """Elements of one type in a shape, in row-major order; made full of zeros."""

    def __init__(self, shape: Iterable[int], element_type: Type) -> None:
        self.shape: Index = tuple(shape)
        self.element_type = element_type
        self._values: list[Any] = [zero(element_type).value] * prod(self.shape)

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    def get(self, index: Sequence[int]) -> Element:
        """Returns the element at an index."""
        return Element(self.element_type, self._values[self._position(index)])

    def set(self, index: Sequence[int], element: Element) -> None:
        """Puts an element at an index."""
        self._values[self._position(index)] = element.value

    def indices(self) -> Iterator[Index]:
        """Yields all indices, in ascending lexicographic order: the specification's `index_space`."""
        return index_space(self.shape)

    def elements(self) -> Iterator[Element]:
        """Yields all elements, in the order of `indices`."""
        return (Element(self.element_type, value) for value in self._values)

    def item(self) -> Any:
        """Returns the value of the only element of a tensor of rank 0."""
        return self.get(()).value

    def copy(self) -> Tensor:
        """Returns a tensor of the same elements, which may be set."""
        return filled(self.shape, self.element_type, self.elements())

    def _position(self, index: Sequence[int]) -> int:
        position = 0
        for i, size in zip(index, self.shape, strict=True):
            if not 0 <= i < size:
                raise IndexError(f"expected an index within {self.shape}, got {tuple(index)}")
            position = position * size + i
        return position


def index_space(shape: Sequence[int]) -> Iterator[Index]:
    """Yields all indices of a shape, in ascending lexicographic order."""
    return product(*map(range, shape))


def filled(shape: Iterable[int], element_type: Type, elements: Iterable[Element]) -> Tensor:
    """Returns a tensor of elements in row-major order."""
    result = Tensor(shape, element_type)
    for index, element in zip(result.indices(), elements, strict=True):
        result.set(index, element)
    return result


def scalar(element: Element) -> Tensor:
    """Returns a tensor of rank 0."""
    return filled((), element.type, (element,))


def tensor_of(array: Any, element_type: Type) -> Tensor:
    """Returns a NumPy array as a tensor, bit for bit."""
    patterns = _patterns(np.asarray(array, dtype_of(element_type)))
    return filled(np.shape(array), element_type, (element_of_bits(bits, element_type) for bits in patterns))


def array_of(tensor: Tensor) -> Any:
    """Returns a tensor as a NumPy array of the dtype for its type, bit for bit."""
    dtype = dtype_of(tensor.element_type)
    raw = b"".join(bits_of(element).to_bytes(dtype.itemsize, "little") for element in tensor.elements())
    return little_endian(np.frombuffer(raw, dtype)).reshape(tensor.shape).copy()


def _patterns(values: Any) -> Iterator[int]:
    """Yields the bits of each element of an array."""
    size, raw = values.dtype.itemsize, little_endian(values).tobytes()
    return (int.from_bytes(raw[start : start + size], "little") for start in range(0, len(raw), size))
