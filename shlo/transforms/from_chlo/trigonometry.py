"""The inverse trigonometric and hyperbolic functions, of real and of complex numbers.

The complex ones follow Hull, Fairgrieve and Tang, "Implementing the complex arcsine and arccosine functions
using exception handling" (ACM TOMS 23, 1997), with fewer regions, as a program without branches computes all
of them.
"""

from __future__ import annotations

import math

from shlo.transforms.rewriting.builder import ValueRef, is_complex
from shlo.transforms.rewriting.elementwise import (
    Constants,
    absolute,
    as_complex,
    at_least_single,
    atan2,
    expm1,
    exponential,
    hypotenuse,
    imag,
    is_finite,
    largest,
    log,
    log1p,
    maximum,
    real,
    select,
    sign,
    smallest_normal,
    sqrt,
)


def asin(x: ValueRef) -> ValueRef:
    """`2 atan2(x, 1 + sqrt((1 - x) (1 + x)))`; of complex numbers by the kernel that acos shares."""
    if is_complex(x.type):
        return _complex_asin(x)
    one = x.constant(1)
    half_angle = atan2(x, one + sqrt((one - x) * (one + x)))
    return half_angle + half_angle


def acos(x: ValueRef) -> ValueRef:
    """`atan2(sqrt((1 - x) (1 + x)), x)`; of complex numbers by the kernel that asin shares."""
    if not is_complex(x.type):
        one = x.constant(1)
        return atan2(sqrt((one - x) * (one + x)), x)
    kernel = _kernel(x)
    angle = atan2(real(kernel), real(x))
    y = imag(x)
    is_below = y < 0
    height = imag(kernel)
    return as_complex(angle, select(is_below, height, -height))


def asinh(x: ValueRef) -> ValueRef:
    """`sign(x) log1p(|x| + x^2 / (1 + sqrt(1 + x^2)))`, where x^2 would overflow `sign(x) (log 2 + log
    |x|)`."""
    if is_complex(x.type):
        return _complex_asinh(x)
    direction, size = sign(x), absolute(x)
    is_large = size >= sqrt(x.constant(largest(x.element_type)))
    for_large = log(x.constant(2)) + log(size)
    square = size * size
    one = x.constant(1)
    return direction * select(is_large, for_large, log1p(size + square / (one + sqrt(one + square))))


def acosh(x: ValueRef) -> ValueRef:
    """`log1p(sqrt(x - 1) (sqrt(x + 1) + sqrt(x - 1)))`, where that would overflow `log 2 + log x`."""
    if is_complex(x.type):
        return _complex_acosh(x)
    limit = x.constant(largest(x.element_type))
    two = x.constant(2)
    is_large = x >= limit / two
    for_large = log(two) + log(x)
    one = x.constant(1)
    root = sqrt(x - one)
    return select(is_large, for_large, log1p(root * (sqrt(x + one) + root)))


def atan(x: ValueRef) -> ValueRef:
    """`atan2(x, 1)`; of complex numbers `-i atanh(i z)`."""
    if not is_complex(x.type):
        return atan2(x, x.constant(1))
    turned = _complex_atanh(as_complex(-imag(x), real(x)))
    return as_complex(imag(turned), -real(turned))


def atanh(x: ValueRef) -> ValueRef:
    """`(log1p(x) - log1p(-x)) / 2`, NaN where |x| is above one."""
    if is_complex(x.type):
        return complex_atanh(x)
    is_outside = absolute(x) > 1
    nan = x.constant(math.nan)
    return select(is_outside, nan, (log1p(x) - log1p(-x)) * 0.5)


# --- asin and acos of complex numbers -----------------------------------------------------------------------


def _complex_asin(z: ValueRef) -> ValueRef:
    x = real(z)
    kernel = _kernel(z)
    angle = atan2(x, real(kernel))
    is_below = imag(z) < x.constant(0)
    height = imag(kernel)
    return as_complex(angle, select(is_below, -height, height))


def _complex_acosh(z: ValueRef) -> ValueRef:
    kernel = _kernel(z)
    width = imag(kernel)
    is_below = imag(z) < 0
    angle = atan2(real(kernel), real(z))
    return as_complex(width, select(is_below, -angle, angle))


def _complex_asinh(z: ValueRef) -> ValueRef:
    """`-i asin(i z)`."""
    x = real(z)
    is_left = x < 0
    y = imag(z)
    kernel = _kernel(as_complex(-y, x))
    width = imag(kernel)
    return as_complex(select(is_left, -width, width), atan2(y, real(kernel)))


def _kernel(z: ValueRef) -> ValueRef:
    (kernel,) = z.builder.create("chlo._asin_acos_kernel", (z,), (z.type,))
    return kernel


def asin_acos_kernel(z: ValueRef) -> ValueRef:
    """`sqrt(a^2 - x^2) + i log(a + sqrt(a^2 - 1))`, where z = x + i y and `a` is the mean of the distances of
    z from -1 and 1.
    """
    kernel = _Kernel(z)
    width = kernel.width()
    return as_complex(width, kernel.height())


class _Kernel:
    """The steps that both parts of the kernel share, for |x| and |y|. `width` comes first."""

    def __init__(self, z: ValueRef) -> None:
        signed_x = real(z)
        self.x = absolute(signed_x)
        self.signed_y = imag(z)
        self.y = absolute(self.signed_y)
        self.constant = Constants(signed_x)

    def width(self) -> ValueRef:
        """Returns the real part."""
        x, y, constant = self.x, self.y, self.constant
        outer = maximum(x, y)
        self.safe_max = sqrt(constant.new(largest(x.element_type))) / constant.new(8)
        is_huge = outer >= self.safe_max
        self.one = constant(1)
        is_near = x <= self.one
        half = constant(0.5)
        self.right = x + self.one
        far = hypotenuse(absolute(self.right), y, constant)
        self.left = x - self.one
        near = hypotenuse(absolute(self.left), y, constant)
        self.mean = half * (far + near)
        scaled = half * (self.mean + x)
        self.square = y * y
        self.far_sum = far + self.right
        ratio = self.square / self.far_sum
        self.gap = near - self.left
        for_near = sqrt(scaled * (ratio + self.gap))
        first = scaled / self.far_sum
        self.near_sum = near + self.left
        for_far = y * sqrt(first + scaled / self.near_sum)
        return select(is_huge, y, select(is_near, for_near, for_far))

    def height(self) -> ValueRef:
        """Returns the imaginary part."""
        x, y, one = self.x, self.y, self.one
        is_huge, for_huge = self._huge_height()
        limit = sqrt(self.constant.new(smallest_normal(x.element_type))) * self.constant.new(4)
        is_tiny = (y < limit) & (x < one)
        mean_minus_one, mean_plus_one = self._mean_minus_one(is_tiny)
        root = sqrt(mean_minus_one * mean_plus_one)
        for_tiny = y / root
        return select(is_huge, for_huge, select(is_tiny, for_tiny, log1p(mean_minus_one + root)))

    def _huge_height(self) -> tuple[ValueRef, ValueRef]:
        """Returns whether a square would overflow, and `log 2 + log y + log1p((x / y)^2) / 2`, which holds
        there.
        """
        x, y, constant = self.x, self.y, self.constant
        is_wide = x < self.safe_max * constant.new(1e12)
        limit = select(is_wide, self.safe_max * constant.new(1e-6), self.safe_max * constant.new(100.0))
        is_high = y >= limit
        outer = select(is_high, y, x)
        is_huge = outer >= select(is_high, limit, self.safe_max)
        logs = log(constant(2)) + log(outer)
        is_finite_and_high = is_high & ~self._is_infinite_y()
        slope = select(is_finite_and_high, x / y, constant(0))
        return is_huge, logs + constant(0.5) * log1p(slope * slope)

    def _is_infinite_y(self) -> ValueRef:
        """Returns whether y is infinite."""
        return self.y.equals(self.signed_y.constant(math.inf))

    def _mean_minus_one(self, is_tiny: ValueRef) -> tuple[ValueRef, ValueRef]:
        """`a - 1` without cancellation, and `a + 1`."""
        one, mean, half = self.one, self.mean, self.constant(0.5)
        product = self.right * self.left
        mean_plus_one = mean + one
        for_tiny = -(product / mean_plus_one)
        is_far = self.x >= one
        half_square = half * self.square
        first = half_square / self.far_sum
        for_far = first + half * self.near_sum
        is_close = mean <= self.constant.new(1.5)
        for_close = first + half_square / self.gap
        others = select(is_far, for_far, select(is_close, for_close, mean - one))
        return select(is_tiny, for_tiny, others), mean_plus_one


# --- atanh of complex numbers -------------------------------------------------------------------------------


def _complex_atanh(z: ValueRef) -> ValueRef:
    (result,) = z.builder.create("chlo.atanh", (z,), (z.type,))
    return result


def complex_atanh(z: ValueRef) -> ValueRef:
    """`(log1p(z) - log1p(-z)) / 2`, the real part as `log1p(4 |x| / ((1 - |x|)^2 + y^2)) / 4` and the
    imaginary one as an angle, both with what they tend to where squares would overflow.
    """
    x = real(z)
    zero = x.constant(0)
    is_right = x >= zero
    one = x.constant(1)
    minus_one = x.constant(-1)
    direction = select(is_right, one, minus_one)
    four = x.constant(4)
    width = absolute(x)
    limit = _inverse_precision(x)
    safe_max = limit * limit
    is_narrow = width < safe_max
    y = imag(z)
    height = absolute(y)
    is_safe = is_narrow & (height < safe_max)
    distance = one - width
    near = distance * distance
    square = y * y
    for_safe = width / (near + square)
    is_flat = height * limit < width
    for_flat = one / width
    is_infinite = _is_infinite(x, y)
    for_others = one / (width / y + y / width) / y
    others = select(is_flat, for_flat, select(is_infinite, zero, for_others))
    re = direction * log1p(four * select(is_safe, for_safe, others)) * x.constant(0.25)
    double = y + y
    angle = atan2(double, distance * (one + width) - square)
    is_above = y >= y.constant(0)
    turn = select(is_above, one, minus_one) * x.constant(math.pi)
    return as_complex(re, select(is_safe, angle, turn) * x.constant(0.5))


def _inverse_precision(x: ValueRef) -> ValueRef:
    """Above the square of this number `|x| + 1` is `|x|`: two more than the inverse of the type's
    precision."""
    limit = x.constant(largest(x.element_type))
    is_double = limit > x.constant(1e308)
    for_double = x.constant(9007199254740994.0)
    is_single = limit > x.constant(1e38)
    for_single = x.constant(16777218.0)
    return select(is_double, for_double, select(is_single, for_single, x.constant(2050.0)))


def _is_infinite(x: ValueRef, y: ValueRef) -> ValueRef:
    infinity = x.constant(math.inf)
    is_right = x.equals(infinity)
    minus_infinity = x.constant(-math.inf)
    is_wide = is_right | x.equals(minus_infinity)
    is_above = y.equals(infinity)
    return is_wide | (is_above | y.equals(minus_infinity))


def square(x: ValueRef) -> ValueRef:
    """Returns the square; of complex numbers `(x - y) (x + y) + 2 i x y`, where the first is zero if |x| =
    |y|.
    """
    if not is_complex(x.type):
        return x * x
    re = real(x)
    finite = is_finite(re)
    size = absolute(re)
    im = imag(x)
    is_diagonal = finite & size.equals(absolute(im))
    zero = re.constant(0)
    squares = (re - im) * (re + im)
    first = select(is_diagonal, zero, squares)
    two = re.constant(2)
    return as_complex(first, two * (re * im))


# --- sinh and cosh, without overflow where only exp(x) overflows --------------------------------------------


@at_least_single
def cosh(x: ValueRef) -> ValueRef:
    """`exp(x + log(1/2)) + exp(log(1/2) - x)`."""
    rising, falling = _halves(x)
    return rising + falling


@at_least_single
def sinh(x: ValueRef) -> ValueRef:
    """`exp(x + log(1/2)) - exp(log(1/2) - x)`; of a small x `(e + e / (e + 1)) / 2`, where e = exp(x) - 1."""
    rising, falling = _halves(x)
    for_large = rising - falling
    if is_complex(x.type):
        return for_large
    growth = expm1(x)
    one = x.constant(1)
    half = x.constant(0.5)
    ratio = growth / (growth + one)
    for_small = half * (growth + ratio)
    return select(absolute(x) < one, for_small, for_large)


def _halves(x: ValueRef) -> tuple[ValueRef, ValueRef]:
    """`exp(x) / 2` and `exp(-x) / 2`."""
    log_half = log(x.constant(0.5))
    rising = exponential(x + log_half)
    return rising, exponential(log_half - x)
