"""Types as a finding's help says them: `make dimension 1 of %x at least 3`."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import replace

from shlo.ir.types import (
    F32,
    I1,
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
from shlo.language.index.types_in_text import type_from, types_between

MAX_RANK = 16
_VALUE = r"(?P<value>%[\w$.-]+(?:#\d+)?|the result|result \d+)"
_WAYS = (
    re.compile(rf"(?P<what>element type|shape|rank|type|number of elements) of {_VALUE} (?P<new>.+)"),
    re.compile(
        rf"dimension (?P<what>-?\d+) of {_VALUE} "
        r"(?:at (?:least|most) |a multiple of |(?P<above>something else than |greater than ))?(?P<new>\d+)"
    ),
    re.compile(rf"dimensions (?P<what>\[[\d, ]+\]) of {_VALUE} (?P<new>\[[\d, ]*\])"),
    re.compile(rf"(?P<what>part \[-?\d*:\d*\]) of the shape of {_VALUE} (?P<new>\[.+)"),
    re.compile(rf"(?P<what>zero points|quantized dimension) of {_VALUE} (?P<new>(?:none of \[.*)?\d+)"),
    re.compile(rf"(?P<what>storage type|expressed type) of the elements of {_VALUE} (?P<new>\w+)"),
    re.compile(rf"(?P<what>types behind) {_VALUE} (?P<new>.+)"),
    re.compile(rf"{_VALUE} of (?P<what>floating-point|integer) (?P<new>type)"),
    re.compile(rf"{_VALUE} (?P<what>a token)(?P<new>)"),
    re.compile(rf"{_VALUE} a value of this kind: (?:static )?(?P<what>\d-dimensional) (?P<new>.+)"),
    re.compile(rf"{_VALUE} a value of this kind: (?P<what>tensor)(?P<new>.*)"),
)


class SaidType(Struct, frozen=True):
    """What words say of the type of a value: its name as they have it, what of the type, and what that is to
    be."""

    value: str
    what: str
    new: str


def said_type(words: str) -> SaidType | None:
    """Returns what words say of a value's type, None where they speak of something else."""
    for pattern in _WAYS:
        if match := pattern.search(words):
            above = match.groupdict().get("above")
            return SaidType(
                match["value"], match["what"], str(int(match["new"]) + 1) if above else match["new"]
            )
    return None


def changed_type(old: Type, what: str, new: str) -> Type | None:
    """Returns a type of which something is as words say; None where that cannot be."""
    told = type_from(new, 0)
    match what:
        case "type":
            return told[1] if told else None
        case "tensor":
            return _as_tensor(old)
        case "a token":
            return TokenType()
        case "types behind":
            types = tuple(types_between(new, 0, len(new)))
            return replace(old, types=types) if isinstance(old, FutureType) else None
        case _ if not isinstance(old, RankedTensorType):
            return None
        case "element type":
            return replace(old, element_type=told[1]) if told else None
        case "floating-point" | "integer":
            return replace(old, element_type=F32 if what != "integer" else I32)
        case "number of elements":
            told = type_from(new, max(new.find("tensor"), 0))
            return told[1] if told and "tensor" in new else None
        case "zero points" | "quantized dimension" | "storage type" | "expressed type":
            elements = _requantized(old.element_type, what, new)
            return replace(old, element_type=elements) if elements else None
        case _:
            return _of_other_shape(old, what, new)


def _of_other_shape(old: RankedTensorType, what: str, new: str) -> RankedTensorType | None:
    """Returns a tensor's type with another shape, rank or size of some dimensions."""
    sizes, shape = [int(each) for each in re.findall(r"-?\d+", new)], list(old.shape)
    if what == "shape":
        return RankedTensorType(tuple(sizes), old.element_type) if new.startswith("[") else None
    if what == "rank" or what.endswith("dimensional"):
        rank = sizes[0] if what == "rank" and sizes else int(what[0]) if what != "rank" else MAX_RANK + 1
        element = I1 if "boolean" in new else I32 if new.endswith("si32") else old.element_type
        return RankedTensorType((*shape, *(1,) * rank)[:rank], element) if rank <= MAX_RANK else None
    if what.startswith("part"):
        first, _, last = what.removeprefix("part [").removesuffix("]").partition(":")
        shape[int(first or 0) : int(last) if last else None] = sizes
        return RankedTensorType(tuple(shape), old.element_type)
    places = [int(each) for each in re.findall(r"-?\d+", what)]
    if not all(-len(shape) <= each < len(shape) for each in places) or len(sizes) not in (0, len(places)):
        return None
    by_place: dict[int, int | None] = {place % len(shape): None for place in places}
    by_place |= {place % len(shape): size for place, size in zip(places, sizes)}
    kept = [by_place.get(place, size) for place, size in enumerate(shape) if sizes or place not in by_place]
    return RankedTensorType(tuple(kept), old.element_type)


def _requantized(old: Type, what: str, new: str) -> QuantizedType | None:
    """Returns quantized elements with another parameter."""
    if not isinstance(old, QuantizedType):
        return None
    told, numbers = type_from(new, 0), [int(each) for each in re.findall(r"-?\d+", new)]
    match what:
        case "zero points":
            return replace(old, zero_points=(numbers[0],) * len(old.zero_points))
        case "quantized dimension" if old.axis is not None:
            free = next(each for each in range(len(numbers) + 1) if each not in numbers)
            return replace(old, axis=free if new.startswith("none of") else numbers[0])
        case "storage type" if told and isinstance(told[1], IntegerType):
            last = (1 << (told[1].width - (not told[1].is_unsigned))) - 1
            first = 0 if told[1].is_unsigned else -last - 1
            return replace(old, storage_type=told[1], storage_min=first, storage_max=last)
        case "expressed type" if told:
            return replace(old, expressed_type=told[1])
        case _:
            return None


def _as_tensor(old: Type) -> RankedTensorType | None:
    """Returns the tensor like a memref, or of one number."""
    if isinstance(old, MemRefType) and old.shape is not None:
        return RankedTensorType(old.shape, old.element_type)
    return RankedTensorType((), old) if isinstance(old, (IntegerType, FloatType, ComplexType)) else None
