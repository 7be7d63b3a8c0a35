"""Functions that expressions may call, and arithmetic as expressions mean it.

Elements of narrow types are computed with as float64 and 64-bit integers; single integers are exact, of any
size. A part of a tensor, `min`, `max` and comparisons keep the tensor's own type.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, Final, Literal, cast

import numpy as np
from msgspec import Struct

from shlo.debugger.errors import DebuggerError
from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating, real_numbers, tensor_of, wide

MOST_BYTES: Final = 1 << 29
"""How many bytes a result on the way may take."""

MOST_BITS: Final = 4096
"""How many bits a single integer may have."""

WIDE: Final = ("int64", "uint64")
"""Types of integers that are computed with as they are."""

ORDERED: Final = ("float32", "float64", *WIDE, "int32", "uint32")
"""Types that are compared as they are."""

HALF: Final = 32
"""Integers are added up in halves of so many bits, so that no sum wraps around."""


class ExpressionFunction(Struct, frozen=True):
    """A function of the list: what computes it, its parameters, how many of them are needed."""

    act: Callable[..., Any]
    parameters: tuple[str, ...] = ("x",)
    least: int = 1


def array_of(value: Any) -> Array:
    """Returns a value as an array; raises DebuggerError for one that is no tensor."""
    if isinstance(value, (bool, int, float, complex)):
        if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
            return np.asarray(float(value))
        return np.asarray(value)
    array = tensor_of(value)
    if array is None:
        raise DebuggerError("expected a tensor, got a tuple or token")
    return array


def number_of(value: Any) -> Any:
    """Returns what arithmetic computes with: a Python integer, or an array of float64, complex128 or 64-bit
    integers.
    """
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, float):
        return np.float64(value)
    array = array_of(value)
    kind = array.dtype.kind
    if kind == "c":
        return fits(array, 16).astype(np.complex128)[()]
    if kind == "f" or is_floating(array):
        return array[()] if array.dtype == np.float64 else fits(array, 8).astype(np.float64)[()]
    if not array.ndim:
        return int(array)
    return array if array.dtype.name in WIDE else fits(array, 8).astype(np.int64)


def fits(array: Array, itemsize: int = 8) -> Array:
    """Returns an array; raises DebuggerError where one of its shape would be too large on the way."""
    check_size(array.size * itemsize)
    return array


def check_size(size_bytes: int) -> None:
    """Raises DebuggerError for a result that would be too large."""
    if size_bytes > MOST_BYTES:
        raise DebuggerError(f"a result on the way would take {size_bytes:,} B, of at most {MOST_BYTES:,} B")


def is_true(value: Any) -> bool:
    """Returns whether a condition of this value holds: for a tensor, where any element is not 0."""
    if isinstance(value, (bool, int, float)):
        return bool(value)
    array = array_of(value)
    return bool(np.any(real_numbers(array) if array.dtype.kind == "V" else array))


# --- arithmetic ---

_ARITHMETIC: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": np.true_divide,
    "//": np.floor_divide,
    "**": np.power,
}
RELATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}


def arithmetic(sign: str, left: Any, right: Any) -> Any:
    """Returns `left sign right`."""
    left, right = number_of(left), number_of(right)
    if isinstance(left, int) and isinstance(right, int):
        return _exact(sign, left, right)
    check_size(_broadcast_size(left, right) * 16)
    if sign == "**" and (isinstance(right, int) or np.asarray(right).dtype.kind in "iu"):
        right = np.float64(right)  # NumPy refuses integers to negative integer powers
    return _ARITHMETIC[sign](left, right)


def _exact(sign: str, left: int, right: int) -> Any:
    if sign == "/":
        return np.true_divide(np.float64(left), np.float64(right))
    if sign == "//":
        if not right:
            raise DebuggerError("an integer is divided by 0")
        return left // right
    if sign == "**":
        if right < 0:
            return np.power(np.float64(left), np.float64(right))
        if left.bit_length() * right > MOST_BITS:
            raise DebuggerError(f"{left} ** {right} has more than {MOST_BITS} bits")
        return left**right
    result = _ARITHMETIC[sign](left, right)
    if result.bit_length() > MOST_BITS:
        raise DebuggerError(f"an integer has more than {MOST_BITS} bits")
    return result


def compare(sign: str, left: Any, right: Any) -> Any:
    """Returns a comparison; complex numbers are ordered by magnitude. A literal beside a tensor is rounded to
    its type, so that `%x == 0.1` finds the float32 that is printed as 0.1.
    """
    if isinstance(left, int) and isinstance(right, int):
        return RELATIONS[sign](left, right)
    is_equality = sign in ("==", "!=")
    left, right = _rounded(left, right), _rounded(right, left)
    left, right = _comparable(left, is_equality), _comparable(right, is_equality)
    if not (isinstance(left, int) and isinstance(right, int)):
        check_size(_broadcast_size(left, right))
    return RELATIONS[sign](left, right)


def _comparable(value: Any, is_equality: bool) -> Any:
    if isinstance(value, (bool, int, float)):
        return value
    array = array_of(value)
    if not array.ndim and array.dtype.kind in "biu":
        return int(array)
    if is_equality and array.dtype.kind == "c":
        return array
    return array if array.dtype.name in ORDERED else real_numbers(fits(array))


def _rounded(value: Any, other: Any) -> Any:
    """Returns a literal rounded to the type of the floats that it is beside, if that has room for it."""
    if type(value) not in (float, int) or not isinstance(other, (np.ndarray, np.generic)):
        return value
    array = cast("Array", other)
    if not is_floating(array) or array.dtype.kind == "c" or array.dtype.itemsize == 8:
        return value
    try:
        rounded = float(array.dtype.type(value))
    except (OverflowError, ValueError):
        return value
    return rounded if np.isfinite(rounded) else value


def elementwise_logic(sign: str, left: Any, right: Any) -> Any:
    """Returns `left & right` or `left | right`: of truth values by element, of integers by bit."""
    if isinstance(left, (bool, int)) and isinstance(right, (bool, int)):
        return left & right if sign == "&" else left | right
    one, other = _bits(left), _bits(right)
    check_size(_broadcast_size(one, other) * 8)
    return one & other if sign == "&" else one | other


def negate(value: Any) -> Any:
    """Returns `-value`."""
    return -number_of(value)


def invert(value: Any) -> Any:
    """Returns `~value`: of truth values the opposite."""
    if isinstance(value, bool):
        return not value
    return ~(value if isinstance(value, int) else _bits(value))


def _bits(value: Any) -> Any:
    array = array_of(value)
    if array.dtype.kind == "b":
        return array
    number = number_of(array)
    if np.asarray(number).dtype.kind not in "iu" and not isinstance(number, int):
        raise DebuggerError("&, | and ~ take truth values or integers; write and, or, not")
    return number


def _broadcast_size(left: Any, right: Any) -> int:
    one, other = np.shape(left), np.shape(right)
    if not one or not other or one == other:
        return max(math.prod(one), math.prod(other))
    try:
        return math.prod(np.broadcast_shapes(one, other))
    except ValueError:
        raise DebuggerError(f"shapes {list(one)} and {list(other)} do not fit together") from None


# --- functions ---


def _by_element(act: Callable[[Any], Any]) -> ExpressionFunction:
    def apply(value: Any) -> Any:
        number = number_of(value)
        return act(np.float64(number) if isinstance(number, int) else fits(np.asarray(number), 16)[()])

    return ExpressionFunction(apply)


def _rounding(act: Callable[[Any], Any]) -> ExpressionFunction:
    """Returns a function that leaves integers what they are."""

    def apply(value: Any) -> Any:
        number = number_of(value)
        is_whole = isinstance(number, int) or np.asarray(number).dtype.kind in "iu"
        return number if is_whole else act(number)

    return ExpressionFunction(apply)


def _test(act: Callable[[Array], Any]) -> ExpressionFunction:
    """Returns a test of elements, of which integers never are infinite or NaN."""

    def apply(value: Any) -> Any:
        return act(_floats(value))

    return ExpressionFunction(apply)


def _floats(value: Any) -> Array:
    array = fits(array_of(value), 1)
    if array.dtype.kind in "fc":
        return array
    return array.astype(np.float32 if is_floating(array) else np.float64)


def _axis(value: Any, axis: Any) -> int | None:
    if axis is None:
        return None
    number = number_of(axis)
    if not isinstance(number, int) or not -np.ndim(value) <= number < np.ndim(value):
        raise DebuggerError(f"there is no axis {axis} in the shape {list(np.shape(value))}")
    return number


def _reduction(
    act: Callable[[Array, int | None], Any], prepare: Callable[[Any], Array]
) -> ExpressionFunction:
    def apply(value: Any, axis: Any = None) -> Any:
        array = prepare(value)
        return act(array, _axis(array, axis))

    return ExpressionFunction(apply, ("x", "axis"), 1)


def _numbers(value: Any) -> Array:
    return np.asarray(number_of(array_of(value)))


def _ordered(value: Any) -> Array:
    return real_numbers(array_of(value))


def _sum(array: Array, axis: int | None) -> Any:
    """Adds up; integers without wrapping around, where no axis is given."""
    if array.dtype.kind in "iu" and axis is None:
        high, low = array >> HALF, array & ((1 << HALF) - 1)
        return (int(high.sum()) << HALF) + int(low.sum())
    return array.sum(axis=axis)


def _summand(value: Any) -> Array:
    """Returns floats as they are where NumPy can add them up as float64, others as numbers."""
    array = array_of(value)
    return array if array.dtype.kind == "f" else _numbers(array)


def _floating_sum(array: Array, axis: int | None) -> Any:
    return array.sum(axis=axis, dtype=np.float64) if array.dtype.kind == "f" else _sum(array, axis)


def _mean(array: Array, axis: int | None) -> Any:
    _refuse_empty(array, "mean")
    return array.mean(axis=axis, dtype=np.float64 if array.dtype.kind != "c" else None)


def _extreme(name: Literal["min", "max", "argmin", "argmax"]) -> ExpressionFunction:
    def act(array: Array, axis: int | None) -> Any:
        _refuse_empty(array, name)
        return _plain(getattr(array, name)(axis=axis))

    return _reduction(act, _ordered)


def _spread(act: Callable[..., Any], name: str) -> ExpressionFunction:
    def apply(array: Array, axis: int | None) -> Any:
        _refuse_empty(array, name)
        return act(wide(array), axis=axis)

    return _reduction(apply, _numbers)


def _refuse_empty(array: Array, name: str) -> None:
    if not array.size:
        raise DebuggerError(f"{name} of no elements")


def _count(test: Callable[[Array], Array]) -> ExpressionFunction:
    return _reduction(lambda array, axis: _plain(np.count_nonzero(test(array), axis=axis)), _ordered)


def _plain(value: Any) -> Any:
    """Returns a single integer as an exact one."""
    return int(cast("Any", value)) if isinstance(value, (np.integer, np.bool_)) else value


def _norm(array: Array, axis: int | None) -> Any:
    magnitudes = np.abs(array).astype(np.float64)
    return np.sqrt(np.square(magnitudes).sum(axis=axis))


def _finite(value: Any) -> Array:
    numbers = real_numbers(fits(array_of(value), 1)).reshape(-1)
    return numbers[np.isfinite(numbers)] if numbers.dtype.kind == "f" else numbers


def extreme_of_finite(name: str, value: Any) -> Any:
    """Returns `min`, `max` or `mean` of the finite elements, without copying where all are finite."""
    numbers = _ordered(value)
    if name != "mean" and numbers.size:
        extreme = numbers.min() if name == "min" else numbers.max()
        if numbers.dtype.kind != "f" or np.isfinite(extreme):
            return _plain(extreme)
    finite = _finite(numbers)
    if not finite.size:
        raise DebuggerError(f"{name} of no finite elements")
    if name == "mean":
        return finite.mean(dtype=np.float64)
    return finite.min() if name == "min" else finite.max()


def _where(condition: Any, yes: Any, no: Any) -> Any:
    chosen, one, other = array_of(condition), _numbers(yes), _numbers(no)
    check_size(max(_broadcast_size(chosen, one), _broadcast_size(one, other)) * 16)
    return np.where(chosen.astype(bool), one, other)


def _pairwise(act: Callable[[Any, Any], Any]) -> ExpressionFunction:
    def apply(left: Any, right: Any) -> Any:
        one, other = number_of(left), number_of(right)
        check_size(_broadcast_size(one, other) * 16)
        return act(one, other)

    return ExpressionFunction(apply, ("x", "y"), 2)


def _clip(value: Any, low: Any, high: Any) -> Any:
    lowest = FUNCTIONS["maximum"].act(value, low)
    return FUNCTIONS["minimum"].act(lowest, high)


def _allclose(left: Any, right: Any, tolerance: Any = 1e-5) -> bool:
    one, other = _numbers(left), _numbers(right)
    check_size(_broadcast_size(one, other) * 16)
    return bool(np.allclose(one, other, rtol=float(tolerance), equal_nan=True))


def _mod(left: Any, right: Any) -> Any:
    if isinstance(left, int) and isinstance(right, int):
        if not right:
            raise DebuggerError("an integer is divided by 0")
        return left % right
    return np.mod(left, right)


def _diff(value: Any, axis: Any = -1) -> Any:
    array = _numbers(value)
    if not array.ndim:
        raise DebuggerError("diff of a single number")
    return np.diff(array, axis=_axis(array, axis) or 0)


def _cumsum(value: Any, axis: Any = None) -> Any:
    array = _numbers(value)
    return array.cumsum(axis=_axis(array, axis))


def _of(prepare: Callable[[Any], Any], act: Callable[[Any], Any]) -> ExpressionFunction:
    def apply(value: Any) -> Any:
        return act(prepare(value))

    return ExpressionFunction(apply)


FUNCTIONS: Final[dict[str, ExpressionFunction]] = {
    "abs": _of(number_of, abs),
    **{
        name: _by_element(cast("Callable[[Any], Any]", getattr(np, name)))
        for name in ("sqrt", "exp", "log", "log2", "log10", "sin", "cos", "tanh", "square", "sign")
    },
    **{
        name: _rounding(cast("Callable[[Any], Any]", getattr(np, name)))
        for name in ("round", "floor", "ceil")
    },
    "isnan": _test(np.isnan),
    "isinf": _test(np.isinf),
    "isfinite": _test(np.isfinite),
    "real": _of(number_of, np.real),
    "imag": _of(number_of, np.imag),
    "sum": _reduction(_floating_sum, _summand),
    "mean": _reduction(_mean, _summand),
    "min": _extreme("min"),
    "max": _extreme("max"),
    "prod": _reduction(lambda array, axis: array.astype(np.float64).prod(axis=axis), _numbers),
    "std": _spread(np.std, "std"),
    "var": _spread(np.var, "var"),
    "median": _spread(np.median, "median"),
    "norm": _reduction(_norm, _numbers),
    "argmax": _extreme("argmax"),
    "argmin": _extreme("argmin"),
    "any": _reduction(lambda array, axis: np.any(array, axis=axis), _ordered),
    "all": _reduction(lambda array, axis: np.all(array, axis=axis), _ordered),
    "nans": _count(lambda array: array != array),
    "infs": _count(np.isinf),
    "zeros": _count(lambda array: array == 0),
    "finite": ExpressionFunction(_finite),
    "size": _of(array_of, lambda array: array.size),
    "ndim": _of(array_of, lambda array: array.ndim),
    "shape": _of(array_of, lambda array: np.array(array.shape, np.int64)),
    "flat": _of(array_of, lambda array: array.reshape(-1)),
    "transpose": _of(array_of, lambda array: array.T),
    "sort": _of(array_of, lambda array: np.sort(_ordered(fits(array)), axis=None)),
    "diff": ExpressionFunction(_diff, ("x", "axis"), 1),
    "cumsum": ExpressionFunction(_cumsum, ("x", "axis"), 1),
    "minimum": _pairwise(np.minimum),
    "maximum": _pairwise(np.maximum),
    "mod": _pairwise(_mod),
    "clip": ExpressionFunction(_clip, ("x", "low", "high"), 3),
    "where": ExpressionFunction(_where, ("condition", "x", "y"), 3),
    "allclose": ExpressionFunction(_allclose, ("x", "y", "tolerance"), 2),
}
"""The functions of expressions; each is a method too: `%x.max()`."""

ATTRIBUTES: Final = {**{name: name for name in ("imag", "ndim", "real", "shape", "size")}, "T": "transpose"}
"""What NumPy's arrays have as attributes, and the functions that give it: `%x.shape`."""
