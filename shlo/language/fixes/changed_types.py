"""Types with another facet: `make dimension 1 of %x at least 3` as the type that %x has then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from msgspec.structs import replace

from shlo.ir.suggestions import Facet, Set
from shlo.ir.types import (
    F32,
    I32,
    ComplexType,
    FloatType,
    FutureType,
    IntegerType,
    MemRefType,
    QuantizedType,
    RankedTensorType,
    TokenType,
    Type,
)

MAX_RANK = 16
_ELEMENTS: Final[dict[Any, Type]] = {"is_float": F32, "is_integer": I32}
"""The elements of a tensor that is to have a quality."""


def number_of(suggestion: Set) -> int | None:
    """Returns a number that is as a suggestion says, None where it says nothing of a number."""
    relation, value, items = suggestion.relation, suggestion.value, suggestion.items
    if relation == "not in" and items:
        return next(number for number in range(len(items) + 1) if number not in items)
    if isinstance(value, int):
        return value + (relation in (">", "!=")) - (relation == "<")
    item = next(iter(items[::-1] if relation == "in" else items), None)
    return item if isinstance(item, int) else None


def changed_type(old: Type, suggestion: Set, facets: Sequence[Facet] | None = None) -> Type | None:
    """Returns a type of which some facets (by default all that a suggestion names) are as it says; None where
    that cannot be."""
    facets = suggestion.subject.facets if facets is None else facets
    value, kinds = suggestion.value, tuple(facet.kind for facet in facets)
    match kinds:
        case ():
            return suggestion.like or (value if isinstance(value, Type) else _of_quality(old, suggestion))
        case ("type",):
            return value if isinstance(value, Type) else None
        case ("future_types",):
            return replace(old, types=value) if isinstance(old, FutureType) else None
        case ("elements",):
            return suggestion.like
        case _ if not isinstance(old, RankedTensorType):
            return None
        case ("element_type",):
            return replace(old, element_type=value) if isinstance(value, Type) else None
        case (kind,) if kind in ("zero_points", "quantization_dimension", "storage_type", "expressed_type"):
            elements = _requantized(old.element_type, kind, suggestion)
            return replace(old, element_type=elements) if elements else None
        case _:
            shape = _changed_shape(old.shape, facets, suggestion)
            return None if shape is None else RankedTensorType(shape, old.element_type)


def _of_quality(old: Type, suggestion: Set) -> Type | None:
    if suggestion.relation != "is":
        return None
    match suggestion.value:
        case "is_token":
            return TokenType()
        case "is_tensor":
            return _as_tensor(old)
        case quality if quality in _ELEMENTS and isinstance(old, RankedTensorType):
            return replace(old, element_type=_ELEMENTS[quality])
        case _:
            return None


def _changed_shape(
    shape: tuple[int | None, ...], facets: Sequence[Facet], suggestion: Set
) -> tuple[int | None, ...] | None:
    """Returns another shape, one of another rank, or one with other sizes of some dimensions."""
    value, number, numbers = suggestion.value, number_of(suggestion), facets[-1].numbers
    match tuple(facet.kind for facet in facets):
        case ("shape",):
            return suggestion.items if isinstance(value, tuple) else None
        case ("rank",):
            fits = number is not None and 0 <= number <= MAX_RANK
            return (*shape, *(1,) * number)[:number] if fits and number is not None else None
        case ("shape", "part"):
            sizes = list(shape)
            sizes[slice(*numbers)] = suggestion.items
            return tuple(sizes)
        case ("dimension" | "dimensions",):
            sizes = suggestion.items if isinstance(value, tuple) else (number,)
            axes = [axis for axis in numbers if axis is not None and -len(shape) <= axis < len(shape)]
            if not axes or len(axes) != len(numbers) or len(sizes) not in (0, len(axes)):
                return None
            new = dict(zip((axis % len(shape) for axis in axes), sizes or (None,) * len(axes)))
            return tuple(new.get(axis, size) for axis, size in enumerate(shape) if sizes or axis not in new)
        case _:
            return None


def _requantized(old: Type, kind: str, suggestion: Set) -> QuantizedType | None:
    """Returns quantized elements with another parameter."""
    value, number = suggestion.value, number_of(suggestion)
    if not isinstance(old, QuantizedType):
        return None
    if kind == "zero_points" and number is not None:
        return replace(old, zero_points=(number,) * len(old.zero_points))
    if kind == "quantization_dimension" and old.axis is not None and number is not None:
        return replace(old, axis=number)
    if kind == "storage_type" and isinstance(value, IntegerType):
        last = (1 << (value.width - (not value.is_unsigned))) - 1
        first = 0 if value.is_unsigned else -last - 1
        return replace(old, storage_type=value, storage_min=first, storage_max=last)
    if kind == "expressed_type" and isinstance(value, FloatType):
        return replace(old, expressed_type=value)
    return None


def _as_tensor(old: Type) -> RankedTensorType | None:
    """Returns the tensor like a memref, or of one number."""
    if isinstance(old, MemRefType) and old.shape is not None:
        return RankedTensorType(old.shape, old.element_type)
    return RankedTensorType((), old) if isinstance(old, (IntegerType, FloatType, ComplexType)) else None
