"""Reductions along whole dimensions, and map."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, Value, kernel
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.arg_reduce import extreme, is_largest
from shlo.interpreter.kernels.reduction.combiner import (
    Arrays,
    body_of,
    combine_of,
    combiner_of,
    folded,
    reducing,
    require_accumulators,
    spread,
)
from shlo.interpreter.kernels.reduction.rounded_reduce import rounded_reduction
from shlo.interpreter.kernels.reduction.ufunc_reduce import reduction_by
from shlo.interpreter.kernels.shapes import (
    Sizes,
    by_shapes,
    require,
    require_dimensions,
    require_one_shape,
    require_result,
)


@kernel("stablehlo.reduce")
def reduce(op: OpView) -> KernelFn:
    """Combines the elements along dimensions, and an initial value; specification: "reduce"."""
    count = len(op.operand_types) // 2
    require(count > 0 and len(op.operand_types) == 2 * count, "needs as many initial values as inputs")
    body = body_of(op, 2 * count, count)
    require_accumulators(op, body, count)
    dimensions = op.integers("dimensions")
    require_dimensions(dimensions, op.tensor_type(0).rank, "dimensions")
    combiner = combiner_of(body) if count == 1 else None
    is_promoting = any(
        element_dtype(op.operand_types[index]) != op.result_dtype(index) for index in range(count)
    )
    largest = is_largest(body) if count == 2 and not is_promoting else None

    def plan(*shapes: Sizes) -> KernelFn:
        _require_shapes(op, shapes, dimensions)
        if combiner is not None:
            if combiner.is_rounding:
                return rounded_reduction(combiner, shapes[0], dimensions)
            return reducing(combiner, lambda plain: reduction_by(plain, shapes[0], dimensions))
        by_tree = _by_tree(body, shapes[0], dimensions)
        if largest is None or len(dimensions) != 1:
            return by_tree
        return extreme(body, largest, shapes[0], dimensions[0], by_tree)

    return by_shapes(op, plan, count)


def _require_shapes(op: OpView, shapes: Sequence[Sizes], dimensions: Sequence[int]) -> None:
    kept = [size for axis, size in enumerate(shapes[0]) if axis not in dimensions]
    require_one_shape(shapes)
    for index in range(len(shapes)):
        require(op.tensor_type(len(shapes) + index).rank == 0, "needs initial values of rank 0")
        require_result(op, kept, index)


def _by_tree(body: Body, shape: Sizes, dimensions: Sizes) -> KernelFn:
    combine, count = combine_of(body), len(body.result_types)
    dtypes = [element_dtype(type_) for type_ in body.result_types]
    kept = [axis for axis in range(len(shape)) if axis not in dimensions]
    order, result = (*dimensions, *kept), tuple(shape[axis] for axis in kept)
    rows = (int(np.prod([shape[axis] for axis in dimensions], dtype=np.int64)), *result)

    def evaluate(*operands: Value) -> Value:
        converted = [operand.astype(dtype, copy=False) for operand, dtype in zip(operands, dtypes * 2)]
        results = spread(converted[count:], result)
        if rows[0] and 0 not in result:
            inputs: Arrays = tuple(x.transpose(order).reshape(rows) for x in converted[:count])
            results = spread(combine(*results, *folded(combine, inputs)), result)
        return results if count > 1 else results[0]

    return evaluate


@kernel("stablehlo.map")
def map_(op: OpView) -> KernelFn:
    """Applies a region to every element of the inputs; specification: "map"."""
    body = body_of(op, len(op.operand_types), 1)
    require(
        op.integers("dimensions") == tuple(range(op.tensor_type(0).rank)),
        "needs all dimensions in their order",
    )
    gives = element_dtype(body.result_types[0])
    require(gives == op.result_dtype(), "needs a region that gives the result's elements")
    for index, type_ in enumerate(body.argument_types):
        fits = element_dtype(type_) == element_dtype(op.tensor_type(index))
        require(fits, "needs a region that takes the elements of operand {}", index)
    combine = combine_of(body)

    def plan(*shapes: Sizes) -> KernelFn:
        require_one_shape(shapes)
        require_result(op, shapes[0])

        def evaluate(*arrays: Value) -> Value:
            return spread(combine(*arrays), shapes[0])[0]

        return evaluate

    return by_shapes(op, plan)
