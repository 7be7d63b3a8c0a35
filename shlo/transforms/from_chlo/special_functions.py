"""lgamma, digamma, zeta and polygamma.

lgamma and digamma are by Lanczos' approximation ("A precision approximation of the gamma function", SIAM J.
Numer. Anal. B 1, 1964), zeta by the Euler-Maclaurin formula (F. Johansson, arXiv:1309.2877, formula 5),
polygamma of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from shlo.ir.types import F64
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
    sign,
    sine,
    smallest,
    sqrt,
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


@at_least_single
def lgamma(x: ValueRef) -> ValueRef:
    """Returns the logarithm of the gamma function's magnitude."""
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


@at_least_single
def digamma(x: ValueRef) -> ValueRef:
    """Returns the derivative of lgamma."""
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


@at_least_single
def zeta(x: ValueRef, q: ValueRef) -> ValueRef:
    """Returns the sum of `(q + k)^-x` over all k >= 0."""
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


@at_least_single
def polygamma(n: ValueRef, x: ValueRef) -> ValueRef:
    """Returns the derivative of order n of digamma at x: `(-1)^(n + 1) n! zeta(n + 1, x)`, digamma where n is
    zero, NaN where n is no natural number.
    """
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


# --- bessel_i1e by the Chebyshev series of Cephes (S. Moshier, netlib.org/cephes: i1.c, i1f.c) --------------


_NEAR: Final = (
    2.77791411276104639959e-18, -2.11142121435816608115e-17, 1.55363195773620046921e-16,
    -1.10559694773538630805e-15, 7.60068429473540693410e-15, -5.04218550472791168711e-14,
    3.22379336594557470981e-13, -1.98397439776494371520e-12, 1.17361862988909016308e-11,
    -6.66348972350202774223e-11, 3.62559028155211703701e-10, -1.88724975172282928790e-9,
    9.38153738649577178388e-9, -4.44505912879632808065e-8, 2.00329475355213526229e-7,
    -8.56872026469545474066e-7, 3.47025130813767847674e-6, -1.32731636560394358279e-5,
    4.78156510755005422638e-5, -1.61760815825896745588e-4, 5.12285956168575772895e-4,
    -1.51357245063125314899e-3, 4.15642294431288815669e-3, -1.05640848946261981558e-2,
    2.47264490306265168283e-2, -5.29459812080949914269e-2, 1.02643658689847095384e-1,
    -1.76416518357834055153e-1, 2.52587186443633654823e-1,
)  # fmt: skip
"""The series of `exp(-x) I1(x) / x` where x <= 8; f32 takes the last ones."""
_FAR: Final = (
    7.51729631084210481353e-18, 4.41434832307170791151e-18, -4.65030536848935832153e-17,
    -3.20952592199342395980e-17, 2.96262899764595013876e-16, 3.30820231092092828324e-16,
    -1.88035477551078244854e-15, -3.81440307243700780478e-15, 1.04202769841288027642e-14,
    4.27244001671195135429e-14, -2.10154184277266431302e-14, -4.08355111109219731823e-13,
    -7.19855177624590851209e-13, 2.03562854414708950722e-12, 1.41258074366137813316e-11,
    3.25260358301548823856e-11, -1.89749581235054123450e-11, -5.58974346219658380687e-10,
    -3.83538038596423702205e-9, -2.63146884688951950684e-8, -2.51223623787020892529e-7,
    -3.88256480887769039346e-6, -1.10588938762623716291e-4, -9.76109749136146840777e-3,
    7.78576235018280120474e-1,
)  # fmt: skip
"""The series of `exp(-x) sqrt(x) I1(x)` where x > 8; f32 takes the last ones."""
_SINGLE_NEAR: Final = 17
_SINGLE_FAR: Final = 7


def bessel_i1e(x: ValueRef) -> ValueRef:
    """Returns the modified Bessel function of order one, scaled by exp(-|x|)."""
    if x.element_type == F64:
        return _formula(x, _NEAR, _FAR)
    return _single(x)


@at_least_single
def _single(x: ValueRef) -> ValueRef:
    return _formula(x, _NEAR[-_SINGLE_NEAR:], _FAR[-_SINGLE_FAR:])


def _formula(x: ValueRef, near: Sequence[float], far: Sequence[float]) -> ValueRef:
    size = absolute(x)
    half, two, end, eight = (x.constant(value) for value in (0.5, 2, 32, 8))
    for_near = size * _chebyshev(half * size - two, near)
    for_far = _chebyshev(end / size - two, far) / sqrt(size)
    is_near = size <= eight
    value = select(is_near, for_near, for_far)
    return sign(x) * value


def _chebyshev(x: ValueRef, coefficients: Sequence[float]) -> ValueRef:
    """Returns a Chebyshev series by Clenshaw's rule, the coefficient of the highest order first."""
    value, last, before = (x.constant(0) for _ in range(3))
    for coefficient in coefficients:
        value, last, before = x * value - last + coefficient, value, last
    return (value - before) * 0.5
