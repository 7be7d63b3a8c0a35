"""The values that formulas compute with, and their arithmetic.

Numbers are Python's; lists, shapes and tensors of attributes are tuples. What a placeholder hides is not
known: a dimension is then an `Interval`, anything else is UNKNOWN, and so is what is computed from it. A
comparison gives True, False or UNKNOWN (undecided). Specification: "Values", "Dynamism".
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from numbers import Rational
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

from msgspec import Struct

from shlo.ir.types import FunctionType, RankedTensorType, TupleType, Type, UnknownType, UnrankedTensorType

if TYPE_CHECKING:
    from fractions import Fraction


class Unknown:
    """The class of UNKNOWN."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "?"

    def __bool__(self) -> bool:
        raise TypeError("what is not known is neither true nor false")


UNKNOWN: Final = Unknown()
"""A value that only running the program tells."""

Truth = bool | Unknown


class Undefined(Exception):
    """A formula has no value here: lists of different lengths, an axis that a tensor lacks. Another
    constraint reports that."""


class Interval(Struct, frozen=True):
    """A number that is known to lie between two bounds, both included; `high` is None for no bound."""

    low: int
    high: int | None

    def __str__(self) -> str:
        return "?" if self.high is None else f"?<={self.high}"


class Word(Struct, frozen=True):
    """A word of an enumeration."""

    word: str

    def __str__(self) -> str:
        return self.word


class Placeholder(Struct, frozen=True):
    """A value of the program: its type, and what it is where a constant gives it (nested tuples)."""

    type: Type
    value: Any = UNKNOWN


ANY_SIZE: Final = Interval(0, None)

Number: TypeAlias = "int | float | Fraction | Interval"


# --- truth ---


def both(left: Truth, right: Callable[[], Truth]) -> Truth:
    """Kleene's `and`."""
    if left is False:
        return False
    other = right()
    return other if left is True or other is False else UNKNOWN


def either(left: Truth, right: Callable[[], Truth]) -> Truth:
    """Kleene's `or`."""
    if left is True:
        return True
    other = right()
    return other if left is False or other is True else UNKNOWN


def opposite(truth: Truth) -> Truth:
    """Returns the negation of a truth value; the negation of an unknown one is unknown."""
    return truth if isinstance(truth, Unknown) else not truth


def holds_for_all(truths: Sequence[Truth]) -> Truth:
    """True when all are; False when one is."""
    if False in truths:
        return False
    return all(truth is True for truth in truths) or UNKNOWN


def as_truth(value: Any) -> Truth:
    """Returns a truth, or a list of them that must all hold."""
    if isinstance(value, tuple):
        return holds_for_all([as_truth(item) for item in cast("tuple[Any, ...]", value)])
    if value is True or value is False or isinstance(value, Unknown):
        return value
    raise Undefined(f"{value!r} is no truth")


# --- comparing ---


def equal(left: Any, right: Any) -> Truth:
    """`=`: types are compatible, lists and tensors equal element by element; a scalar refers to a list of
    itself."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if isinstance(left, Type) and isinstance(right, Type):
        return compatible(left, right)
    if isinstance(left, tuple) or isinstance(right, tuple):
        return _equal_lists(left, right)
    if isinstance(left, Interval) or isinstance(right, Interval):
        return _intervals_meet(left, right)
    return bool(left == right)


def _equal_lists(left: Any, right: Any) -> Truth:
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return holds_for_all([equal(one, other) for one, other in broadcast(left, right)])
    lefts, rights = cast("tuple[Any, ...]", left), cast("tuple[Any, ...]", right)
    if len(lefts) != len(rights):
        return False
    return holds_for_all([equal(one, other) for one, other in zip(lefts, rights)])


def _intervals_meet(left: Any, right: Any) -> Truth:
    if left is None or right is None:
        return False
    (low, high), (other_low, other_high) = bounds(left), bounds(right)
    if (high is not None and high < other_low) or (other_high is not None and other_high < low):
        return False
    return UNKNOWN


def compatible(left: Type, right: Type) -> Truth:
    """Returns whether two types may be the same one when the program runs: sizes that are not known fit
    all."""
    if isinstance(left, UnknownType) or isinstance(right, UnknownType):
        return UNKNOWN
    if isinstance(left, RankedTensorType) and isinstance(right, RankedTensorType):
        if left is right and left.is_static:
            return True
        same = left.element_type == right.element_type
        return both(same, lambda: equal(sizes(left), sizes(right)))
    if isinstance(left, UnrankedTensorType) or isinstance(right, UnrankedTensorType):
        return both(_element(left) == _element(right), lambda: UNKNOWN)
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        return equal(left.types, right.types)
    if isinstance(left, FunctionType) and isinstance(right, FunctionType):
        return both(equal(left.inputs, right.inputs), lambda: equal(left.results, right.results))
    return left == right


def _element(type_: Type) -> Type | None:
    return type_.element_type if isinstance(type_, RankedTensorType | UnrankedTensorType) else None


def less(left: Any, right: Any, strict: bool) -> Truth:
    """`<` or `<=`, element by element."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if isinstance(left, tuple) or isinstance(right, tuple):
        return holds_for_all([less(one, other, strict) for one, other in broadcast(left, right)])
    if left is None or right is None:
        raise Undefined("nothing has no order")
    (low, high), (other_low, other_high) = bounds(left), bounds(right)
    before = operator.lt if strict else operator.le
    if high is not None and before(high, other_low):
        return True
    if other_high is not None and not before(low, other_high):
        return False
    return UNKNOWN


def contains(values: Any, item: Any) -> Truth:
    """`in`."""
    if values is UNKNOWN or item is UNKNOWN:
        return UNKNOWN
    if not isinstance(values, tuple):
        raise Undefined(f"{values!r} is no list")
    collected = [equal(value, item) for value in cast("tuple[Any, ...]", values)]
    return opposite(holds_for_all([opposite(truth) for truth in collected]))


def same_object(left: Any, right: Any) -> Truth:
    """`is`: for None."""
    return UNKNOWN if left is UNKNOWN or right is UNKNOWN else left is right


# --- arithmetic ---


def bounds(number: Any) -> tuple[Any, Any]:
    """Returns the lowest and the highest value that a number may have."""
    if isinstance(number, Interval):
        return number.low, number.high
    if isinstance(number, int | float | Rational):
        return number, number
    raise Undefined(f"{number!r} is no number")


def _number(value: Any) -> Any:
    bounds(value)
    return value


def broadcast(left: Any, right: Any) -> list[tuple[Any, Any]]:
    """Returns the elements of two lists side by side; a scalar is repeated."""
    if not isinstance(left, tuple):
        return [(left, item) for item in cast("tuple[Any, ...]", right)]
    lefts = cast("tuple[Any, ...]", left)
    if not isinstance(right, tuple):
        return [(item, right) for item in lefts]
    rights = cast("tuple[Any, ...]", right)
    if len(lefts) != len(rights):
        raise Undefined(f"lists of {len(lefts)} and {len(rights)} elements")
    return list(zip(lefts, rights))


def elementwise(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """Returns an operation on numbers as one on numbers and lists, UNKNOWN where an operand is."""

    def apply(left: Any, right: Any) -> Any:
        if left is UNKNOWN or right is UNKNOWN:
            return UNKNOWN
        if isinstance(left, tuple) or isinstance(right, tuple):
            return tuple(apply(one, other) for one, other in broadcast(left, right))
        if isinstance(left, Interval) or isinstance(right, Interval):
            return _on_intervals(function, left, right)
        return function(_number(left), _number(right))

    return apply


def _on_intervals(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Returns the interval of what a monotonic operation gives; anything, where a bound is missing that it
    needs."""
    (low, high), (other_low, other_high) = bounds(left), bounds(right)
    if function is operator.mul and low >= 0 and other_low >= 0:
        return _interval(low * other_low, _maybe(operator.mul, high, other_high))
    if function is operator.add:
        return _interval(low + other_low, _maybe(operator.add, high, other_high))
    if function is operator.sub:
        return (
            UNKNOWN
            if other_high is None
            else _interval(low - other_high, _maybe(operator.sub, high, other_low))
        )
    if function is quotient and other_low == other_high and other_low > 0:
        return _interval(math.floor(low / other_low), None if high is None else math.ceil(high / other_low))
    if function in (max, min):
        return _interval(function(low, other_low), _extreme(function, high, other_high))
    return UNKNOWN


def _interval(low: Any, high: Any) -> Any:
    return low if low == high else Interval(low, high)


def _maybe(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    return None if left is None or right is None else function(left, right)


def _extreme(function: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    """Returns the upper bound of `max` or `min`, where None has no end."""
    if function is min and (left is None or right is None):
        return right if left is None else left
    return _maybe(function, left, right)


def quotient(left: Any, right: Any) -> Any:
    """`/`, exact: a whole number where it is one."""
    if right == 0:
        raise Undefined("division by zero")
    if isinstance(left, int) and isinstance(right, int) and left % right == 0:
        return left // right
    from fractions import Fraction  # loads decimal numbers

    ratio = Fraction(left) / Fraction(right)
    return ratio.numerator if ratio.denominator == 1 else ratio


def remainder(left: Any, right: Any) -> Any:
    """`%`."""
    if right == 0:
        raise Undefined("division by zero")
    return left % right


def negative(value: Any) -> Any:
    """`-x`."""
    return subtract(0, value)


add = elementwise(operator.add)
subtract = elementwise(operator.sub)
multiply = elementwise(operator.mul)
divide = elementwise(quotient)
modulo = elementwise(remainder)
maximum = elementwise(max)
minimum = elementwise(min)


def concatenate(left: Any, right: Any) -> Any:
    """`++`."""
    if left is UNKNOWN or right is UNKNOWN:
        return UNKNOWN
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        raise Undefined("only lists follow each other")
    return cast("tuple[Any, ...]", left) + cast("tuple[Any, ...]", right)


def rounded(function: Callable[[Any], int]) -> Callable[[Any], Any]:
    """`ceil` or `floor` of numbers and lists."""

    def apply(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(map(apply, cast("tuple[Any, ...]", value)))
        return value if isinstance(value, Interval | Unknown) else function(value)

    return apply


# --- types ---


def sizes(type_: Type) -> tuple[int | Interval, ...] | Unknown:
    """Returns the shape of a tensor; a size that is not known is an interval up to its bound."""
    if isinstance(type_, RankedTensorType):
        if type_.is_static:
            return cast("tuple[int, ...]", type_.shape)
        limits: tuple[int | None, ...] = getattr(type_.encoding, "bounds", ()) or (None,) * type_.rank
        return tuple(
            (ANY_SIZE if limit is None else Interval(0, limit)) if size is None else size
            for size, limit in zip(type_.shape, limits)
        )
    if isinstance(type_, UnrankedTensorType | UnknownType):
        return UNKNOWN
    raise Undefined(f"{type_} has no shape")


def type_of(value: Any) -> Any:
    """Returns the type of a placeholder; a type itself; UNKNOWN where it is not known."""
    if isinstance(value, Placeholder):
        value = value.type
    if isinstance(value, Type):
        return UNKNOWN if isinstance(value, UnknownType) else value
    if value is UNKNOWN:
        return UNKNOWN
    raise Undefined(f"{value!r} has no type")
