"""Simplifications of operations that move elements: broadcasts, reshapes, transposes, slices and others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from shlo.dialects.struct_attributes import GatherDimensionNumbers
from shlo.ir.attributes import IntegerAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Operation
from shlo.ir.types import I64, RankedTensorType
from shlo.transforms.rewriting.builder import ValueRef, int64s
from shlo.transforms.rewriting.driver import Rewriter, Rule
from shlo.transforms.rewriting.matching import (
    constant,
    constant_integers,
    created,
    first_of,
    integer,
    integers,
    is_number,
    is_static,
    source_of,
    value_instead,
)
from shlo.transforms.rewriting.shapes import joined, reshaped, sliced


def _is_iota(numbers: Sequence[int]) -> bool:
    return tuple(numbers) == tuple(range(len(numbers)))


# --- broadcast_in_dim ---------------------------------------------------------------------------------------


def _broadcast(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,), dims = rewriter.refs(operation.operands), integers(operation, "broadcast_dimensions")
    (type_,) = operation.result_types
    if _is_iota(dims) and value.type == type_:
        return value_instead(rewriter, operation, value)
    merged = _merged_broadcast(rewriter, operation, value, dims)
    if merged is not None:
        return merged
    if is_static(value.type) and isinstance(type_, RankedTensorType) and type_.is_static:
        is_rearranged = value.tensor.element_count == type_.element_count
        if is_rearranged and list(dims) == sorted(dims):
            return created(rewriter, operation, "reshape", (value,))
        if is_rearranged and value.tensor.rank == type_.rank:
            inverse = [dims.index(axis) for axis in range(len(dims))]
            return created(rewriter, operation, "transpose", (value,), {"permutation": int64s(inverse)})
    return None


def _merged_broadcast(
    rewriter: Rewriter, operation: Operation, value: ValueRef, dims: Sequence[int]
) -> Sequence[ValueRef] | None:
    """Returns a broadcast of a broadcast as one."""
    inner = source_of(rewriter, value, "broadcast_in_dim")
    if inner is None:
        return None
    origin, inner_dims = rewriter.ref(inner.operands[0]), integers(inner, "broadcast_dimensions")
    is_reshape = is_static(origin.type) and is_static(value.type)
    if is_reshape and list(inner_dims) == sorted(inner_dims):
        is_reshape = origin.tensor.element_count == value.tensor.element_count
        if is_reshape:
            return None
    merged = {"broadcast_dimensions": int64s([dims[dim] for dim in inner_dims])}
    return created(rewriter, operation, "broadcast_in_dim", (origin,), merged)


# --- reshape, transpose, reverse, pad -----------------------------------------------------------------------


def _reshape(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,) = rewriter.refs(operation.operands)
    if value.type == operation.result_types[0]:
        return value_instead(rewriter, operation, value)
    inner = source_of(rewriter, value, "reshape")
    if inner is None:
        return None
    return created(rewriter, operation, "reshape", (rewriter.ref(inner.operands[0]),))


def _transpose(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,), order = rewriter.refs(operation.operands), integers(operation, "permutation")
    if _is_iota(order):
        return value_instead(rewriter, operation, value)
    if is_static(value.type):
        kept_order = [axis for axis in order if value.tensor.shape[axis] != 1]
        if kept_order == sorted(kept_order):
            return created(rewriter, operation, "reshape", (value,))
    inner = source_of(rewriter, value, "transpose")
    if inner is None:
        return None
    merged = int64s([integers(inner, "permutation")[axis] for axis in order])
    origin = rewriter.ref(inner.operands[0])
    return created(rewriter, operation, "transpose", (origin,), {"permutation": merged})


def _reverse(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,), axes = rewriter.refs(operation.operands), integers(operation, "dimensions")
    elements = constant(rewriter, value)
    shape = value.tensor.shape
    is_same = is_static(value.type) and (0 in shape or all(shape[axis] == 1 for axis in axes))
    return [value] if not axes or is_same or (elements is not None and elements.is_splat) else None


def _pad(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    value, filler = rewriter.refs(operation.operands)
    names = ("edge_padding_low", "edge_padding_high", "interior_padding")
    if not any(any(integers(operation, name)) for name in names) and value.type == operation.result_types[0]:
        return [value]
    is_empty = is_static(value.type) and value.tensor.element_count == 0
    if not is_empty or not is_static(operation.result_types[0]):
        return None
    return created(rewriter, operation, "broadcast_in_dim", (filler,), {"broadcast_dimensions": int64s(())})


# --- slices -------------------------------------------------------------------------------------------------


def _slice(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,) = rewriter.refs(operation.operands)
    if is_static(value.type) and value.type == operation.result_types[0]:
        return value_instead(rewriter, operation, value)
    inner = source_of(rewriter, value, "concatenate")
    if inner is None or not is_static(operation.result_types[0]):
        return None
    return _slice_of_parts(rewriter, operation, value, inner)


def _slice_of_parts(
    rewriter: Rewriter, operation: Operation, whole: ValueRef, inner: Operation
) -> Sequence[ValueRef] | None:
    """Returns a slice of the parts alone that it takes something from."""
    axis = integer(inner, "dimension")
    parts = rewriter.refs(inner.operands)
    if axis is None or not all(is_static(part.type) for part in parts):
        return None
    starts, limits = integers(operation, "start_indices"), integers(operation, "limit_indices")
    ends = np.cumsum([0, *(part.tensor.static_shape[axis] for part in parts)]).tolist()
    touched = [
        number
        for number, (begin, end) in enumerate(pairwise(ends))
        if end > starts[axis] and begin < limits[axis]
    ]
    if not touched or len(touched) == len(parts) or (len(touched) > 1 and not rewriter.has_one_use(whole)):
        return None
    chosen = [parts[number] for number in range(touched[0], touched[-1] + 1)]
    source = chosen[0] if len(chosen) == 1 else joined(chosen, axis)
    offset = ends[touched[0]]
    properties = {
        **operation.signature.properties,
        "start_indices": int64s([*starts[:axis], starts[axis] - offset, *starts[axis + 1 :]]),
        "limit_indices": int64s([*limits[:axis], limits[axis] - offset, *limits[axis + 1 :]]),
    }
    return created(rewriter, operation, "slice", (source,), properties)


def _dynamic_slice(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a slice, where the starts are constants; they are clamped as the operation does."""
    value, *scalars = rewriter.refs(operation.operands)
    sizes = integers(operation, "slice_sizes")
    starts = [constant_integers(rewriter, scalar) for scalar in scalars]
    if not is_static(value.type):
        return None
    constants = [start[0] for start in starts if start]
    if len(constants) != len(scalars):
        return None
    shape = value.tensor.static_shape
    clamped = [max(0, min(start, whole - size)) for start, whole, size in zip(constants, shape, sizes)]
    properties = {
        "start_indices": int64s(clamped),
        "limit_indices": int64s([start + size for start, size in zip(clamped, sizes)]),
        "strides": int64s([1] * len(sizes)),
    }
    return created(rewriter, operation, "slice", (value,), properties)


def _dynamic_update_slice(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the tensor where nothing is written, the update where it is all."""
    value, update, *starts = rewriter.refs(operation.operands)
    if is_static(update.type) and update.tensor.element_count == 0:
        return value_instead(rewriter, operation, value)
    is_whole = is_static(update.type) and value.type == update.type
    if is_whole and all(is_number(rewriter, start, lambda number: number == 0) for start in starts):
        return value_instead(rewriter, operation, update)
    return None


def _gather(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns a slice, where one window is taken at constant indices."""
    value, indices = rewriter.refs(operation.operands)
    numbers, places = operation.attribute("dimension_numbers"), constant_integers(rewriter, indices)
    sizes = integers(operation, "slice_sizes")
    if not isinstance(numbers, GatherDimensionNumbers) or places is None or not is_static(value.type):
        return None
    if numbers.index_vector_dim or indices.tensor.rank > 1 or len(places) != len(numbers.start_index_map):
        return None
    starts = [0] * len(sizes)
    for axis, index in zip(numbers.start_index_map, places):
        starts[axis] = max(0, min(index, value.tensor.static_shape[axis] - sizes[axis]))
    part = sliced(value, starts, [start + size for start, size in zip(starts, sizes)])
    if numbers.collapsed_slice_dims:
        shape = [size for axis, size in enumerate(sizes) if axis not in numbers.collapsed_slice_dims]
        part = reshaped(part, shape)
    return [part] if part.type == operation.result_types[0] else None


def _concatenate(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    parts, axis = rewriter.refs(operation.operands), integer(operation, "dimension")
    if axis is None:
        return None
    if len(parts) == 1 and parts[0].type == operation.result_types[0]:
        return [parts[0]]
    nonempty = [part for part in parts if part.tensor.shape[axis] != 0]
    built: list[ValueRef] = []
    for part in nonempty:
        inner = source_of(rewriter, part, "concatenate")
        is_flat = inner is not None and integer(inner, "dimension") == axis and rewriter.has_one_use(part)
        built += rewriter.refs(inner.operands) if inner is not None and is_flat else (part,)
    if not built or tuple(built) == tuple(parts):
        return None
    return created(rewriter, operation, "concatenate", built, operation.signature.properties)


# --- sizes and iota -----------------------------------------------------------------------------------------


def _size(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    (value,), axis = rewriter.refs(operation.operands), integer(operation, "dimension")
    size = value.tensor.shape[axis] if axis is not None else None
    (type_,) = operation.result_types
    if size is None or not isinstance(type_, RankedTensorType):
        return None
    return [rewriter.splat(type_, size)]


def _iota(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Zeros, where the dimension has one index, and a broadcast of a list elsewhere."""
    (type_,), axis = operation.result_types, integer(operation, "iota_dimension")
    if axis is None or not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    if type_.shape[axis] == 1:
        return (
            [rewriter.array(np.zeros((), dtype_of(type_.element_type)), type_.element_type)]
            if (type_.rank == 0)
            else [rewriter.splat(type_, 0)]
        )
    if type_.rank < 2:
        return None
    row = RankedTensorType((type_.shape[axis],), type_.element_type)
    numbers = rewriter.one("stablehlo.iota", (), row, {"iota_dimension": IntegerAttr(0, I64)})
    return created(
        rewriter, operation, "broadcast_in_dim", (numbers,), {"broadcast_dimensions": int64s((axis,))}
    )


def rules() -> dict[str, Rule]:
    """Returns the rules, by operation."""
    return {
        "stablehlo.broadcast_in_dim": _broadcast,
        "stablehlo.concatenate": _concatenate,
        "stablehlo.dynamic_slice": _dynamic_slice,
        "stablehlo.dynamic_update_slice": _dynamic_update_slice,
        "stablehlo.gather": _gather,
        "stablehlo.get_dimension_size": _size,
        "stablehlo.iota": _iota,
        "stablehlo.pad": _pad,
        "stablehlo.reshape": _reshape,
        "stablehlo.reverse": _reverse,
        "stablehlo.slice": first_of(_slice),
        "stablehlo.transpose": _transpose,
    }
