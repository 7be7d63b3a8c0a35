"""lgamma, digamma, zeta and polygamma.

lgamma and digamma are by Lanczos' approximation ("A precision approximation of the gamma function", SIAM J.
Numer. Anal. B 1, 1964), zeta by the Euler-Maclaurin formula (F. Johansson, arXiv:1309.2877, formula 5),
polygamma of these.
"""

from __future__ import annotations

import math
from typing import Final

from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.elementwise import (
    absolute,
    at_least_single,
    cosine,
    exponential,
    floor,
    is_finite,
    log,
    log1p,
    select,
    sine,
    smallest,
)

_G: Final = 7.0
_BASE: Final = 0.99999999999980993227684700473478
_LANCZOS: Final = (
    676.520368121885098567009190444019, -1259.13921672240287047156078755283, 771.3234287776530788486528258894,
    -176.61502916214059906584551354, 12.507343278686904814458936853, -0.13857109526572011689554707,
    9.984369578019570859563e-6, 1.50563273514931155834e-7,
)  # fmt: skip
"""The coefficients that belong to g = 7 and nine terms."""
_BERNOULLI: Final = (
    -7.1661652561756670113e18, 1.8152105401943546773e17, -4.5979787224074726105e15, 1.1646782814350067249e14,
    -2.950130727918164224e12, 7.47242496e10, -1.8924375803183791606e9, 47900160.0, -1209600.0, 30240.0,
    -720.0,
    12.0,
)  # fmt: skip
"""(2 k)! / B_2k from k = 12 down to 1."""
_SUMMED: Final = 9
"""How many terms of zeta's series are added before its remainder is estimated."""


def lgamma(x: ValueRef) -> ValueRef:
    """Returns the logarithm of the gamma function's magnitude."""
    return at_least_single(_lgamma, x)


def digamma(x: ValueRef) -> ValueRef:
    """Returns the derivative of lgamma."""
    return at_least_single(_digamma, x)


def zeta(x: ValueRef, q: ValueRef) -> ValueRef:
    """Returns the sum of `(q + k)^-x` over all k >= 0."""
    return at_least_single(_zeta, x, q)


def polygamma(n: ValueRef, x: ValueRef) -> ValueRef:
    """Returns the derivative of order n of digamma at x."""
    return at_least_single(_polygamma, n, x)


def _reflection(x: ValueRef) -> tuple[ValueRef, ValueRef, ValueRef, ValueRef]:
    """Returns one half, one, whether x is below one half, and z: `-x` there, `x - 1` elsewhere."""
    half = x.constant(0.5)
    is_low = x < half
    negated = -x
    one = x.constant(1)
    return half, one, is_low, select(is_low, negated, x - one)


def _log_t(x: ValueRef, z: ValueRef) -> tuple[ValueRef, ValueRef]:
    """`t = z + g + 1/2` and its logarithm."""
    shift = x.constant(_G + 0.5)
    t = shift + z
    log_shift = x.constant(math.log(_G + 0.5))
    return t, log_shift + log1p(z / shift)


def _lgamma(x: ValueRef) -> ValueRef:
    half, one, is_low, z = _reflection(x)
    total = x.constant(_BASE)
    for index, coefficient in enumerate(_LANCZOS, 1):
        numerator, shift = x.constant(coefficient), x.constant(index)
        total = total + numerator / (z + shift)
    t, log_t = _log_t(x, z)
    ratio = t / log_t
    power = (z + half - ratio) * log_t
    log_total = log(total)
    value = x.constant((math.log(2) + math.log(math.pi)) / 2) + power + log_total
    value = select(is_low, _reflected_lgamma(x, value, half, one), value)
    (is_infinite,) = x.builder.create("chlo.is_inf", (x,))
    return select(is_infinite, x.constant(math.inf), value)


def _reflected_lgamma(x: ValueRef, value: ValueRef, half: ValueRef, one: ValueRef) -> ValueRef:
    """`log pi - log |sin(pi x)| - lgamma(1 - x)`, with the sine of the distance from the nearest integer."""
    size = absolute(x)
    fraction = size - floor(size)
    is_high = half < fraction
    fraction = select(is_high, one - fraction, fraction)
    log_sine = log(sine(x.constant(math.pi) * fraction))
    reflected = x.constant(math.log(math.pi)) - log_sine - value
    finite = is_finite(log_sine)
    return select(finite, reflected, -log_sine)


def _digamma(x: ValueRef) -> ValueRef:
    _, _, is_low, z = _reflection(x)
    zero = x.constant(0)
    total, slope = x.constant(_BASE), zero
    for index, coefficient in enumerate(_LANCZOS, 1):
        numerator, shift = x.constant(coefficient), x.constant(index)
        term = z + shift
        slope = slope - numerator / (term * term)
        total = total + numerator / term
    t, log_t = _log_t(x, z)
    ratio = slope / total
    rest = x.constant(_G) / t
    value = log_t + ratio - rest
    near = x + absolute(floor(x + x.constant(0.5)))
    pi = x.constant(math.pi)
    angle = pi * near
    opposite, adjacent = cosine(angle), sine(angle)
    reflected = value - pi * opposite / adjacent
    value = select(is_low, reflected, value)
    is_pole = (x <= zero) & x.equals(floor(x))
    return select(is_pole, x.constant(math.nan), value)


def _zeta(x: ValueRef, q: ValueRef) -> ValueRef:
    zero, one = q.constant(0), q.constant(1)
    exponent = -x
    total, base = q**exponent, q
    for _ in range(_SUMMED):
        base = base + one
        total = total + base**exponent
    base = base + one
    power = base**exponent
    one_of_x = x.constant(1)
    remainder = power * base / (x - one_of_x)
    tail = _euler_maclaurin(x, base, power, zero, one)
    accurate = total + remainder + tail
    size, whole = absolute(power), absolute(total)
    is_enough = size < whole * base.constant(smallest(base.element_type))
    return _zeta_domain(x, q, select(is_enough, total, accurate), (zero, one, one_of_x))


def _euler_maclaurin(x: ValueRef, base: ValueRef, power: ValueRef, zero: ValueRef, one: ValueRef) -> ValueRef:
    """Returns the terms with Bernoulli numbers, by Horner's rule."""
    inverse = one / (base * base)
    series = zero
    for step, factor in enumerate(_BERNOULLI[:-1]):
        last = 2 * (len(_BERNOULLI) - step) - 2
        left = x + x.constant(last)
        product = left * (x + x.constant(last - 1))
        series = product * (inverse * (series + base.constant(1.0 / factor)))
    half = power.constant(0.5)
    ratio = x / base
    return power * (half + ratio * (base.constant(1.0 / _BERNOULLI[-1]) + series))


def _zeta_domain(
    x: ValueRef, q: ValueRef, value: ValueRef, constants: tuple[ValueRef, ValueRef, ValueRef]
) -> ValueRef:
    """Returns the value, NaN where zeta is not defined and infinite at its poles."""
    zero, one, one_of_x = constants
    nan = x.constant(math.nan)
    value = select(x < one_of_x, nan, value)
    is_low = q <= zero
    value = select(is_low & x.differs(floor(x)), nan, value)
    infinity = x.constant(math.inf)
    is_pole = is_low & q.equals(floor(q))
    two = x.constant(2)
    is_whole = x.equals(floor(x))
    is_even = is_whole & (x % two).equals(zero)
    value = select(is_pole, select(is_even, infinity, nan), value)
    return select(x.equals(one), infinity, value)


def _polygamma(n: ValueRef, x: ValueRef) -> ValueRef:
    """`(-1)^(n + 1) n! zeta(n + 1, x)`, digamma where n is zero, NaN where n is no natural number."""
    one, two = x.constant(1), x.constant(2)
    direction = two * (n % two) - one
    order = n + one
    (log_factorial,) = x.builder.create("chlo.lgamma", (order,), (order.type,))
    factorial = exponential(log_factorial)
    (series,) = x.builder.create("chlo.zeta", (order, x), (order.type,))
    value = direction * factorial * series
    zero = x.constant(0)
    is_zero = n.equals(zero)
    (first,) = x.builder.create("chlo.digamma", (x,), (x.type,))
    value = select(is_zero, first, value)
    is_unnatural = n.differs(floor(n)) | (n < zero)
    return select(is_unnatural, x.constant(math.nan), value)
