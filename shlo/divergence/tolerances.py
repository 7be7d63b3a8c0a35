"""How far the results of an operation on two engines may be apart, with reasons, by operation and type."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from math import sqrt
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.ir.dtypes import Array, float_limits
from shlo.runner.statistics import is_floating, largest_finite, wide

SAFETY: Final = 16
"""How many times as far as in one run with errors at random results may be apart."""

EVERY: Final = "*"
"""The pattern of all operations."""

HALF: Final = "half of the digits"
"""Why results of many operations may be apart."""

Scale = Literal["element", "tensor", "sum"]


class Tolerance(Struct, frozen=True):
    """How far floating-point results may be apart: `ulps` units in the last place of what `scale` names: of
    each element, of the largest element, or of the sums that an element is made of. Other results must be
    equal.

    Args:
        operations: patterns of names, or "transcendental" for all operations of that trait.
        ulps: units in the last place.
        scale: of which number.
        reason: why engines may differ there.
    """

    operations: tuple[str, ...]
    ulps: float
    scale: Scale
    reason: str

    def allowed(self, name: str, expected: Array, operands: Sequence[Any]) -> Any:
        """Returns how far each element of a result may be from `expected`, an array or a number; 0 for one
        that is no floating-point tensor with elements.

        Args:
            name: the operation.
            expected: the result.
            operands: the operation's operands, which sums depend on.
        """
        if not is_floating(expected) or not expected.size:
            return 0.0
        epsilon, tiny = _limits(expected)
        magnitudes = np.abs(wide(expected))
        factor = self.ulps * epsilon * (_COMPLEX_FACTOR if expected.dtype.kind == "c" else 1)
        if expected.dtype.kind == "c" and not factor:
            factor = _COMPLEX_FACTOR * epsilon
        if self.scale == "element":
            return factor * np.where(np.isfinite(magnitudes), magnitudes, 0) + tiny
        if self.scale == "tensor":
            return factor * max(_largest(magnitudes), 1.0) + tiny
        return factor * _largest_sum(name, magnitudes, operands) + tiny


EXACT: Final = Tolerance(("*",), 0, "element", "IEEE 754 leaves one result")

TOLERANCES: Final = (
    Tolerance(
        ("*dot*", "*convolution", "*dynamic_conv", "*einsum"),
        16,
        "sum",
        "products are summed in another order, with or without fused multiply-add",
    ),
    Tolerance(
        ("*reduce", "*reduce_window", "*scatter", "*reduce_scatter", "*all_reduce", "*batch_norm_*"),
        16,
        "sum",
        "elements are combined in another order, or in a wider type",
    ),
    Tolerance(
        ("*fft", "*cholesky", "*triangular_solve"),
        512,
        "tensor",
        "algorithms of many steps, backward stable: errors are those of the whole tensor",
    ),
    Tolerance(
        ("chlo.*",),
        1024,
        "tensor",
        "XLA expands a function into several operations, the interpreter does not",
    ),
    Tolerance(
        ("transcendental",),
        32,
        "element",
        "approximations; IEEE 754 asks no correct rounding of these functions",
    ),
    Tolerance(
        ("*.divide", "*.remainder", "*.abs", "*.multiply"),
        8,
        "element",
        "XLA multiplies by reciprocals, and forms complex numbers in other ways",
    ),
    EXACT,
)
"""The table: the first row whose operations match is that of an operation."""

_COMPLEX_FACTOR: Final = 16
"""Parts of complex numbers lose digits to each other: this many times more."""


class Tolerances(Struct, frozen=True):
    """The table, with what a user put before it.

    Args:
        given: patterns of operations with how far results may be apart, relative to the largest element.
        ignored: patterns of operations that are not compared.
    """

    given: tuple[tuple[str, float], ...] = ()
    ignored: tuple[str, ...] = ()

    def ignores(self, name: str) -> bool:
        """Returns whether an operation is not compared."""
        return any(_matches(name, pattern) for pattern in self.ignored)

    def allowed(self, name: str, expected: Array, operands: Sequence[Any]) -> Any:
        """Returns how far each element of a result may be from `expected`, as `Tolerance.allowed` does."""
        relative = next((relative for pattern, relative in self.given if _matches(name, pattern)), None)
        if relative is None or not is_floating(expected) or not expected.size:
            return tolerance_of(name).allowed(name, expected, operands)
        return relative * _largest(np.abs(wide(expected))) + _limits(expected)[1]

    def reason(self, name: str) -> str:
        """Returns why results of an operation may be as far apart as `allowed` says."""
        is_given = any(_matches(name, pattern) for pattern, _ in self.given)
        return "--tolerance" if is_given else tolerance_of(name).reason

    @property
    def is_given_for_all(self) -> bool:
        """Whether a user says how far the results of all operations may be apart."""
        return any(pattern == EVERY for pattern, _ in self.given)

    def together(self, expected: Array, epsilon: float, noise: float = 0.0) -> tuple[float, str]:
        """Returns how far elements may be from `expected` where differences of many operations add up, and
        why: what is given for all operations, else half of the digits of the largest element, counted in the
        least precise type that the program has computed in, whose `epsilon` is given; or, where that is more,
        SAFETY times the `noise` of a run with small errors at random.
        """
        own_limits, tiny = _limits(expected)
        epsilon = max(own_limits, epsilon)
        largest = max(_largest(np.abs(wide(expected))), tiny)
        relatives = (relative for pattern, relative in self.given if pattern == EVERY)
        allowed = next(relatives, sqrt(epsilon)) * largest
        if SAFETY * noise > allowed:
            return SAFETY * noise, f"{SAFETY} times what small errors become where sums cancel"
        return allowed, "--tolerance" if self.is_given_for_all else HALF


def tolerance_of(name: str) -> Tolerance:
    """Returns the row of the table for an operation."""
    op_def = find_op_def(name)
    is_transcendental = op_def is not None and op_def.has("transcendental")
    return next(
        row
        for row in TOLERANCES
        if any(
            is_transcendental if pattern == "transcendental" else fnmatchcase(name, pattern)
            for pattern in row.operations
        )
    )


def allowance_of(name: str) -> dict[str, Any]:
    """Returns an operation and how far its results may be apart, as manifests of cases tell it."""
    row = tolerance_of(name)
    return {"op": name, "ulps": row.ulps, "of": row.scale, "reason": row.reason}


def _limits(array: Array) -> tuple[float, float]:
    """Returns the epsilon of an array's type, and twice its smallest normal number: XLA takes smaller numbers
    for zero.
    """
    epsilon, smallest = float_limits(array.dtype)
    return epsilon, 2 * smallest


def _matches(name: str, pattern: str) -> bool:
    return fnmatchcase(name, pattern) or fnmatchcase(name.rpartition(".")[2], pattern)


def _largest(magnitudes: Array) -> float:
    return largest_finite(magnitudes) or 0.0


def _largest_sum(name: str, magnitudes: Array, operands: Sequence[Any]) -> float:
    """Returns how large the partial sums of an element may be: products of the operands' largest elements
    for contractions, their largest element for others, times the root of how many there are.
    """
    arrays = [
        np.asarray(operand)
        for operand in operands
        if hasattr(operand, "dtype") and is_floating(np.asarray(operand))
    ]
    largest = [_largest(np.abs(wide(array))) for array in arrays if array.size]
    if not largest:
        return _largest(magnitudes)
    is_product = any(fnmatchcase(name, pattern) for pattern in TOLERANCES[0].operations)
    if is_product:
        sizes = arrays[0].size * arrays[-1].size / max(magnitudes.size, 1)
        bound = float(np.prod(largest[:2])) * sqrt(max(1.0, sqrt(sizes)))
    else:
        bound = max(largest) * sqrt(max(1.0, arrays[0].size / max(magnitudes.size, 1)))
    return max(_largest(magnitudes), bound) * _depth(arrays, magnitudes)


def _depth(arrays: Sequence[Array], magnitudes: Array) -> float:
    """Returns how much longer sums lose more."""
    terms = max(array.size for array in arrays) / max(magnitudes.size, 1)
    return 1 + sqrt(max(terms, 1.0)) / 8
