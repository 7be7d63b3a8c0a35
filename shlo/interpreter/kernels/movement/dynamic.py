"""Operations with the sizes of the result as operands."""

from __future__ import annotations

from shlo.interpreter.kernel_api import BinaryFn, KernelFn, OpView, UnaryFn, Value
from shlo.interpreter.kernels.movement.creation import counted
from shlo.interpreter.kernels.movement.views import (
    broadcast_plan,
    pad_function,
    pad_parts,
    reshape_plan,
    slice_plan,
)
from shlo.interpreter.kernels.shapes import (
    Sizes,
    integers_of,
    require,
    require_sizes,
)
from shlo.interpreter.registry import kernel


@kernel("stablehlo.dynamic_broadcast_in_dim")
def dynamic_broadcast_in_dim(op: OpView) -> BinaryFn:
    """Broadcasts to a shape that is an operand; specification: "dynamic_broadcast_in_dim"."""
    dimensions, dtype = op.integers("broadcast_dimensions"), op.result_dtype()
    return lambda x, shape: broadcast_plan(x.shape, dimensions, _sizes(shape), dtype)(x)


@kernel("stablehlo.dynamic_iota")
def dynamic_iota(op: OpView) -> UnaryFn:
    """Computes iota of a shape that is an operand; specification: "dynamic_iota"."""
    dimension, dtype = op.integer("iota_dimension"), op.result_dtype()
    return lambda output_shape: counted(_sizes(output_shape), dimension, dtype)


@kernel("stablehlo.dynamic_reshape")
def dynamic_reshape(op: OpView) -> BinaryFn:
    """Reshapes to a shape that is an operand; specification: "dynamic_reshape"."""
    return lambda x, output_shape: reshape_plan(x.shape, _sizes(output_shape))(x)


def _sizes(operand: Value) -> Sizes:
    sizes = tuple(integers_of(operand))
    require_sizes(sizes)
    return sizes


@kernel("stablehlo.dynamic_pad")
def dynamic_pad(op: OpView) -> KernelFn:
    """Pads by amounts that are operands; specification: "dynamic_pad"."""

    def evaluate(x: Value, value: Value, low: Value, high: Value, interior: Value) -> Value:
        parts = pad_parts(x.shape, *map(integers_of, (low, high, interior)))
        require_sizes(parts[0])
        return pad_function(x.shape, parts)(x, value)

    return evaluate


@kernel("stablehlo.real_dynamic_slice")
def real_dynamic_slice(op: OpView) -> KernelFn:
    """Slices with bounds that are operands; specification (of 1.17): "real_dynamic_slice"."""

    def evaluate(x: Value, starts: Value, limits: Value, strides: Value) -> Value:
        bounds = [integers_of(operand) for operand in (starts, limits, strides)]
        for start, limit, stride, size in zip(*bounds, x.shape):
            require(
                0 <= start <= limit <= size, f"cannot take [{start}, {limit}) of a dimension of size {size}"
            )
            require(stride > 0, f"expected strides above 0, got {stride}")
        return slice_plan(x.shape, *bounds)(x)

    return evaluate


@kernel("stablehlo.set_dimension_size")
def set_dimension_size(op: OpView) -> KernelFn:
    """Returns the first elements of a dimension, as many as an operand says, as a view. The operation returns
    a tensor of bounded size; its elements beyond the new size are undefined."""
    dimension = op.integer("dimension")

    def evaluate(x: Value, size: Value) -> Value:
        count = int(size)
        require(
            0 <= count <= x.shape[dimension],
            f"cannot set dimension {dimension} of {{}} to size {count}",
            x.shape,
        )
        return x[(*[slice(None)] * dimension, slice(count))]

    return evaluate
