"""Attributes without their large constants, for display."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from zlib import crc32

from shlo.ir.attributes import ArrayAttr, Attribute, DenseResourceAttr, DictionaryAttr
from shlo.ir.dense import DenseElementsAttr

ELIDED = "__elided__"
"""The resource that represents elements that were left out, as in MLIR's own tools."""

LargeAttr = DenseElementsAttr | DenseResourceAttr


def without_large(
    attribute: Attribute, limit: int, name: Callable[[LargeAttr], str] = lambda _: ELIDED
) -> Attribute:
    """Returns the attribute with a resource, by default `dense_resource<__elided__>`, in the place of
    elements of more than `limit` bytes; the same object where it has none.
    """

    def change(leaf: Attribute) -> Attribute:
        if not isinstance(leaf, LargeAttr) or _size(leaf) <= limit:
            return leaf
        return DenseResourceAttr(name(leaf), leaf.type)

    return with_leaves(attribute, change)


def with_leaves(attribute: Attribute, change: Callable[[Attribute], Attribute]) -> Attribute:
    """Returns the attribute with what `change` makes of each one that is no array or dictionary."""
    if isinstance(attribute, ArrayAttr):
        values = tuple([with_leaves(value, change) for value in attribute.values])
        return attribute if _same(values, attribute.values) else ArrayAttr(values)
    if isinstance(attribute, DictionaryAttr):
        entries = tuple([(name, with_leaves(value, change)) for name, value in attribute.entries])
        before = [value for _, value in attribute.entries]
        return attribute if _same([value for _, value in entries], before) else DictionaryAttr(entries)
    return change(attribute)


def checksum_name(attribute: LargeAttr) -> str:
    """Returns a name that elements share with equal ones, and hardly with others. It looks at all of them."""
    content = attribute.array.tobytes() if isinstance(attribute, DenseElementsAttr) else attribute.blob
    return f"elided_{crc32(content or b''):08x}"


def _same(values: Sequence[Attribute], before: Sequence[Attribute]) -> bool:
    return all(one is other for one, other in zip(values, before, strict=True))


def _size(elements: LargeAttr) -> int:
    """Returns the bytes of elements, of a splat those of one."""
    if isinstance(elements, DenseResourceAttr):
        return len(elements.blob or b"")
    if elements.stored is not None:
        return len(elements.stored)
    array = elements.array
    return array.nbytes if any(array.strides) else array.itemsize
