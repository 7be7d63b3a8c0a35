"""Slices whose start only the run tells, of sizes that are known: `dynamic_slice` of a scalar for each
dimension.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.dialects.formula.values import UNKNOWN, Unknown
from shlo.dialects.inference import Inferred
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import DenseArrayAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Operation, Signature
from shlo.ir.source import Span
from shlo.ir.types import I64, RankedTensorType
from shlo.transforms.refinement.state import Refining
from shlo.transforms.rewriting.rebuild import remade, with_types


def refine_slice(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns a real_dynamic_slice as a slice, or as a dynamic_slice where its steps are one."""
    (new,) = built = refining.plain(operation, span)
    strides = refining.elements(operation.operands[3])
    if new.name != operation.name or not strides:
        return built
    new = _sized(refining, new, strides)
    built, starts = [new], new.operand_types[1]
    is_open = not all(map(is_static, new.result_types)) or any(stride != 1 for stride in strides)
    if is_open or not isinstance(starts, RankedTensorType):
        return built
    scalars: list[int] = []
    operations = [
        operation
        for axis in range(len(strides))
        for operation in _scalar(refining, new, starts, axis, scalars)
    ]
    return [*operations, _dynamic_slice(new, starts, tuple(scalars))]


def _sized(refining: Refining, operation: Operation, strides: Sequence[int | Unknown]) -> Operation:
    """Returns the slice with the sizes that follow from limits which are a sum of the starts and what is
    known.
    """
    start, limit = operation.operands[1:3]
    summands = refining.sums.get(limit, ())
    others = [summand for summand in summands if summand != start]
    extents = refining.elements(others[0]) if start in summands and others else None
    if extents is None or len(extents) != len(strides):
        return operation
    shape = tuple(map(_size, extents, strides))
    types = tuple(Inferred(shape).refining(declared) for declared in operation.result_types)
    sized = remade(operation, with_types(operation.signature, results=types))
    refining.define_results(sized)
    return sized


def _size(extent: int | Unknown, stride: int | Unknown) -> int | Unknown:
    if not isinstance(extent, int) or not isinstance(stride, int) or stride <= 0:
        return UNKNOWN
    return max(0, -(-extent // stride))


def _scalar(
    refining: Refining, like: Operation, starts: RankedTensorType, axis: int, scalars: list[int]
) -> list[Operation]:
    """Returns the operations that give an element of the starts; the value it becomes is added to
    `scalars`."""
    slot = refining.table.define(RankedTensorType((), starts.element_type))
    scalars.append(slot)
    start = (refining.elements(like.operands[1]) or (UNKNOWN,) * len(like.operands))[axis]
    if isinstance(start, int):
        return [refining.constant(slot, np.array(start, dtype_of(starts.element_type)), like)]
    one = RankedTensorType((1,), starts.element_type)
    part = refining.table.define(one)
    places = {
        "start_indices": DenseArrayAttr(I64, (axis,)),
        "limit_indices": DenseArrayAttr(I64, (axis + 1,)),
        "strides": DenseArrayAttr(I64, (1,)),
    }
    cut = Signature("stablehlo.slice", (starts,), (one,), places)
    shrunk = Signature("stablehlo.reshape", (one,), (refining.types[slot],))
    return [
        Operation(cut, (like.operands[1],), (part,), location=like.location),
        Operation(shrunk, (part,), (slot,), location=like.location),
    ]


def _dynamic_slice(like: Operation, starts: RankedTensorType, scalars: tuple[int, ...]) -> Operation:
    (result,) = like.result_types
    assert isinstance(result, RankedTensorType)
    scalar = RankedTensorType((), starts.element_type)
    signature = Signature(
        "stablehlo.dynamic_slice",
        (like.operand_types[0], *[scalar] * len(scalars)),
        like.result_types,
        {"slice_sizes": DenseArrayAttr(I64, result.static_shape)},
        like.signature.attributes,
    )
    return remade(like, signature, (like.operands[0], *scalars))
