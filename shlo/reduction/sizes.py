"""Candidates with smaller tensors: a size is replaced by another one everywhere in the program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from msgspec.structs import replace

from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, TypeAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import Signature
from shlo.ir.types import I64, IntegerType, RankedTensorType, Type
from shlo.reduction.candidate import Candidate
from shlo.transforms.rewriting.retyping import Retyping

MOST_SIZES: Final = 16
"""How many sizes of a program are tried, those of most dimensions."""


def resized(candidate: Candidate) -> Iterator[Candidate]:
    """Yields candidates in which one size of all dimensions is smaller, with the first elements along these
    or, for half of the size, with the last ones; with and without what attributes say of sizes.
    """
    for size in _sizes(candidate):
        parts = dict.fromkeys(((1, False), (2, False), (size // 2, False), (-(-size // 2), True)))
        for new, is_last in parts:
            if 0 < new < size:
                for in_attributes in (True, False):
                    yield _Resizing(size, new, in_attributes, is_last).candidate(candidate)


def _sizes(candidate: Candidate) -> list[int]:
    """Returns the sizes of dimensions, the largest first."""
    counts: Counter[int] = Counter()
    for operation, _ in candidate.module.walk():
        for type_ in (*operation.operand_types, *operation.result_types):
            if isinstance(type_, RankedTensorType):
                counts.update(size for size in type_.shape if size is not None and size > 1)
    return sorted((size for size, _ in counts.most_common(MOST_SIZES)), reverse=True)


class _Resizing:
    """Makes one size another one, in types and, where `in_attributes`, in lists of integers."""

    def __init__(self, size: int, new: int, in_attributes: bool, is_last: bool) -> None:
        self._size, self._new = size, new
        self._kept = slice(size - new, size) if is_last else slice(new)
        self._in_attributes = in_attributes
        self._retyping = Retyping(self._type, self._signature)

    def candidate(self, candidate: Candidate) -> Candidate:
        """Returns a candidate, its arguments being parts of what they were."""
        values_before = candidate.values
        values = {
            argument: self._array(values_before[argument])
            for argument in candidate.block.arguments
            if argument in values_before
        }
        module = self._retyping.module(replace(candidate.module, source=None))
        return Candidate(module, candidate.entry, values, fixed=candidate.fixed)

    def _signature(
        self, signature: Signature, operands: tuple[Type, ...], results: tuple[Type, ...]
    ) -> Signature:
        properties, attributes = map(self._entries, (signature.properties, signature.attributes))
        return Signature(signature.name, operands, results, properties, attributes)

    def _entries(self, entries: Mapping[str, Attribute]) -> Mapping[str, Attribute]:
        return {name: self._attribute(value) for name, value in entries.items()}

    def _type(self, type_: Type) -> Type:
        if isinstance(type_, RankedTensorType):
            return replace(type_, shape=tuple(map(self._dimension, type_.shape)))
        return type_

    def _dimension(self, size: int | None) -> int | None:
        return self._new if size == self._size else size

    def _attribute(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, TypeAttr):
            return TypeAttr(self._retyping.type(attribute.value))
        if isinstance(attribute, ArrayAttr):
            return ArrayAttr(tuple(map(self._attribute, attribute.values)))
        if isinstance(attribute, DenseArrayAttr) and self._in_attributes and attribute.element_type == I64:
            return DenseArrayAttr(I64, tuple(self._new if size == self._size else size for size in attribute))
        if isinstance(attribute, DenseElementsAttr) and isinstance(attribute.type, RankedTensorType):
            return self._dense(attribute, attribute.type)
        return attribute

    def _dense(self, attribute: DenseElementsAttr, old: RankedTensorType) -> DenseElementsAttr:
        new, array = self._retyping.type(old), self._array(attribute.array)
        if self._in_attributes and isinstance(old.element_type, IntegerType) and old.element_type.width > 1:
            array = np.where(array == self._size, self._new, array).astype(array.dtype)
        assert isinstance(new, RankedTensorType)
        return DenseElementsAttr(new, array)

    def _array(self, array: Any) -> Array:
        """Returns the part of an array that is kept along each dimension of the size."""
        whole = np.asarray(array)
        parts = tuple(self._kept if size == self._size else slice(None) for size in whole.shape)
        return np.ascontiguousarray(whole[parts]).reshape(
            tuple(self._new if size == self._size else size for size in whole.shape)
        )
