"""Kernels of chlo's broadcast_* operations: other operations, with operands repeated to one shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from shlo.dialects.chlo.dialect import BROADCASTING, broadcast_form
from shlo.interpreter.kernel_api import BinaryFn, Kernel, KernelError, KernelFn, OpView
from shlo.interpreter.kernels.numeric import where
from shlo.interpreter.registry import find_kernel, kernel
from shlo.ir.operations import Signature


def _broadcasting(name: str) -> Kernel:
    """Returns the kernel of the operation `name` on operands that broadcast as in NumPy.
    `broadcast_dimensions` are the dimensions of the result that those of the operand of lower rank become; by
    default they are the last ones."""

    def specialize(op: OpView) -> BinaryFn:
        entry = find_kernel(name)
        assert entry is not None
        signature = op.signature
        plain = Signature(name, op.operand_types, op.result_types, signature.properties)
        evaluate = entry.kernel(replace(op, signature=plain))
        dimensions = op.integers("broadcast_dimensions") if op.get("broadcast_dimensions") else None
        return lambda lhs, rhs: evaluate(*_to_one_shape(lhs, rhs, dimensions))

    return specialize


def _to_one_shape(lhs: Any, rhs: Any, dimensions: Sequence[int] | None) -> Sequence[Any]:
    if dimensions is not None and np.ndim(lhs) != np.ndim(rhs):
        rank = max(np.ndim(lhs), np.ndim(rhs))
        lhs, rhs = (_aligned(x, rank, dimensions) for x in (lhs, rhs))
    return _repeated(lhs, rhs)


def _aligned(x: Any, rank: int, dimensions: Sequence[int]) -> Any:
    """Returns the operand with dimensions of size one between its own, where it has fewer than `rank`."""
    if np.ndim(x) == rank:
        return x
    shape = [1] * rank
    for dimension, size in zip(dimensions, np.shape(x)):
        shape[dimension] = size
    return x.reshape(shape)


def _repeated(*arrays: Any) -> Sequence[Any]:
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError:
        shapes = " and ".join(str(list(np.shape(x))) for x in arrays)
        raise KernelError(f"shapes {shapes} do not fit each other") from None


for _op_def in BROADCASTING:
    if len(_op_def.operands) == 2:
        kernel(_op_def.name)(_broadcasting(broadcast_form(_op_def.name)))


@kernel("chlo.broadcast_select")
def broadcast_select(op: OpView) -> KernelFn:
    """Selects from operands that broadcast as in NumPy."""

    def evaluate(predicate: Any, on_true: Any, on_false: Any) -> Any:
        return where(*_repeated(predicate, on_true, on_false))

    return evaluate
