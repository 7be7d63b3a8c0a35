"""Custom calls that check something: the sizes a JAX export was promised, and the results of test
programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.interpreter.custom_calls import CustomCall, custom_call_handler
from shlo.interpreter.kernel import Evaluate, KernelError
from shlo.ir.dense import bit_view
from shlo.ir.dtypes import Array

DEFAULT_TOLERANCE = 1e-3
DEFAULT_ULPS = 3


@custom_call_handler("shape_assertion")
def shape_assertion(call: CustomCall) -> Evaluate:
    """Fails with `error_message`, `{i}` standing for the i-th size, where the first operand is false."""
    message = str(call.get("error_message") or "a size of an argument is not what the program was made for")

    def evaluate(holds: Any, *sizes: Any) -> None:
        if not holds:
            raise KernelError(_filled(message, [str(int(size)) for size in sizes]))

    return evaluate


@custom_call_handler("check.expect_eq")
def expect_eq(call: CustomCall) -> Evaluate:
    """Fails unless both operands are equal, element by element (NaN equals nothing)."""
    return _checked(np.equal, "equal")


@custom_call_handler("check.eq")
def eq(call: CustomCall) -> Evaluate:
    """Fails unless both operands are equal: integers exactly, other numbers to 1e-4."""
    return _checked(_equal_or_within(1e-4), "equal")


@custom_call_handler("check.expect_almost_eq")
def expect_almost_eq(call: CustomCall) -> Evaluate:
    """Fails unless both operands differ by no more than `tolerance` (1e-3 where it is not given)."""
    tolerance = call.get("tolerance")
    return _checked(_within(DEFAULT_TOLERANCE if tolerance is None else float(tolerance)), "almost equal")


@custom_call_handler("check.expect_close")
def expect_close(call: CustomCall) -> Evaluate:
    """Fails unless both operands are no more than `max_ulp_difference` (3) representable numbers apart."""
    limit = call.get("max_ulp_difference")
    return _checked(_within_ulps(DEFAULT_ULPS if limit is None else int(limit)), "close")


Agrees = Callable[[Array, Array], Any]


def _checked(agrees: Agrees, what: str) -> Evaluate:
    def evaluate(lhs: Any, rhs: Any) -> None:
        lhs, rhs = np.asarray(lhs), np.asarray(rhs)
        if lhs.shape != rhs.shape:
            raise KernelError(f"expected {what} tensors, but their shapes are {lhs.shape} and {rhs.shape}")
        differs = np.argwhere(~np.asarray(agrees(lhs, rhs), np.bool_))
        if len(differs):
            at = tuple(int(index) for index in differs[0])
            raise KernelError(
                f"expected {what} tensors, but {len(differs)} of {lhs.size} elements differ, "
                f"first at {list(at)}: {lhs[at]} and {rhs[at]}"
            )

    return evaluate


def _equal_or_within(tolerance: float) -> Agrees:
    def agrees(lhs: Array, rhs: Array) -> Any:
        return np.equal(lhs, rhs) if lhs.dtype.kind in "biu" else _within(tolerance)(lhs, rhs)

    return agrees


def _within(tolerance: float) -> Agrees:
    def agrees(lhs: Array, rhs: Array) -> Any:
        wide = np.complex128 if lhs.dtype.kind == "c" else np.float64
        return np.isclose(lhs.astype(wide), rhs.astype(wide), rtol=0.0, atol=tolerance, equal_nan=True)

    return agrees


def _within_ulps(limit: int) -> Agrees:
    def agrees(lhs: Array, rhs: Array) -> Any:
        if lhs.dtype.kind in "biu":
            return np.equal(lhs, rhs)
        distance = _steps_between(lhs, rhs)
        both_nan = _parts_are_nan(lhs) & _parts_are_nan(rhs)
        one_nan = _parts_are_nan(lhs) ^ _parts_are_nan(rhs)
        near = both_nan | (~one_nan & (distance <= limit))
        return near.all(-1) if lhs.dtype.kind == "c" else near

    return agrees


def _steps_between(lhs: Array, rhs: Array) -> Array:
    """How many representable numbers apart the elements are, the zeros being one number."""
    (lhs_negative, lhs_size), (rhs_negative, rhs_size) = _sign_and_magnitude(lhs), _sign_and_magnitude(rhs)
    apart = np.maximum(lhs_size, rhs_size) - np.minimum(lhs_size, rhs_size)
    return np.where(lhs_negative == rhs_negative, apart, lhs_size + rhs_size)


def _sign_and_magnitude(values: Array) -> tuple[Array, Array]:
    bits = bit_view(values)
    top = np.uint64(bits.dtype.itemsize * 8 - 1)
    wide = bits.astype(np.uint64)
    return wide >> top, wide & ((np.uint64(1) << top) - np.uint64(1))


def _parts_are_nan(values: Array) -> Any:
    if values.dtype.kind == "c":
        return np.stack([np.isnan(np.real(values)), np.isnan(np.imag(values))], -1)
    return np.isnan(values)


def _filled(message: str, sizes: list[str]) -> str:
    def size(match: re.Match[str]) -> str:
        index = int(match[1])
        return sizes[index] if index < len(sizes) else match[0]

    return re.sub(r"\{(\d+)\}", size, message)
