"""Tokens, tuples and barriers. Specification: "after_all", "tuple", "optimization_barrier"."""

from __future__ import annotations

from shlo.interpreter.kernel_api import TOKEN, KernelFn, OpView, UnaryFn
from shlo.interpreter.kernels.shapes import identity
from shlo.interpreter.registry import kernel


@kernel("stablehlo.after_all", "stablehlo.create_token")
def after_all(op: OpView) -> KernelFn:
    """Returns a token."""
    return lambda *operands: TOKEN


@kernel("stablehlo.optimization_barrier")
def optimization_barrier(op: OpView) -> KernelFn:
    """Returns the operands unchanged."""
    return identity if len(op.operand_types) == 1 else tuple_(op)


@kernel("stablehlo.tuple")
def tuple_(op: OpView) -> KernelFn:
    """Returns the operands as one value."""
    return lambda *operands: operands


@kernel("stablehlo.get_tuple_element")
def get_tuple_element(op: OpView) -> UnaryFn:
    """Returns one of the values of a tuple."""
    index = op.integer("index")
    return lambda operand: operand[index]
