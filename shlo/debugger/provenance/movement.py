"""Operations that move data, traced by their own kernels: where the number of an element goes, it went."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from msgspec.structs import replace

from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Role,
    Terms,
    element,
    position_at,
    positions_in,
    terms_of,
    terms_of_op,
    whole,
)
from shlo.dialects import find_op_def
from shlo.dialects.struct_attributes import GatherDimensionNumbers
from shlo.interpreter.program.bound_kernel import bind_kernel
from shlo.ir.dtypes import Array
from shlo.ir.operations import Signature
from shlo.ir.types import I32, RankedTensorType, Type


@terms_of("tensor.collapse_shape", "tensor.expand_shape", "tensor.reshape")
@terms_of_op
def reshape(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The element of the first operand that has the same position; others say shapes."""
    return [Terms(0, np.array([position_at(index, np.shape(run.results[result]))]))]


@terms_of("tensor.concat", "tensor.from_elements", "tensor.splat")
def move_operands(run: OpRun, result: int, index: Index) -> list[Terms]:
    """All operands are data."""
    return [_source(run, range(len(run.operands)), result, index)]


def move_stored(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The operands that may be quantized are data, the others say shapes and places: the operation moves what
    is stored (`quantized="storage"`)."""
    op_def = find_op_def(run.view.name)
    assert op_def is not None
    last = len(op_def.operands) - 1  # it may be variadic
    data = [
        number
        for number in range(len(run.operands))
        if op_def.operands[min(number, last)].constraint.takes_quantized
    ]
    return [_source(run, data, result, index)]


@terms_of_op
def real_dynamic_slice(run: OpRun, result: int, index: Index) -> list[Terms]:
    """An element of the operand, chosen by all starts and by strides, except that of a first one."""
    steps = [axis for axis, at in enumerate(index) if at]
    starts = whole(1, run.arrays[1], "choice")
    return [_source(run, (0,), result, index), starts, Terms(3, np.array(steps, np.int64), "choice")]


@terms_of_op
def dynamic_slice(run: OpRun, result: int, index: Index) -> list[Terms]:
    """An element of the operand, chosen by all start indices along which the slice can move."""
    sizes = run.arrays[0].shape, np.shape(run.results[0])
    variable_axes = [axis for axis, (whole, part) in enumerate(zip(*sizes)) if whole > part]
    return [_source(run, (0,), result, index), *(_scalar(1 + axis) for axis in variable_axes)]


@terms_of_op
def dynamic_update_slice(run: OpRun, result: int, index: Index) -> list[Terms]:
    """An element of the operand or of the update, chosen by all start indices."""
    sizes = run.arrays[0].shape, run.arrays[1].shape
    variable_axes = [axis for axis, (whole, part) in enumerate(zip(*sizes)) if whole > part]
    update = [] if 0 in run.arrays[1].shape else variable_axes
    return [_source(run, (0, 1), result, index), *(_scalar(2 + axis) for axis in update)]


@terms_of_op
def gather(run: OpRun, result: int, index: Index) -> list[Terms]:
    """An element of the operand, chosen by a vector of start indices."""
    numbers = run.view.require("dimension_numbers", GatherDimensionNumbers)
    batch = tuple(size for axis, size in enumerate(index) if axis not in numbers.offset_dims)
    is_dynamic = len(run.arrays) > 2  # a dynamic_gather
    sizes = run.arrays[2].tolist() if is_dynamic else run.view.integers("slice_sizes")
    vector = index_vector(run.arrays[1], 1, batch, numbers.index_vector_dim)
    # a start along a dimension that slices cover is 0 whatever the index is
    moves = [run.arrays[0].shape[axis] > sizes[axis] for axis in numbers.start_index_map]
    return [
        _source(run, (0,), result, index),
        replace(vector, positions=vector.positions[np.array(moves, bool)]),
    ]


@terms_of_op
def torch_index_select(run: OpRun, result: int, index: Index) -> list[Terms]:
    """An element of the operand, chosen by one index."""
    axis, batches = run.view.integer("dim"), run.view.integer("batch_dims")
    indices = run.arrays[1]
    at = (*index[:batches], *index[axis : axis + indices.ndim - batches])
    return [_source(run, (0,), result, index), element(1, indices, at, "choice")]


@terms_of("tensor.extract")
def extracted(run: OpRun, result: int, index: Index) -> list[Terms]:
    """An element of the operand, chosen by all indices."""
    at = tuple(int(start) for start in run.operands[1:])
    return [element(0, run.arrays[0], at), *(_scalar(1 + axis) for axis in range(len(at)))]


@terms_of("tensor.insert")
def inserted(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The scalar, or the element that it does not replace; the indices choose."""
    at = tuple(int(start) for start in run.operands[2:])
    source = _scalar(0, "value") if at == index else element(1, run.arrays[1], index)
    return [source, *(_scalar(2 + axis) for axis in range(len(at)))]


@terms_of("tensor.bitcast")
@terms_of_op
def bitcast_convert(run: OpRun, result: int, index: Index) -> list[Terms]:
    """The element of the same bits, or all elements whose bits it consists of."""
    array, shape = run.arrays[0], np.shape(run.results[0])
    if array.ndim > len(shape):
        count = array.shape[-1]
        first = position_at(index, shape) * count
        return [Terms(0, first + positions_in((count,)))]
    return [element(0, array, index[: array.ndim])]


def index_vector(indices: Array, operand: int, batch: Index, vector_dim: int) -> Terms:
    """Returns the vector of start indices at a place in the batch dimensions, which chooses."""
    numbers = positions_in(indices.shape)
    at = numbers if vector_dim == indices.ndim else np.moveaxis(numbers, vector_dim, -1)
    return Terms(operand, at[batch].reshape(-1), "choice")


def _scalar(operand: int, role: Role = "choice") -> Terms:
    return Terms(operand, np.array([0]), role)


def _source(run: OpRun, data: Sequence[int], result: int, index: Index) -> Terms:
    """Returns the element that the operation moved to an index: its kernel runs on which of the `data`
    operands elements are of, and then on their coordinates along each of its axes. Arrays of these repeat
    numbers without storing them again.
    """
    operands = list(run.operands)
    types = list(run.view.operand_types)
    for operand in data:
        types[operand] = _counted(types[operand])
    signature = run.view.signature
    results = tuple(map(_counted, run.view.result_types))
    traced = Signature(signature.name, tuple(types), results, signature.properties, signature.attributes)
    kernel = bind_kernel(replace(run.view, signature=traced))

    def arriving(numbers: Callable[[int], Array]) -> int:
        for operand in data:
            operands[operand] = np.broadcast_to(numbers(operand), run.arrays[operand].shape)
        return int(np.asarray(kernel.evaluate(*operands))[index])

    source = arriving(np.asarray) if len(data) > 1 else data[0]
    array = run.arrays[source]
    return element(
        source, array, tuple([arriving(_coordinates(source, array, axis)) for axis in range(array.ndim)])
    )


def _coordinates(source: int, array: Array, axis: int) -> Callable[[int], Array]:
    """Returns a function that gives for an operand what broadcasts to the coordinates along an axis of the
    source; 0 for another operand.
    """
    numbers = np.arange(array.shape[axis], dtype=np.int32)
    along = numbers.reshape([-1 if other == axis else 1 for other in range(array.ndim)])
    return lambda operand: along if operand == source else np.zeros((), np.int32)


def _counted(type_: Type) -> Type:
    return replace(type_, element_type=I32) if isinstance(type_, RankedTensorType) else I32
