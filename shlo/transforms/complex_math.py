"""Functions of complex numbers as functions of their parts, accurate on the whole plane.

Where a sum of squares would cancel, squares and sums are computed in twice the precision: T. J. Dekker, "A
floating-point technique for extending the available precision" (Numer. Math. 18, 1971).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

from shlo.dialects.struct_attributes import ResultAccuracy
from shlo.ir.operations import Module, Operation
from shlo.transforms.rewriting.builder import ValueRef, is_complex
from shlo.transforms.rewriting.dead_code import hoisted_constants
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.elementwise import (
    Constants,
    absolute,
    as_complex,
    atan2,
    cosine,
    exponential,
    hypotenuse,
    imag,
    largest,
    log,
    log1p,
    maximum,
    minimum,
    real,
    select,
    sine,
    sqrt,
)

Function = Callable[[ValueRef], ValueRef]


def expand_complex_math(module: Module) -> Module:
    """Returns the module with exponential, log, log_plus_one and sqrt of complex numbers computed from their
    parts.

    Operations that ask for an accuracy of their own stay.
    """
    return hoisted_constants(expanded) if (expanded := rewrite(module, _RULES)) is not module else module


def _rule(function: Function) -> Rule:
    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        (z,) = rewriter.refs(operation.operands)
        return [function(z)] if is_complex(z.type) and has_default_accuracy(operation) else None

    return rule


def has_default_accuracy(operation: Operation) -> bool:
    """Returns whether an operation leaves the accuracy of its result to the implementation."""
    accuracy = operation.attribute("result_accuracy")
    return accuracy is None or accuracy == ResultAccuracy()


def complex_exponential(z: ValueRef) -> ValueRef:
    """`exp(x) (cos y + i sin y)`; where exp(x) overflows, exp(x / 2) twice."""
    x = real(z)
    growth = exponential(x)
    overflows = growth.equals(math.inf)
    root = exponential(x * 0.5)
    y = imag(z)
    adjacent = cosine(y)
    re = select(overflows, root * adjacent * root, growth * adjacent)
    zero = x.constant(0)
    is_real = y.equals(zero)
    opposite = sine(y)
    im = select(overflows, root * opposite * root, growth * opposite)
    return as_complex(re, select(is_real, zero, im))


def complex_log(z: ValueRef) -> ValueRef:
    """`log |z| + i atan2(y, x)`; near the unit circle `log1p(x^2 + y^2 - 1) / 2` in twice the precision."""
    x = real(z)
    constant = Constants(x)
    minus_one = constant(-1.0)
    y = imag(z)
    y_square, x_square = y * y, x * x
    is_steep = y_square > x_square
    larger = select(is_steep, y_square, x_square)
    first = minus_one + larger
    smaller = select(is_steep, x_square, y_square)
    second = first + smaller
    split = _splitter(constant)
    y_rest = _square_rest(y, y_square, split)
    third = second + y_rest
    x_rest = _square_rest(x, x_square, split)
    fourth = third + x_rest
    rest = (larger - (first - minus_one)) + (smaller - (second - first))
    rest = rest + (y_rest - (third - second))
    total = fourth + (rest + (x_rest - (fourth - third)))
    half = constant(0.5)
    is_near = absolute(total) < half
    for_near = half * log1p(total)
    width, height = absolute(x), absolute(y)
    longer = maximum(width, height)
    log_longer = log(longer)
    shorter = minimum(width, height)
    is_diagonal = shorter.equals(longer)
    ratio = select(is_diagonal, constant(1.0), shorter / longer)
    for_far = log_longer + half * log1p(ratio * ratio)
    return as_complex(select(is_near, for_near, for_far), atan2(y, x))


def complex_log1p(z: ValueRef) -> ValueRef:
    """`log |1 + z| + i atan2(y, x + 1)`."""
    x = real(z)
    constant = Constants(x)
    width = absolute(x)
    y = imag(z)
    height = absolute(y)
    longer = maximum(width, height)
    limit = sqrt(constant(largest(x.element_type))) * constant(0.01)
    is_large = longer > limit
    log_longer = log(longer)
    half = constant(0.5)
    shorter = minimum(width, height)
    is_diagonal = shorter.equals(longer)
    one = constant(1)
    ratio = shorter / longer
    for_large = log_longer + half * log1p(select(is_diagonal, one, ratio * ratio))
    shifted = x + one
    is_near = absolute(shifted) + height < constant(0.2)
    shifted_square, y_square = shifted * shifted, y * y
    for_near = half * log(shifted_square + y_square)
    for_others = half * log1p(_two_x_and_squares(x, y, y_square, constant))
    re = select(is_large, for_large, select(is_near, for_near, for_others))
    return as_complex(re, atan2(y, shifted))


def _two_x_and_squares(x: ValueRef, y: ValueRef, y_square: ValueRef, constant: Constants) -> ValueRef:
    """`2 x + x^2 + y^2` in twice the precision."""
    double = x + x
    first = double + y_square
    x_square = x * x
    second = first + x_square
    split = _splitter(constant)
    y_rest = _square_rest(y, y_square, split)
    third = second + y_rest
    x_rest = _square_rest(x, x_square, split)
    fourth = third + x_rest
    rest = _sum_rest(double, y_square, first) + _sum_rest(first, x_square, second)
    rest = rest + _sum_rest(second, y_rest, third)
    return fourth + (rest + _sum_rest(third, x_rest, fourth))


def _sum_rest(x: ValueRef, y: ValueRef, total: ValueRef) -> ValueRef:
    """Returns what rounding has taken from the sum of two numbers (D. Knuth's 2Sum)."""
    difference = total - x
    return (x - (total - difference)) + (y - difference)


def _splitter(constant: Constants) -> Callable[[], ValueRef]:
    """Returns the number that splits one of the type into two of half its digits; made when it is first asked
    for.
    """
    built: list[ValueRef] = []

    def number() -> ValueRef:
        if not built:
            built.append(_new_splitter(constant))
        return built[0]

    return number


def _new_splitter(constant: Constants) -> ValueRef:
    limit = constant(largest(constant.element_type))
    is_double = limit > constant(1e308)
    for_double = constant(134217729)
    is_single = limit > constant(1e38)
    for_single = constant(4097)
    return select(is_double, for_double, select(is_single, for_single, constant(65)))


def _square_rest(x: ValueRef, square: ValueRef, splitter: Callable[[], ValueRef]) -> ValueRef:
    """Returns what rounding has taken from the square of a number."""
    negated = -square
    scaled = splitter() * x
    high = scaled + (x - scaled)
    rest = negated + high * high
    low = x - high
    cross = high * low
    return rest + cross + cross + low * low


def complex_sqrt(z: ValueRef) -> ValueRef:
    """`u + i y / 2u` where x is not negative, `|y| / 2u + i sign(y) u` elsewhere; u is the root of the mean
    of |z| and |x|.
    """
    return _Root(z).value()


class _Root:
    """The steps that both parts of a square root share."""

    def __init__(self, z: ValueRef) -> None:
        self.z = z
        self.x = real(z)
        self.constant = Constants(self.x)

    def value(self) -> ValueRef:
        x, zero = self.x, self.constant(0)
        is_right = x >= zero
        root = self._root()
        other = self._half_height_over_root()
        re = select(is_right, root, other)
        is_left = x < zero
        is_below = self.y < zero
        signed_root = select(is_below, -root, root)
        return as_complex(re, select(is_left, signed_root, select(is_below, -other, other)))

    def _root(self) -> ValueRef:
        """`u`; where |z| under- or overflows, from the ratio of the parts."""
        x, constant = self.x, self.constant
        self.width = width = absolute(x)
        self.y = imag(self.z)
        self.height = height = absolute(self.y)
        self.is_diagonal = width.equals(height)
        self.width_root = sqrt(width)
        scaled = self.width_root * constant.new(math.sqrt(1 + math.sqrt(2)))
        self.root_two = constant(math.sqrt(2))
        for_diagonal = scaled / self.root_two
        distance = hypotenuse(width, height, constant)
        two = constant(2)
        half_distance = distance / two
        self.general = sqrt(half_distance + width / two)
        is_lost = self.general.equals(constant(0))
        self.is_lost = is_lost | self.general.equals(constant.new(math.inf))
        self.is_flat = width > height
        for_lost = self._root_of_ratio()
        return select(self.is_diagonal, for_diagonal, select(self.is_lost, for_lost, self.general))

    def _root_of_ratio(self) -> ValueRef:
        width, height, one = self.width, self.height, self.constant(1)
        self.is_steep = width < height
        steep_ratio = width / height
        others = select(self.is_steep, steep_ratio, height / width)
        ratio = select(self.is_diagonal, one, others)
        size = absolute(ratio)
        distance = hypotenuse(one, size, self.constant)
        self.flat_factor = sqrt(one + distance)
        for_flat = self.width_root * (self.flat_factor / self.root_two)
        self.height_root = sqrt(height)
        self.steep_factor = sqrt(ratio + distance)
        for_steep = self.height_root * (self.steep_factor / self.root_two)
        return select(self.is_flat, for_flat, for_steep)

    def _half_height_over_root(self) -> ValueRef:
        """`|y| / 2u`."""
        constant, height_root = self.constant, self.height_root
        for_diagonal = height_root / constant.new(2.19736822693562)
        steep_ratio = self.width_root / height_root
        others = select(self.is_steep, steep_ratio, height_root / self.width_root)
        ratio = select(self.is_diagonal, constant(1), others)
        numerator = height_root * ratio
        for_flat = numerator / (self.flat_factor * self.root_two)
        for_steep = height_root / (self.steep_factor * self.root_two)
        for_lost = select(self.is_flat, for_flat, for_steep)
        for_others = self.height / (self.general * constant(2))
        return select(self.is_diagonal, for_diagonal, select(self.is_lost, for_lost, for_others))


_RULES: Final[dict[str, Rule]] = {
    "stablehlo.exponential": _rule(complex_exponential),
    "stablehlo.log": _rule(complex_log),
    "stablehlo.log_plus_one": _rule(complex_log1p),
    "stablehlo.sqrt": _rule(complex_sqrt),
}
