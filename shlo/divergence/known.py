"""Differences between the interpreter and XLA that are known: which elements of which operations, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, cast

import numpy as np
from msgspec import Struct

from shlo.dialects import find_op_def
from shlo.divergence.findings import elements_beyond
from shlo.divergence.tolerances import EXACT, tolerance_of
from shlo.interpreter.kernels.numeric import Kind, kind_of
from shlo.ir.dtypes import Array, bit_width, float_limits
from shlo.ir.operations import Operation
from shlo.ir.types import Type, element_type_of
from shlo.runner.statistics import is_floating, same_elements


class Carried(Struct, frozen=True):
    """An operation that the interpreter has carried out.

    Args:
        operation: the operation.
        operands: its operands, and what its regions use from outside.
        results: its results.
        given: what the engine gives on the same operands, in the results' order; None where that is not
            known, inside of a program.
        is_foldable: whether its operands may all be constants where the engine compiles it.
    """

    operation: Operation
    operands: Sequence[Array]
    results: Sequence[Array]
    given: Sequence[Array] | None = None
    is_foldable: bool = True

    @property
    def element(self) -> Type:
        """The type of the first operand's elements."""
        return element_type_of(self.operation.operand_types[0])

    def is_named(self, *names: str) -> bool:
        """Returns whether the operation is one of these, or chlo's that broadcasts its operands before."""
        short = self.operation.name.partition(".")[2].removeprefix("broadcast_")
        return short in names

    @property
    def aligned(self) -> tuple[Array, ...]:
        """The operands, broadcast to the shape of the result where the operation does that."""
        shape = np.shape(self.results[0])
        attribute: Any = self.operation.attribute("broadcast_dimensions")
        operands: list[Array] = []
        for operand in self.operands:
            if attribute is not None and np.shape(operand) != shape:
                sizes = [1] * len(shape)
                for axis, size in zip(attribute.values, np.shape(operand)):
                    sizes[axis] = size
                operand = np.reshape(operand, sizes)
            operands.append(np.broadcast_to(operand, shape))
        return tuple(operands)

    def gives(self, expected: Callable[[Array], Array]) -> Array:
        """Returns of which elements the engine's first result is what is expected; all, where it is not
        known.
        """
        if self.given is None:
            return np.ones(np.shape(self.results[0]), bool)
        return np.asarray(expected(self.given[0]))


Explained = Array | bool
"""Which elements of the first result may differ, or whether any of any result may."""


class Known(Struct, frozen=True):
    """A known difference.

    Args:
        name: what reports call it.
        reason: why it is none that matters, or whose fault it is.
        explains: returns which elements of an operation's results may differ because of it.
    """

    name: str
    reason: str
    explains: Callable[[Carried], Explained]


def _subnormals(step: Carried) -> Explained:
    if not step.operation.operand_types or _moves(step.operation):
        return False
    if not _is_by_element(step.operation):
        return any(bool(is_subnormal(array).any()) for array in (*step.operands, *step.results))
    return _any_of([is_subnormal(array) for array in (*step.aligned, *step.results)])


def _moves(operation: Operation) -> bool:
    """Returns whether an operation computes nothing: its results hold elements of its operands."""
    is_exact = tolerance_of(operation.name) is EXACT
    return operation.name == "stablehlo.select" or (
        is_exact and not operation.regions and not _is_by_element(operation)
    )


def _is_by_element(operation: Operation) -> bool:
    op_def = find_op_def(operation.name)
    is_broadcast = operation.name.startswith("chlo.broadcast_")
    return is_broadcast or (op_def is not None and op_def.has("elementwise"))


def is_subnormal(array: Array) -> Array:
    """Returns which elements are too small for a normal number of f32 or f64, in a type that has such."""
    array = np.asarray(array)
    if not is_floating(array) or array.dtype.name not in _COMPUTED_IN_F32_OR_F64:
        return np.zeros(array.shape, bool)
    tiny = float_limits(array.dtype).smallest_normal
    wide = array.astype(np.complex128)
    sizes = np.abs(np.stack([np.real(wide), np.imag(wide)]))
    return np.asarray(((sizes > 0) & (sizes < tiny)).any(0))


_COMPUTED_IN_F32_OR_F64: Final = ("float32", "float64", "bfloat16", "complex64", "complex128")
"""Types whose smallest numbers are those of f32 or f64; those of narrower ones are no subnormals there."""


def _complex_infinities(step: Carried) -> Explained:
    if tolerance_of(step.operation.name) is EXACT:
        return False
    if not _is_by_element(step.operation):
        return any(bool(_is_not_finite(operand).any()) for operand in step.operands)
    return _any_of([_is_not_finite(operand) for operand in step.aligned])


def _is_not_finite(array: Array) -> Array:
    return ~np.isfinite(array) if array.dtype.kind == "c" else np.zeros(array.shape, bool)


def _leading_zeros(step: Carried) -> Explained:
    if not (step.is_named("count_leading_zeros") and step.is_foldable):
        return False
    (operand,) = step.operands
    wrong = np.asarray(bit_width(step.element) - 64).astype(operand.dtype)
    return (operand < 0) & step.gives(lambda result: result == wrong)


def _sums_of_booleans(step: Carried) -> Explained:
    if not (step.is_named("add") and step.is_foldable and kind_of(step.element) is Kind.BOOLEAN):
        return False
    left, right = step.aligned
    return left & right & step.gives(np.logical_not)


def _rounding(step: Carried) -> Explained:
    is_rounding = step.is_named("round_nearest_afz", "round_nearest_even")
    is_it = is_rounding and step.is_foldable and str(step.element) == "f8E3M4"
    return is_it and step.gives(lambda result: np.isnan(result.astype(np.float32)))


def _reduced_precision(step: Carried) -> Explained:
    if not (step.is_named("reduce_precision") and step.is_foldable):
        return False
    has_none = _number(step.operation, "mantissa_bits") == 0
    is_nan = np.isnan(step.operands[0].astype(np.float64))
    return has_none & is_nan & step.gives(lambda result: np.isinf(result.astype(np.float64)))


def _powers(step: Carried) -> Explained:
    if not (step.is_named("power") and step.is_foldable):
        return False
    if kind_of(step.element) not in (Kind.SIGNED, Kind.UNSIGNED):
        return False
    exponents = step.aligned[1]
    return (exponents < 0) | (exponents.astype(np.uint64) > _LAST_SIX_BITS)


_LAST_SIX_BITS: Final = 63


def _products_of_four_bits(step: Carried) -> Explained:
    if not step.is_named("mulhi") or bit_width(step.element) != 4:
        return False
    left, right = (operand.astype(np.int16) for operand in step.aligned)
    return step.gives(lambda result: result.astype(np.int16) == (left * right) >> 8)


def _zeta(step: Carried) -> Explained:
    if not step.is_named("zeta"):
        return False
    exponents, places = step.aligned
    return _zeta_is_wrong(step, *_as_computed(exponents, places))


def _polygamma(step: Carried) -> Explained:
    if not step.is_named("polygamma"):
        return False
    orders, places = _as_computed(*step.aligned)
    with np.errstate(all="ignore"):
        # by Stirling's formula, n! is larger than (n / e)^n
        overflows = orders * (np.log(np.maximum(orders, 1)) - 1) > np.log(np.finfo(orders.dtype).max)
    is_lost = overflows & step.gives(lambda result: ~np.isfinite(result.astype(np.float64)))
    return is_lost | _zeta_is_wrong(step, orders + 1, places)


def _pole_of_digamma(step: Carried) -> Explained:
    if not step.is_named("digamma", "polygamma"):
        return False
    expected = np.asarray(step.results[0])
    return np.isnan(expected.astype(np.float64)) & step.gives(
        lambda result: np.isneginf(result.astype(np.float64))
    )


def _as_computed(*arrays: Array) -> tuple[Array, ...]:
    """Returns arrays in the type in which XLA computes functions of them."""
    dtype = np.float64 if arrays[0].dtype == np.float64 else np.float32
    return tuple(array.astype(dtype) for array in arrays)


def _zeta_is_wrong(step: Carried, exponents: Array, places: Array) -> Array:
    """Returns where XLA's sum of nine terms and those of Euler and Maclaurin is not zeta."""
    last = places + 9
    with np.errstate(all="ignore"):
        factor = np.ones_like(last)
        for term in range(_TERMS):
            factor *= (exponents + 2 * term) * (exponents + 2 * term + 1) / last**2
        power = np.abs(last**-exponents)
    overflows = ~(np.isfinite(factor) & np.isfinite(places) & np.isfinite(exponents))
    is_flushed = power < np.finfo(power.dtype).tiny
    is_lost = step.gives(lambda result: np.isnan(result.astype(np.float64)) | (result == 0))
    return (places < 0) | ((overflows | is_flushed) & is_lost)


_TERMS: Final = 11
"""Terms of Euler's and Maclaurin's formula."""


def _complex_atan2(step: Carried) -> Explained:
    if not step.is_named("atan2") or step.given is None or kind_of(step.element) is not Kind.COMPLEX:
        return False
    y, x = (operand.astype(np.complex128) for operand in step.aligned)
    with np.errstate(all="ignore"):
        apart = step.given[0].astype(np.complex128) - step.results[0]
        turns = np.round(apart.real / np.pi)
        is_branch = np.abs(apart - turns * np.pi) <= _DIGITS_LOST * np.finfo(step.results[0].dtype).eps
    return is_branch | (x * x + y * y == 0)


_DIGITS_LOST: Final = 1024
"""How many units in the last place of 1 a logarithm of nearly 1 may be wrong."""


def _order_of_complex_numbers(step: Carried) -> Explained:
    if not step.is_named("minimum", "maximum", "clamp") or kind_of(step.element) is not Kind.COMPLEX:
        return False
    operands, (expected,) = step.aligned, step.results
    is_one = step.gives(lambda result: _any_of([_is_same(result, candidate) for candidate in operands]))
    equal = sum(np.real(operand) == np.real(expected) for operand in operands)
    is_tie = (equal > 1) & step.gives(lambda result: np.real(result) == np.real(expected))
    return is_one & (is_tie | _any_of([np.isnan(operand) for operand in operands]))


def _is_same(one: Array, other: Array) -> Array:
    """Returns which complex numbers are the same, NaN and NaN included."""
    parts = ((part(one), part(other)) for part in (np.real, np.imag))
    return np.logical_and.reduce([same_elements(a, b) for a, b in parts])


def _log_plus_one(step: Carried) -> Explained:
    if not step.is_named("log_plus_one") or str(step.element) != "f64":
        return False
    (places,), (expected,) = step.operands, step.results
    allowed = _LOG_PLUS_ONE_LOST * np.finfo(np.float64).eps * np.abs(expected)
    is_near = step.gives(lambda result: np.abs(result - expected) <= allowed)
    return (1 - np.sqrt(2) <= places) & (places < -1 / 3) & is_near


_LOG_PLUS_ONE_LOST: Final = 128
"""How many units in the last place XLA's log_plus_one of f64 may be wrong: 121 in 200,000 places."""


def _variances(step: Carried) -> Explained:
    if not step.is_named("batch_norm_training") or step.given is None or not step.operands[0].size:
        return False
    axis, epsilon = (_number(step.operation, name) for name in ("feature_index", "epsilon"))
    operand, scale = (operand.astype(np.float64) for operand in step.operands[:2])
    rows = np.moveaxis(operand, int(axis), 0).reshape(scale.size, -1)
    unit = _UNITS_LOST * float_limits(step.results[0].dtype).epsilon
    of_means = unit * np.abs(rows).max(1)
    of_variances = unit * (rows * rows).max(1)
    distances = np.abs(rows - rows.mean(1, keepdims=True)).max(1)
    spread = rows.var(1) + epsilon
    with np.errstate(all="ignore"):
        steepest = np.abs(scale) / np.sqrt(spread - of_variances)
        of_outputs = distances * (steepest - np.abs(scale) / np.sqrt(spread)) + of_means * steepest
    # a variance that comes out below -epsilon has no root
    of_outputs = np.where(spread <= of_variances, np.inf, of_outputs)
    of_outputs = of_outputs.reshape([-1 if number == axis else 1 for number in range(operand.ndim)])
    return not any(
        (elements_beyond(expected, result, bound) & ~np.isinf(bound)).any()
        for expected, result, bound in zip(step.results, step.given, (of_outputs, of_means, of_variances))
    )


def _number(operation: Operation, name: str) -> float:
    """Returns the value of an attribute that is a number."""
    return float(cast("Any", operation.attribute(name)).value)


_UNITS_LOST: Final = 16
"""How many units in the last place of its terms a sum may be wrong, as in the table of tolerances."""


def _any_of(masks: Sequence[Array]) -> Array:
    return np.logical_or.reduce(np.broadcast_arrays(*masks))


KNOWN: Final = (
    Known(
        "subnormals",
        "XLA takes subnormal numbers for zero (docs/differences.md)",
        _subnormals,
    ),
    Known(
        "complex infinities",
        "XLA follows formulas where C99 (Annex G), and the interpreter, say what infinities and NaN give",
        _complex_infinities,
    ),
    Known(
        "leading zeros of constants",
        "XLA's folding of constants counts those of negative numbers in 64 bits: -56 for -2 of i8",
        _leading_zeros,
    ),
    Known(
        "sums of boolean constants",
        "XLA's folding of constants adds them modulo 2: true + true is false",
        _sums_of_booleans,
    ),
    Known(
        "rounding of constants",
        "XLA's folding of constants gives NaN for round_nearest_afz and round_nearest_even of f8E3M4",
        _rounding,
    ),
    Known(
        "reduced precision of constants",
        "XLA's folding of constants gives infinity for reduce_precision of NaN without mantissa bits, its "
        "code NaN (docs/differences.md)",
        _reduced_precision,
    ),
    Known(
        "powers of integer constants",
        "XLA's folding of constants reads exponents of integers whole, its code the last six bits "
        "(docs/differences.md); of i4, (-1) to a negative power is 0",
        _powers,
    ),
    Known(
        "products of i4",
        "XLA takes the upper half of the product in the byte that holds an i4",
        _products_of_four_bits,
    ),
    Known(
        "polygamma",
        "XLA multiplies n! by zeta(n + 1, x), of which the first overflows",
        _polygamma,
    ),
    Known(
        "pole of digamma",
        "XLA of jaxlib 0.12 gives -infinity for digamma and polygamma of order 0 at 0; jaxlib 0.10 gives NaN",
        _pole_of_digamma,
    ),
    Known(
        "zeta",
        "XLA adds nine terms and Euler's and Maclaurin's formula: NaN or 0 for zeta(x, q) where a factor "
        "overflows or a power is subnormal, as for infinite x or q; wrong for negative q, where terms "
        "cancel, or are more than nine",
        _zeta,
    ),
    Known(
        "atan2 of complex numbers",
        "XLA gives another branch than -i log((x + iy) / sqrt(x^2 + y^2)), loses digits in logarithms of "
        "nearly 1, and gives NaN where x^2 + y^2 is 0",
        _complex_atan2,
    ),
    Known(
        "order of complex numbers",
        "XLA's minimum, maximum and clamp compare real parts alone: any operand where these are equal, or "
        "where a part is NaN",
        _order_of_complex_numbers,
    ),
    Known(
        "log_plus_one",
        "XLA's log_plus_one of f64 loses up to 7 bits between 1 - sqrt(2) and -1/3",
        _log_plus_one,
    ),
    Known(
        "variances",
        "XLA's batch_norm_training subtracts the square of the mean from the mean of squares, which cancel",
        _variances,
    ),
)


def explanation_of_elements(step: Carried, differing: Sequence[Array]) -> Known | None:
    """Returns the known difference of an operation that explains all elements that differ, the first one
    where several do together; None where one is left.

    Args:
        step: the operation, with the results of both engines.
        differing: which elements of each result differ.
    """
    left = [np.array(mask) for mask in differing]
    explanation: Known | None = None
    for row in KNOWN:
        explained = row.explains(step)
        if not np.any(explained):
            continue
        rest = [mask & ~np.broadcast_to(explained, mask.shape) for mask in left]
        if explanation is None and any((was & ~now).any() for was, now in zip(left, rest)):
            explanation = row
        left = rest
    return None if any(mask.any() for mask in left) else explanation


def explanation_of_steps(steps: Iterable[Carried]) -> Known | None:
    """Returns the first known difference that an operation may show, None where there is none."""
    return next((row for step in steps for row in KNOWN if np.any(row.explains(step))), None)
