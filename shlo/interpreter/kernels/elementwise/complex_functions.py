"""Functions of complex arrays where NumPy has none, or one that loses digits near zero or infinities.

Where XLA on CPU and C99 (Annex G) differ at infinities and NaN, as XLA's complex<f32> and complex<f64> do,
NumPy's answer, which is C99's, stays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import UnaryFn
from shlo.interpreter.kernels.numeric import where

ComplexFunction = Callable[..., Any]

SMALL_EXPONENT = 100
"""NumPy multiplies for integer exponents below it."""


def complex_of(real: Any, imaginary: Any) -> Any:
    """Returns a complex array from its two parts, kept apart (`a + 1j * b` would mix infinities)."""
    real, imaginary = np.broadcast_arrays(real, imaginary)
    result = np.empty(real.shape, np.result_type(real, np.complex64))
    result.real = real
    result.imag = imaginary
    return result


def in_double(function: ComplexFunction) -> ComplexFunction:
    """Returns the function computed in complex128, its result rounded to the type of its operands."""

    def evaluate(*operands: Any) -> Any:
        result = function(*[x.astype(np.complex128, copy=False) for x in operands])
        return result.astype(operands[0].dtype, copy=False)

    return evaluate


def sign(x: Any) -> Any:
    """Returns x / |x|, zero of zero; where a part is infinite, the other is zero or NaN."""
    result = np.sign(x)
    if np.isfinite(x).all():
        return result
    with np.errstate(invalid="ignore"):
        size = np.abs(x)
        return where(np.isfinite(x), result, complex_of(x.real / size, x.imag / size))


def divide(lhs: Any, rhs: Any) -> Any:
    """Returns the quotient; if an operand is infinite or the divisor zero, that of C99's Annex G."""
    quotient = np.divide(lhs, rhs)
    return quotient if np.isfinite(quotient).all() else _divide_non_finite(quotient, lhs, rhs)


def _divide_non_finite(quotient: Any, lhs: Any, rhs: Any) -> Any:
    a, b, c, d = lhs.real, lhs.imag, rhs.real, rhs.imag
    by_zero = (c == 0) & (d == 0) & ~(np.isnan(a) & np.isnan(b))
    infinity = np.copysign(np.inf, c)
    quotient = where(by_zero, complex_of(infinity * a, infinity * b), quotient)
    lhs_infinite, rhs_infinite = np.isinf(a) | np.isinf(b), np.isinf(c) | np.isinf(d)
    a1, b1 = _boxed(a, lhs_infinite), _boxed(b, lhs_infinite)
    grown = complex_of(np.inf * (a1 * c + b1 * d), np.inf * (b1 * c - a1 * d))
    quotient = where(lhs_infinite & np.isfinite(rhs) & ~by_zero, grown, quotient)
    c1, d1 = _boxed(c, rhs_infinite), _boxed(d, rhs_infinite)
    vanished = complex_of(0.0 * (a * c1 + b * d1), 0.0 * (b * c1 - a * d1))
    return where(rhs_infinite & np.isfinite(lhs), vanished, quotient).astype(lhs.dtype)


def _boxed(part: Any, is_infinite: Any) -> Any:
    """Returns 1 for the infinite part of an infinite number and 0 for the other, with their signs."""
    return where(is_infinite, np.copysign(np.isinf(part), part), part)


def exponential(z: Any) -> Any:
    """Returns exp(z); NaN if an infinity has no angle, as in XLA (C99 keeps the infinity or zero)."""
    result = np.exp(z)
    has_no_angle = np.isinf(z.real) & ~np.isfinite(z.imag)
    return where(has_no_angle, result.dtype.type(complex(np.nan, np.nan)), result)


@in_double
def cbrt(z: Any) -> Any:
    """Returns the cube root whose angle is a third of z's."""
    root = np.cbrt(np.abs(z))
    angle = np.angle(z) / 3
    return complex_of(root * np.cos(angle), root * np.sin(angle))


@in_double
def exponential_minus_one(z: Any) -> Any:
    """Returns exp(z) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2 + i exp(x) sin(y)."""
    x, y = z.real, z.imag
    real = np.expm1(x) * np.cos(y) - 2 * np.sin(y / 2) ** 2
    return complex_of(where(y == 0, np.expm1(x), real), where(y == 0, y, np.exp(x) * np.sin(y)))


@in_double
def log_plus_one(z: Any) -> Any:
    """Returns log(1 + z); near the unit circle, the real part is log1p(x (2 + x) + y^2) / 2."""
    x, y = z.real, z.imag
    change = x * (2 + x) + y * y
    is_near_one = (change > -0.5) & (change < 4)
    real = where(is_near_one, np.log1p(change) / 2, _log_of_size(1 + x, y))
    return complex_of(real, np.arctan2(y, 1 + x))


def _log_of_size(x: Any, y: Any) -> Any:
    """Returns log(sqrt(x^2 + y^2)), also if the square root overflows."""
    size = np.hypot(x, y)
    halved = np.log(np.hypot(x / 2, y / 2)) + np.log(2)
    return where(np.isinf(size), halved, np.log(size))


@in_double
def logistic(z: Any) -> Any:
    """Returns 1 / (1 + exp(-z))."""
    return divide(_one(z), 1 + np.exp(-z))


@in_double
def rsqrt(z: Any) -> Any:
    """Returns 1 / sqrt(z)."""
    return divide(_one(z), np.sqrt(z))


def _one(z: Any) -> Any:
    return np.ones_like(z)


@in_double
def power(base: Any, exponent: Any) -> Any:
    """Returns the base to the power of the exponent. NumPy's if the exponent is a small integer (exact
    products), or an operand is zero or not finite; else from the base's size and angle, as exp(exponent
    log(base)) loses digits in large logarithms."""
    size, angle = np.abs(base), np.angle(base)
    c, d = exponent.real, exponent.imag
    turned = c * angle + d * np.log(size)
    stretched = np.power(size, c) * np.exp(-d * angle)
    polar = complex_of(stretched * np.cos(turned), stretched * np.sin(turned))
    is_count = (d == 0) & (c == np.rint(c)) & (np.abs(c) < SMALL_EXPONENT)
    return where(is_count | (size == 0) | ~np.isfinite(polar), np.power(base, exponent), polar)


@in_double
def atan2(y: Any, x: Any) -> Any:
    """Returns -i log((x + iy) / sqrt(x^2 + y^2)), from the angles and sizes of x + iy and x - iy. Where y / x
    is a number, the digits are those of its arc tangent, half turns apart."""
    plus = complex_of(x.real - y.imag, x.imag + y.real)
    minus = complex_of(x.real + y.imag, x.imag - y.real)
    angle, other = np.angle(plus), np.angle(minus)
    real = _principal(angle - _principal(angle + other) / 2)
    quotient = y / x
    tangent = np.arctan(quotient)
    exact = complex_of(tangent.real + _half_turn(y, x, tangent, real), tangent.imag)
    is_exact = np.isfinite(quotient) & np.isfinite(exact)
    return where(is_exact, exact, complex_of(real, np.log(np.abs(minus) / np.abs(plus)) / 2))


def _half_turn(y: Any, x: Any, tangent: Any, angle: Any) -> Any:
    """Returns the half turn to add to arctan(y / x) if sqrt(x^2 + y^2) is not x sqrt(1 + (y / x)^2)."""
    root = x * np.sqrt(1 + (y / x) ** 2)
    # Near the imaginary axis, the sign of the root's real part follows from its square's imaginary part.
    by_square = np.copysign(1, root.imag) * (x.real * x.imag + y.real * y.imag)
    side = where(np.abs(root.real) < np.abs(root.imag), by_square, root.real)
    is_root = (side > 0) | ((side == 0) & (root.imag >= 0))
    away_from = where(tangent.real == 0, -angle, tangent.real)
    return where(is_root, 0.0, -np.copysign(np.pi, away_from))


def _principal(angle: Any) -> Any:
    """Returns an angle at most one turn away from (-pi, pi] as the equal one in it."""
    return angle - 2 * np.pi * (angle > np.pi) + 2 * np.pi * (angle <= -np.pi)


def square(z: Any) -> Any:
    """Returns z z, its real part as (x + y) (x - y), which keeps the digits if x and y are close."""
    x, y = z.real, z.imag
    return complex_of(where((np.abs(x) == np.abs(y)) & np.isfinite(x), 0, (x + y) * (x - y)), 2 * (x * y))


def arc_kernel(z: Any) -> Any:
    """Returns what asin and acos share: Re(sqrt(1 - z) sqrt(1 + z)) and abs(Im(asin(z)))."""
    root = np.sqrt(1 - z) * np.sqrt(1 + z)
    return complex_of(root.real, np.abs(np.arcsin(z).imag))


def on_upper_side(function: ComplexFunction) -> UnaryFn:
    """Returns the function with its branch cuts along the real axis read from above, also at -0."""
    return lambda z: function(complex_of(z.real, z.imag + 0.0))


def on_right_side(function: ComplexFunction) -> UnaryFn:
    """Returns the function with its branch cuts along the imaginary axis read from the right, also at -0."""
    return lambda z: function(complex_of(z.real + 0.0, z.imag))


arc_tangent = in_double(np.arctan)
arc_tangent_hyperbolic = in_double(np.arctanh)
cosine = in_double(np.cos)
cosine_hyperbolic = in_double(np.cosh)
log = in_double(np.log)
sine = in_double(np.sin)
sine_hyperbolic = in_double(np.sinh)
tan = in_double(np.tan)
tanh = in_double(np.tanh)
arc_cosine = on_upper_side(in_double(np.arccos))
arc_cosine_hyperbolic = on_upper_side(in_double(np.arccosh))
arc_sine = on_upper_side(in_double(np.arcsin))
arc_sine_hyperbolic = on_right_side(in_double(np.arcsinh))
sqrt = on_upper_side(np.sqrt)
