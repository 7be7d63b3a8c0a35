"""Differences between the interpreter and XLA that are known, with reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any, Final, cast

import numpy as np

from shlo.fuzzing.scope import kind_of
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation
from shlo.ir.types import element_type_of
from shlo.runner.statistics import is_floating
from shlo.support.records import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """A known difference.

    Args:
        name: what reports call it.
        reason: why it is none that matters, or whose fault it is.
        applies: tells by an operation and its operands whether it may show it.
    """

    name: str
    reason: str
    applies: Callable[[Operation, Sequence[Array]], bool]


def _has_subnormal(operation: Operation, operands: Sequence[Array]) -> bool:
    return any(map(_is_subnormal_in, operands))


def _is_subnormal_in(array: Array) -> bool:
    import ml_dtypes

    if not is_floating(array) or not array.size:
        return False
    tiny = float(cast("Any", ml_dtypes).finfo(array.dtype).smallest_normal)
    wide = array.astype(np.complex128)
    sizes = np.abs(np.stack([np.real(wide), np.imag(wide)]))
    return bool(((sizes > 0) & (sizes < tiny)).any())


def _is_not_finite(operation: Operation, operands: Sequence[Array]) -> bool:
    return any(each.dtype.kind == "c" and not np.isfinite(each).all() for each in operands)


def _has_equal_real_parts(operation: Operation, operands: Sequence[Array]) -> bool:
    if operation.name not in ("stablehlo.minimum", "stablehlo.maximum"):
        return False
    arrays = [each for each in operands if each.dtype.kind == "c"]
    return any(bool((np.real(one) == np.real(other)).any()) for one, other in pairwise(arrays))


def _of(name: str, *kinds: str) -> Callable[[Operation, Sequence[Array]], bool]:
    """Returns a test of an operation's name, and the kind of the elements of its first operand."""

    def applies(operation: Operation, operands: Sequence[Array]) -> bool:
        is_named = fnmatchcase(operation.name, name)
        return is_named and (not kinds or kind_of(element_type_of(operation.operand_types[0])) in kinds)

    return applies


KNOWN: Final = (
    Known(
        "subnormals",
        "XLA takes subnormal numbers for zero (docs/differences.md)",
        _has_subnormal,
    ),
    Known(
        "complex infinities",
        "XLA follows formulas where C99 (Annex G), and the interpreter, say what infinities and NaN give",
        _is_not_finite,
    ),
    Known(
        "leading zeros of constants",
        "XLA's folding of constants counts those of negative numbers in 64 bits: -56 for -2 of i8",
        _of("stablehlo.count_leading_zeros", "integer"),
    ),
    Known(
        "sums of boolean constants",
        "XLA's folding of constants adds them modulo 2: true + true is false",
        _of("stablehlo.add", "boolean"),
    ),
    Known(
        "rounding of constants",
        "XLA's folding of constants gives NaN for round_nearest_afz of f8E3M4",
        lambda operation, operands: (
            operation.name == "stablehlo.round_nearest_afz"
            and str(element_type_of(operation.operand_types[0])) == "f8E3M4"
        ),
    ),
    Known(
        "powers of integers",
        "XLA's folding of constants reads exponents of integers whole, its code the last six bits "
        "(docs/differences.md); of i4, (-1) to a negative power is 0",
        _of("*power", "integer"),
    ),
    Known(
        "products of i4",
        "XLA takes the upper half of the product in the byte that holds an i4",
        lambda operation, operands: (
            operation.name == "chlo.mulhi" and str(element_type_of(operation.operand_types[0])).endswith("i4")
        ),
    ),
    Known(
        "polygamma",
        "XLA multiplies n! by zeta(n + 1, x), of which the first overflows: NaN where the result is small",
        _of("*polygamma"),
    ),
    Known(
        "atan2 of complex numbers",
        "XLA gives another branch than -i log((x + iy) / sqrt(x^2 + y^2))",
        _of("*atan2", "complex"),
    ),
    Known(
        "complex constants",
        "with a constant operand, XLA's minimum and maximum give the other where real parts are equal",
        _has_equal_real_parts,
    ),
    Known("zeta", "XLA gives NaN for zeta(inf, 1), which is 1", _of("*zeta")),
)


def known_difference(operation: Operation, operands: Sequence[Array]) -> Known | None:
    """Returns the known difference that an operation with these operands may show, None where there is
    none.
    """
    return next((each for each in KNOWN if each.applies(operation, operands)), None)
