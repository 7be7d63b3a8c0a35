"""Whether two tensors agree: equal, almost equal, close. What checks in test programs ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn
from shlo.ir.dense import bit_view
from shlo.ir.dtypes import Array


class CheckFailure(KernelError):
    """Two tensors that a check wants to agree do not."""


FARTHEST = 2**64 - 1
"""How far an infinity or NaN is from any other number, in representable numbers."""

Agrees = Callable[[Array, Array], Any]


def checked(agrees: Agrees, what: str) -> KernelFn:
    """Returns a function of an actual and an expected tensor; it raises CheckFailure where they do not
    agree."""

    def evaluate(lhs: Any, rhs: Any) -> None:
        lhs, rhs = np.asarray(lhs), np.asarray(rhs)
        if lhs.shape != rhs.shape:
            raise CheckFailure(f"expected {what} tensors, but their shapes are {lhs.shape} and {rhs.shape}")
        differs = np.argwhere(~np.asarray(agrees(lhs, rhs), np.bool_))
        if len(differs):
            at = tuple(int(index) for index in differs[0])
            raise CheckFailure(
                f"expected {what} tensors, but {len(differs)} of {lhs.size} elements differ, "
                f"first at {list(at)}: {lhs[at]} where {rhs[at]} is expected"
            )

    return evaluate


def equal(lhs: Array, rhs: Array) -> Any:
    """Equal, element by element: NaN equals nothing, and the zeros each other."""
    return np.equal(lhs, rhs)


def equal_or_within(tolerance: float) -> Agrees:
    """Equal integers; other numbers no further apart than the tolerance."""

    def agrees(lhs: Array, rhs: Array) -> Any:
        return np.equal(lhs, rhs) if lhs.dtype.kind in "biu" else within(tolerance)(lhs, rhs)

    return agrees


def within(tolerance: float) -> Agrees:
    """No further apart than the tolerance, each part of a complex number; NaN agrees with NaN, an infinity
    with itself."""

    def near(lhs: Any, rhs: Any) -> Any:
        return np.isclose(
            lhs.astype(np.float64), rhs.astype(np.float64), rtol=0.0, atol=tolerance, equal_nan=True
        )

    def agrees(lhs: Array, rhs: Array) -> Any:
        if lhs.dtype.kind == "c":
            return near(np.real(lhs), np.real(rhs)) & near(np.imag(lhs), np.imag(rhs))
        return near(lhs, rhs)

    return agrees


def within_ulps(limit: int, least: int = 0) -> Agrees:
    """From `least` to `limit` representable numbers apart; NaN agrees with NaN; integers must be equal. An
    infinity or NaN is `FARTHEST` from any other number."""

    def agrees(lhs: Array, rhs: Array) -> Any:
        if lhs.dtype.kind in "biu":
            return np.equal(lhs, rhs)
        distance = ulp_distance(lhs, rhs)
        both_nan = np.isnan(_parts(lhs)) & np.isnan(_parts(rhs))
        near = both_nan | ((distance <= limit) & (distance >= least))
        return near.all(-1) if lhs.dtype.kind == "c" else near

    return agrees


def ulp_distance(lhs: Array, rhs: Array) -> Any:
    """Returns how many representable numbers apart floating-point or complex elements are, of complex ones
    for both parts, along a last dimension; `FARTHEST` for an infinity or NaN and any other number.
    """
    left, right = _parts(lhs), _parts(rhs)
    is_far = ~(np.isfinite(left) & np.isfinite(right)) & (left != right)
    return np.where(is_far, np.uint64(FARTHEST), _steps_between(lhs, rhs))


def _steps_between(lhs: Array, rhs: Array) -> Array:
    """Returns how many representable numbers apart the elements are, the zeros being one number."""
    (lhs_negative, lhs_size), (rhs_negative, rhs_size) = _sign_and_magnitude(lhs), _sign_and_magnitude(rhs)
    apart = np.maximum(lhs_size, rhs_size) - np.minimum(lhs_size, rhs_size)
    return np.where(lhs_negative == rhs_negative, apart, lhs_size + rhs_size)


def _sign_and_magnitude(values: Array) -> tuple[Array, Array]:
    bits = bit_view(values)
    top = np.uint64(bits.dtype.itemsize * 8 - 1)
    wide = bits.astype(np.uint64)
    return wide >> top, wide & ((np.uint64(1) << top) - np.uint64(1))


def _parts(values: Array) -> Any:
    """Floats as they are; of complex numbers both parts, along a last dimension."""
    if values.dtype.kind == "c":
        return np.stack([np.real(values), np.imag(values)], -1)
    return values
