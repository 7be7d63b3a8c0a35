"""Reductions along whole dimensions, and map."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.kernel_api import Body, KernelFn, OpView, Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.reduction.arg_reduce import extreme, is_largest
from shlo.interpreter.kernels.reduction.combiner import (
    Arrays,
    accumulator_of,
    combine_of,
    combiner_of,
    folded,
    reducing,
    spread,
)
from shlo.interpreter.kernels.reduction.rounded_reduce import rounded_reduction
from shlo.interpreter.kernels.reduction.ufunc_reduce import reduction_by
from shlo.interpreter.kernels.shapes import Sizes, by_shapes
from shlo.interpreter.registry import kernel


@kernel("stablehlo.reduce")
def reduce(op: OpView) -> KernelFn:
    """Combines the elements along dimensions, and an initial value; specification: "reduce".

    Cost: that of the operands.
    """
    count = len(op.operand_types) // 2
    body, dimensions = accumulator_of(op, count), op.integers("dimensions")
    combiner = combiner_of(body) if count == 1 else None
    is_promoting = any(
        element_dtype(op.operand_types[index]) != op.result_dtype(index) for index in range(count)
    )
    largest = is_largest(body) if count == 2 and not is_promoting else None

    def plan(*shapes: Sizes) -> KernelFn:
        if combiner is not None:
            if combiner.is_rounding:
                return rounded_reduction(combiner, shapes[0], dimensions)
            return reducing(combiner, lambda plain: reduction_by(plain, shapes[0], dimensions))
        by_tree = _by_tree(body, shapes[0], dimensions)
        if largest is None or len(dimensions) != 1:
            return by_tree
        return extreme(body, largest, shapes[0], dimensions[0], by_tree)

    return by_shapes(op, plan, count)


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
    combine = combine_of(op.bodies[0])
    return lambda *arrays: spread(combine(*arrays), np.shape(arrays[0]))[0]
