"""Tokens, tuples and barriers. Specification: "after_all", "tuple", "optimization_barrier"."""

from __future__ import annotations

from shlo.interpreter.kernel_api import TOKEN, KernelFn, OpView, Token, UnaryFn, Value
from shlo.interpreter.registry import kernel


@kernel("stablehlo.after_all", "stablehlo.create_token")
def after_all(op: OpView) -> KernelFn:
    """Returns a token."""
    return _token


@kernel("stablehlo.optimization_barrier")
def optimization_barrier(op: OpView) -> KernelFn:
    """Returns the operands unchanged."""
    return _one if len(op.operand_types) == 1 else _all


@kernel("stablehlo.tuple")
def tuple_(op: OpView) -> KernelFn:
    """Returns the operands as one value."""
    return _all


@kernel("stablehlo.get_tuple_element")
def get_tuple_element(op: OpView) -> UnaryFn:
    """Returns one of the values of a tuple."""
    index = op.integer("index")
    return lambda operand: operand[index]


def _token(*operands: Value) -> Token:
    return TOKEN


def _one(operand: Value) -> Value:
    return operand


def _all(*operands: Value) -> tuple[Value, ...]:
    return operands
