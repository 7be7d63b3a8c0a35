"""The values of small tensors of integers, which decide shapes, computed with the interpreter's kernels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from shlo.dialects.constants import constant_elements
from shlo.interpreter import run
from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.program.bound_kernel import BoundKernel, bind_kernel
from shlo.interpreter.program.liveness import uses_of
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation, Signature, ValueTable
from shlo.ir.types import IndexType, IntegerType, RankedTensorType, Type
from shlo.transforms.rewriting.extraction import module_of_one
from shlo.transforms.rewriting.purity import is_pure

MAX_ELEMENTS = 1024
"""The most elements of a value that is computed."""
MAX_STEPS = 10_000
"""The most operations that the regions of one operation may take."""


def is_small(type_: Type) -> bool:
    """Returns whether a value of a type may decide a shape: few integers or truths."""
    return (
        isinstance(type_, RankedTensorType)
        and isinstance(type_.element_type, IntegerType | IndexType)
        and type_.is_static
        and type_.element_count <= MAX_ELEMENTS
    )


def constant_value(operation: Operation) -> Array | None:
    """Returns what a small constant holds, None for any other operation."""
    value = constant_elements(operation)
    return None if value is None or not is_small(value.type) else value.array


class Evaluator:
    """Evaluates operations on known operands; a signature's kernel is specialized once."""

    def __init__(self) -> None:
        self._bound_kernel: dict[Signature, BoundKernel] = {}

    def results(
        self, operation: Operation, values: Mapping[int, Array], table: ValueTable
    ) -> list[Array] | None:
        """Returns what an operation gives, None where that is not known, not small, or where it fails (which
        it does again when it runs).
        """
        if not all(map(is_small, operation.result_types)):
            return None
        inputs = tuple(dict.fromkeys(uses_of(operation, table)))
        if any(value not in values for value in inputs) or not is_pure(operation):
            return None
        try:
            with np.errstate(all="ignore"):
                return self._evaluated(operation, inputs, values, table)
        except Exception:  # whatever is wrong with it is reported where the program runs
            return None

    def _evaluated(
        self, operation: Operation, inputs: Sequence[int], values: Mapping[int, Array], table: ValueTable
    ) -> list[Array]:
        if operation.regions:
            module = module_of_one(operation, inputs, table)
            return list(run(module, *[values[value] for value in inputs], max_steps=MAX_STEPS))
        bound_kernel = self._bound_kernel.get(operation.signature)
        if bound_kernel is None:
            bound_kernel = self._bound_kernel[operation.signature] = bind_kernel(OpView(operation.signature))
        result = bound_kernel.evaluate(*[values[value] for value in operation.operands])
        bound_kernel.check(result)
        return [np.asarray(output) for output in (result if len(operation.results) != 1 else (result,))]


def new_constant(value: Array, type_: RankedTensorType, slot: int, like: Operation) -> Operation:
    """Returns a `stablehlo.constant` in the place of an operation."""
    signature = Signature("stablehlo.constant", (), (type_,), {"value": DenseElementsAttr(type_, value)})
    return Operation(signature, results=(slot,), location=like.location)
