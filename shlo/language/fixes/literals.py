"""Dense literals in a program's text, written anew for another type: fewer, more or converted elements."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from math import prod

import numpy as np

from shlo.dialects import has_trait
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array, storage_dtype
from shlo.ir.op_path import OpPath, header_spans
from shlo.ir.source import Span
from shlo.ir.suggestions import SetAttribute
from shlo.ir.types import FloatType, IntegerType, RankedTensorType, Type
from shlo.language.document import Edit
from shlo.language.fixes.changed_types import number_of
from shlo.language.fixes.trial import Repair
from shlo.language.index.types_in_text import type_from
from shlo.syntax.dense.print import elements_text

MAX_ELEMENTS = 4096
"""Literals of more elements are not written anew."""
_LITERAL = re.compile(r"dense<((?:[^<>\"]|\"[^\"]*\")*)>\s*:\s*")


def literals(part_text: str, op_path: OpPath, suggestion: SetAttribute) -> Iterator[Repair]:
    """Yields the dense literal of an attribute with the shape or the number that a suggestion names."""
    name = suggestion.subject.member
    value = op_path.operation.signature.properties.get(name)
    if isinstance(value, DenseElementsAttr):
        new = _changed(value, suggestion)
        edits = tuple(_edits(part_text, op_path, value, new)) if new else ()
        if edits:
            yield Repair(f"make {name} dense<{edits[0].text}>"[:100], edits, follows=True)


def _changed(value: DenseElementsAttr, suggestion: SetAttribute) -> DenseElementsAttr | None:
    shape = tuple(size or 0 for size in value.type.shape)
    number, facets = number_of(suggestion), suggestion.subject.facets
    sizes: tuple[int, ...] = suggestion.items
    first = (facets[-1].numbers[0] or 0) if facets and facets[-1].numbers else 0
    match [facet.kind for facet in facets]:
        case ["number"] if number is not None and first < value.array.size:
            items = value.array.reshape(-1).copy()
            items[first] = number
            return DenseElementsAttr(value.type, items.reshape(shape))
        case ["rank"] if number is not None:
            shape = _of_rank(shape, number)
        case ["dimension"] if number is not None and first < len(shape):
            shape = (*shape[:first], number, *shape[first + 1 :])
        case ["shape"] | ["shape", "part"]:
            if first == 1 and len(shape) == 1 and sizes and shape[0] % sizes[0] == 0:
                shape = (shape[0] // sizes[0], *sizes)  # rows written one behind another
            else:
                shape = (*shape[:first], *sizes)
        case _:
            return None
    return refitted(value, RankedTensorType(shape, value.type.element_type))


def _of_rank(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    if rank > len(shape):
        return (*(1,) * (rank - len(shape)), *shape)
    count = len(shape) - rank + 1
    return (prod(shape[:count]), *shape[count:]) if rank else ()


def refitted(value: DenseElementsAttr, type_: Type) -> DenseElementsAttr | None:
    """Returns a literal as one of another type: the same elements in order where there are as many, else
    those that both shapes have, and zeros. None where the type can have no such literal."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    shape = tuple(size or 0 for size in type_.shape)
    if any(size < 0 for size in shape):
        return None
    old, new = value.type.element_type, type_.element_type
    plain = (IntegerType, FloatType)
    if old != new and not (isinstance(old, plain) and isinstance(new, plain)):
        return None
    if prod(shape) > MAX_ELEMENTS or prod(size or 0 for size in value.type.shape) > MAX_ELEMENTS:
        return None
    try:
        with np.errstate(invalid="raise"):
            array = value.array.astype(storage_dtype(new)) if old != new else value.array
    except (TypeError, ValueError, FloatingPointError):  # elements that the type cannot hold
        return None
    return DenseElementsAttr(type_, _reshaped(array, shape, value.is_splat))


def zero_of(type_: Type) -> str | None:
    """Returns the literal of zeros of a type, None where it has none."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    if not isinstance(type_.element_type, (IntegerType, FloatType)):
        return None
    is_boolean = isinstance(type_.element_type, IntegerType) and type_.element_type.width == 1
    zero = "false" if is_boolean else "0" if isinstance(type_.element_type, IntegerType) else "0.0"
    return f"dense<{zero}> : {type_}"


def _reshaped(array: Array, shape: tuple[int, ...], is_splat: bool) -> Array:
    if array.size == prod(shape):
        return array.reshape(shape)
    if is_splat:
        return np.full(shape, array.reshape(-1)[0], array.dtype)
    result = np.zeros(shape, array.dtype)
    rank = max(len(shape), array.ndim)
    source = array.reshape((1,) * (rank - array.ndim) + array.shape)
    target = result.reshape((1,) * (rank - len(shape)) + shape)
    common = tuple(slice(min(sizes)) for sizes in zip(source.shape, target.shape))
    target[common] = source[common]
    return result


def constant_edits(text: str, op_path: OpPath, type_: Type, others: Sequence[Edit]) -> tuple[Edit, ...]:
    """Returns the edits that make a constant's literal one of another type, beside others of its types."""
    value = op_path.operation.signature.properties.get("value")
    if not has_trait(op_path.operation.name, "constant") or not isinstance(value, DenseElementsAttr):
        return ()
    new = refitted(value, type_)
    spans = {edit.span for edit in others}
    return (
        tuple(
            new_finding for new_finding in _edits(text, op_path, value, new) if new_finding.span not in spans
        )
        if new
        else ()
    )


def _edits(text: str, op_path: OpPath, old: DenseElementsAttr, new: DenseElementsAttr) -> Iterator[Edit]:
    """Yields the edits of the text of a literal: of its elements and of its type."""
    for start, end in header_spans(op_path):
        for match in _LITERAL.finditer(text, start, end):
            typed = type_from(text, match.end())
            if typed is None or typed[1] != old.type or not _is_written(match[1], old):
                continue
            elements = elements_text(new)
            if elements != match[1]:
                yield Edit(Span(*match.span(1)), elements)
            if new.type != old.type:
                yield Edit(typed[0], str(new.type))
            return


def _is_written(elements: str, value: DenseElementsAttr) -> bool:
    """Returns whether a text has as many numbers as a literal, or one for all."""
    count = len(re.findall(r"[\w.+-]+", elements))
    return count in (1, value.array.size) or elements.startswith('"')
