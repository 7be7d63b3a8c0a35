"""Custom calls that check: the sizes that a JAX export relies on, and the results of test programs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from shlo.interpreter.agreement import checked, equal, equal_or_within, within, within_ulps
from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.custom_calls.registry import custom_call_handler
from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.ir.types import I1, RankedTensorType

DEFAULT_TOLERANCE = 1e-3
DEFAULT_ULPS = 3
BOOLEAN = RankedTensorType((), I1)
SIZE_MISMATCH = "a size of an argument is not what the program was made for"


@custom_call_handler("shape_assertion")
def shape_assertion(call: CustomCall) -> KernelFn:
    """Fails with `error_message`, in which `{i}` is the i-th size, if the first operand is false."""
    if call.operand_types[:1] != (BOOLEAN,):
        raise KernelError(f"shape_assertion takes a {BOOLEAN} and sizes")
    if any(not isinstance(type_, RankedTensorType) or type_.rank for type_ in call.operand_types):
        raise KernelError("shape_assertion takes sizes that are scalars")
    message = str(call.get("error_message") or SIZE_MISMATCH)

    def evaluate(holds: Any, *sizes: Any) -> None:
        if not holds:
            raise KernelError(filled_message(message, [str(int(size)) for size in sizes]))

    return evaluate


@custom_call_handler("check.expect_eq")
def expect_eq(call: CustomCall) -> KernelFn:
    """Fails unless both operands are equal, element by element (NaN equals nothing)."""
    return _judged(call, checked(equal, "equal"))


@custom_call_handler("check.eq")
def eq(call: CustomCall) -> KernelFn:
    """Fails unless both operands are equal: integers exactly, other numbers to 1e-4."""
    return _judged(call, checked(equal_or_within(1e-4), "equal"))


@custom_call_handler("check.expect_almost_eq")
def expect_almost_eq(call: CustomCall) -> KernelFn:
    """Fails unless both operands differ by no more than `tolerance` (default 1e-3)."""
    tolerance = call.get("tolerance")
    limit = DEFAULT_TOLERANCE if tolerance is None else float(tolerance)
    return _judged(call, checked(within(limit), "almost equal"))


@custom_call_handler("check.expect_close")
def expect_close(call: CustomCall) -> KernelFn:
    """Fails unless both operands are no more than `max_ulp_difference` (3) representable numbers apart."""
    limit = call.get("max_ulp_difference")
    return _judged(call, checked(within_ulps(DEFAULT_ULPS if limit is None else int(limit)), "close"))


def _judged(call: CustomCall, check: KernelFn) -> KernelFn:
    """Returns the check; if the call declares a result, one that returns true when the check passes."""
    call.require_operands(2)
    if not call.result_types:
        return check

    def evaluate(*operands: Any) -> Any:
        check(*operands)
        return np.True_

    return evaluate


def filled_message(message: str, sizes: list[str]) -> str:
    """Returns a message with `{0}`, `{1}`, ... replaced by sizes."""

    def size(match: re.Match[str]) -> str:
        index = int(match[1])
        return sizes[index] if index < len(sizes) else match[0]

    return re.sub(r"\{(\d+)\}", size, message)
