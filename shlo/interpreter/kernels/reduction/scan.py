"""chlo.scan: a region over the slices along a dimension, which hands values on from one to the next."""

from __future__ import annotations

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, OpView, Value, kernel
from shlo.interpreter.kernels.shapes import require, require_dimensions
from shlo.ir.dtypes import Array


@kernel("chlo.scan")
def scan(op: OpView) -> KernelFn:
    """The region takes a slice of every input and the values handed on, and gives a slice of every output
    and the next values. Outputs are stacked; the last values handed on are results too.
    """
    inputs = op.integers("operandSegmentSizes")[0]
    outputs = op.integers("resultSegmentSizes")[0]
    dimension, is_reverse = op.integer("dimension"), op.flag("is_reverse")
    require(inputs > 0, "needs an input to scan")
    require(len(op.bodies) == 1, "needs one region")
    scanned = [op.tensor_type(index) for index in range(inputs)]
    for type_ in (*scanned, *[op.result_type(index) for index in range(outputs)]):
        require_dimensions((dimension,), type_.rank, "dimension")
    body = op.bodies[0]
    carries = len(op.operand_types) - inputs
    fits = len(body.argument_types) == inputs + carries and len(body.result_types) == outputs + carries
    require(fits, "needs a region of {} arguments and {} results", inputs + carries, outputs + carries)

    def evaluate(*operands: Value) -> Value:
        slices = [np.moveaxis(np.asarray(operand), dimension, 0) for operand in operands[:inputs]]
        count = len(slices[0])
        require(all(len(each) == count for each in slices), "needs inputs of one size in the dimension")
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
    """Room for the slices of an output, which the first dimension counts."""
    type_ = op.bodies[0].result_types[index]
    sizes = getattr(type_, "shape", ())
    require(None not in sizes, "needs a region whose results have known sizes, not {}", type_)
    return np.empty((count, *sizes), op.result_dtype(index))
