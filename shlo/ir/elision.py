"""Attributes without their large constants, for display."""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

from shlo.ir.attributes import ArrayAttr, Attribute, DenseResourceAttr, DictionaryAttr
from shlo.ir.dense import DenseElementsAttr

ELIDED = "__elided__"
"""The resource that represents elements that were left out, as in MLIR's own tools."""


def without_large(attribute: Attribute, limit: int, *, marked: bool = False) -> Attribute:
    """Returns the attribute with `dense_resource<__elided__>` in the place of elements of more than `limit`
    bytes; the same object where it has none. Elements are not looked at, unless they are to be `marked`: then
    the resource has a checksum of theirs in its name.
    """
    if isinstance(attribute, DenseElementsAttr):
        if _size(attribute) <= limit:
            return attribute
        return DenseResourceAttr(_name(attribute.array.tobytes()) if marked else ELIDED, attribute.type)
    if isinstance(attribute, DenseResourceAttr):
        if attribute.blob is None or len(attribute.blob) <= limit:
            return attribute
        return DenseResourceAttr(_name(attribute.blob) if marked else ELIDED, attribute.type)
    if isinstance(attribute, ArrayAttr):
        values = tuple([without_large(value, limit, marked=marked) for value in attribute.values])
        return attribute if _same(values, attribute.values) else ArrayAttr(values)
    if isinstance(attribute, DictionaryAttr):
        entries = tuple(
            [(name, without_large(value, limit, marked=marked)) for name, value in attribute.entries]
        )
        before = [value for _, value in attribute.entries]
        return attribute if _same([value for _, value in entries], before) else DictionaryAttr(entries)
    return attribute


def _name(content: bytes | memoryview) -> str:
    return f"elided_{crc32(content):08x}"


def _same(values: Sequence[Attribute], before: Sequence[Attribute]) -> bool:
    return all(one is other for one, other in zip(values, before, strict=True))


def _size(elements: DenseElementsAttr) -> int:
    """Returns the bytes of elements, of a splat those of one."""
    if elements.stored is not None:
        return len(elements.stored)
    array = elements.array
    return array.nbytes if any(array.strides) else array.itemsize
