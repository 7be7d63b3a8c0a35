"""The check dialect: a test program fails if an actual tensor is not the expected one."""

from __future__ import annotations

from typing import Any

from shlo.interpreter.agreement import checked, equal, within, within_ulps
from shlo.interpreter.kernel_api import KernelFn, OpView
from shlo.interpreter.probes import read_probe
from shlo.interpreter.registry import kernel
from shlo.interpreter.runtime.context import ExecutionContext
from shlo.ir.attributes import FloatAttr
from shlo.ir.dense import DenseElementsAttr

DEFAULT_TOLERANCE = 1e-4


@kernel("check.expect_eq")
def expect_eq(op: OpView) -> KernelFn:
    """Fails unless both operands are equal, element by element."""
    return checked(equal, "equal")


@kernel("check.expect_eq_const")
def expect_eq_const(op: OpView) -> KernelFn:
    """Fails unless the operand equals the attribute `value`."""
    return _against_constant(op, checked(equal, "equal"))


@kernel("check.expect_almost_eq")
def expect_almost_eq(op: OpView) -> KernelFn:
    """Fails unless both operands differ by no more than `tolerance`."""
    return checked(within(_tolerance(op)), "almost equal")


@kernel("check.expect_almost_eq_const")
def expect_almost_eq_const(op: OpView) -> KernelFn:
    """Fails unless the operand differs from the attribute `value` by no more than `tolerance`."""
    return _against_constant(op, checked(within(_tolerance(op)), "almost equal"))


@kernel("check.expect_close")
def expect_close(op: OpView) -> KernelFn:
    """Fails unless both operands are `min_ulp_difference` to `max_ulp_difference` units apart."""
    limit, least = op.integer("max_ulp_difference", 1), op.integer("min_ulp_difference", 0)
    return checked(within_ulps(limit, least), "close")


@kernel("check.expect_serialized_eq", needs_context=True)
def expect_serialized_eq(op: OpView) -> KernelFn:
    """Fails unless the operand equals the tensor that a probe wrote."""
    probe_id, iteration, type_ = op.word("probe_id"), op.integer("iteration", 0), op.tensor_type(0)
    compare = checked(equal, "equal")

    def evaluate(context: ExecutionContext, actual: Any) -> None:
        compare(actual, read_probe(context.probe_folder, probe_id, iteration, type_))

    return evaluate


def _against_constant(op: OpView, compare: KernelFn) -> KernelFn:
    expected = op.require("value", DenseElementsAttr).array

    def evaluate(actual: Any) -> None:
        compare(actual, expected)

    return evaluate


def _tolerance(op: OpView) -> float:
    tolerance = op.get("tolerance")
    return tolerance.value if isinstance(tolerance, FloatAttr) else DEFAULT_TOLERANCE
