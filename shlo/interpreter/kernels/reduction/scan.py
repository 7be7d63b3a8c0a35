"""chlo.scan: a region over the slices along a dimension, with values carried from one to the next."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView, Value
from shlo.interpreter.kernels.shapes import require
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array


@kernel("chlo.scan")
def scan(op: OpView) -> KernelFn:
    """Applies the region to each slice of the inputs and the carried values.

    The region returns a slice of every output and the next carried values. Outputs are stacked; the last
    carried values are results too.
    """
    inputs = op.integers("operandSegmentSizes")[0]
    outputs = op.integers("resultSegmentSizes")[0]
    dimension, is_reverse = op.integer("dimension"), op.flag("is_reverse")
    require(inputs > 0, "expected an input to scan")
    body = op.bodies[0]

    def evaluate(*operands: Value) -> Value:
        slices = [np.moveaxis(np.asarray(operand), dimension, 0) for operand in operands[:inputs]]
        count = len(slices[0])
        stacked = [_empty(op, index, dimension, count) for index in range(outputs)]
        carried = tuple(operands[inputs:])
        for place in reversed(range(count)) if is_reverse else range(count):
            results = body.on_scalars(*[each[place] for each in slices], *carried)
            for output, result in zip(stacked, results):
                output[place] = result
            carried = results[outputs:]
        results = (*[np.moveaxis(output, 0, dimension) for output in stacked], *carried)
        return results if len(results) != 1 else results[0]

    return evaluate


def _empty(op: OpView, index: int, dimension: int, count: int) -> Array:
    """Returns an array for the slices of an output, which the first dimension counts."""
    type_ = op.bodies[0].result_types[index]
    sizes = getattr(type_, "shape", ())
    require(None not in sizes, "expected a region whose results have known sizes, got {}", type_)
    return np.empty((count, *sizes), op.result_dtype(index))
