"""Special functions of float32 as formulas. Coefficients were fitted here with 50 digits, at the places where
Chebyshev's polynomials are zero; relative errors of the fits are below 1e-9, a sixtieth of a unit in the
last place of float32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from shlo.interpreter.kernels.elementwise.formula import Formula, Term, polynomial

# --- exponentials, logarithms, turns -----------------------------------------------------------------------

_ROUNDING: Final = 1.5 * 2.0**52
"""Added to a float64 of moderate size, it leaves the nearest integer in the lowest bits."""
_INTEGER: Final = 0x4330 << 48
"""The bits of 2^52: an integer below 2^52 in their place is added to it."""
_ROOT_HALF_BITS: Final = 0x3FE6A09E667F3BCD
_ONE_BITS: Final = 0x3FF << 52

# exp(r), |r| <= log(2) / 2.
_EXPONENTIAL: Final = (
    1.0,
    0.9999999999797852,
    0.49999999999797934,
    0.16666666891045775,
    0.041666666890957,
    0.008333266097949614,
    0.0013888821677630362,
    0.00019915866926782682,
    2.4876164022625967e-05,
)

# log((1 + s) / (1 - s)) / s of s^2, for numbers from sqrt(1/2) to sqrt(2).
_LOGARITHM: Final = (
    2.0000000000000004,
    0.6666666666655292,
    0.40000000061741614,
    0.2857141602110767,
    0.22223434547517906,
    0.18121934431215214,
    0.16837659970680488,
)

# sin(pi r) / r of r^2, and cos(pi r) / (1/4 - r^2), |r| <= 1/2.
_SINE: Final = (
    3.1415926535897927,
    -5.1677127800497855,
    2.5501640398618677,
    -0.599264528825224,
    0.08214587881631043,
    -0.0073703643265304155,
    0.0004659870158043378,
    -2.113362735205297e-05,
)
_COSINE: Final = (
    4.0,
    -3.7392088021786853,
    1.2780132969495124,
    -0.22899788752336947,
    0.025330969642113434,
    -0.0019036699891113577,
    0.00010351607268348446,
    -4.13281128392742e-06,
)


def _exponential(x: Term) -> Term:
    """Returns exp(x), of x between -700 and 700 that of the limit nearest to it."""
    x = x.at_least(-700.0).at_most(700.0)
    shifted = x * (1 / math.log(2)) + _ROUNDING
    rest = x - (shifted - _ROUNDING) * math.log(2)
    # The lowest bits of `shifted` are an integer n; n + 1023, at the top, are the bits of 2^n.
    scale = ((shifted.bits() + 1023) << 52).value()
    return polynomial(rest, _EXPONENTIAL) * scale


def _logarithm(x: Term) -> Term:
    """Returns log(x) of a normal float64 above 0; of others any number."""
    bits = x.bits()
    exponent = (bits + (_ONE_BITS - _ROOT_HALF_BITS)) >> 52
    mantissa = (bits + _ONE_BITS - (exponent << 52)).value()
    power = (exponent | _INTEGER).value() - (2.0**52 + 1023)
    s = (mantissa - 1.0) / (mantissa + 1.0)
    return power * math.log(2) + s * polynomial(s * s, _LOGARITHM)


def _nearest_integer(x: Term) -> Term:
    """Returns the integer nearest to a number below 2^51 in size."""
    return (x + _ROUNDING) - _ROUNDING


def _polynomial_ratio(x: Term, above: Sequence[float], below: Sequence[float]) -> Term:
    return polynomial(x, above) / polynomial(x, below)


# --- error functions ---------------------------------------------------------------------------------------

# erf(x) / x of x^2, to where erf(x) is 1 in float32.
_ERF_LIMIT: Final = 3.93
_ERF: Final = (
    1.128379166969821,
    -0.37612638314815094,
    0.112837870683161,
    -0.02686602701890695,
    0.005223739447002222,
    -0.0008545901806313985,
    0.0001203880445220978,
    -1.4845865409420855e-05,
    1.6178378596670914e-06,
    -1.560088241604029e-07,
    1.3209540912151208e-08,
    -9.660971640082457e-10,
    5.961232175064331e-11,
    -3.0138342264985224e-12,
    1.2047164511321395e-13,
    -3.635380752171116e-15,
    7.738385652868214e-17,
    -1.03124401944067e-18,
    6.451162309131555e-21,
)

# exp(x^2) erfc(x) / t of t = 1 / (1 + 0.4 x), to where erfc(x) is 0 in float32.
_ERFC_LIMIT: Final = 10.2
_ERFC: Final = (
    0.22567102320186255,
    0.22581027788503152,
    0.20594842345134332,
    0.18377098202549963,
    0.06290378679033053,
    0.2606843616253772,
    -0.43029412813528395,
    0.7099166702254004,
    -0.8123620216075478,
    0.5148083398046454,
    -0.1702949606156423,
    0.023437245375337815,
)

# erf_inv(x) / x of w = -log(1 - x^2), and from a limit on of sqrt(w).
_ERF_INV_LIMIT: Final = 5.0
_ERF_INV: Final = (
    0.8862269259834256,
    0.23201363604899716,
    0.011549628771730618,
    -0.0023361444276192517,
    -0.00012611782858475116,
    4.456915705982716e-05,
    3.331105350885319e-06,
    -1.517596029398664e-06,
    6.466321058358256e-08,
    2.0728030506732704e-08,
    -2.961246022641986e-09,
    1.234657710243641e-10,
)
_ERF_INV_TAIL: Final = (
    -1.7471456906741403,
    7.965510776602373,
    -9.732874012730823,
    6.307176796864873,
    -1.6805983161489773,
    -0.3233630166703298,
    0.42638182786409556,
    -0.16312530977413606,
    0.03508919898071466,
    -0.004535636159155064,
    0.00033080535870159457,
    -1.0527834153821763e-05,
)


def _erf(x: Term) -> Term:
    clamped = x.at_least(-_ERF_LIMIT).at_most(_ERF_LIMIT)
    return clamped * polynomial(clamped * clamped, _ERF)


def _erfc(x: Term) -> Term:
    size = abs(x).at_most(_ERFC_LIMIT)
    t = 1.0 / (size * 0.4 + 1.0)
    above = t * polynomial(t, _ERFC) * _exponential(-(size * size))
    return x.equals(x).choose((x < 0.0).choose(2.0 - above, above), x)


def _erf_inv(x: Term) -> Term:
    w = -_logarithm((1.0 - x) * (x + 1.0))
    near = polynomial(w, _ERF_INV)
    tail = polynomial(w.sqrt(), _ERF_INV_TAIL)
    inside = x * (w < _ERF_INV_LIMIT).choose(near, tail)
    size = abs(x)
    return (size < 1.0).choose(inside, size.equals(1.0).choose(x * math.inf, math.nan))


# --- gamma functions ---------------------------------------------------------------------------------------

# lgamma(x) / ((x - 1) (x - 2)), 1 <= x <= 3.
_LGAMMA_ABOVE: Final = (
    2.1038950491068666,
    18.534499917296007,
    29.362574433179795,
    11.060108891762352,
    0.8752535302109613,
    0.0037234819086042433,
)
_LGAMMA_BELOW: Final = (
    1.0,
    17.40056442834242,
    48.18712010668829,
    33.90019474841539,
    6.553931178523788,
    0.26653037205301255,
)

# x (lgamma(x) - (x - 1/2) log(x) + x - log(2 pi) / 2) of x^-2, x >= 3.
_STIRLING: Final = (
    0.08333333333333313,
    -0.0027777777774305,
    0.0007936506884915048,
    -0.0005952255253448391,
    0.0008409701331661108,
    -0.001888716724424404,
    0.005726056083836847,
    -0.01843123144258371,
    0.0464987992437226,
    -0.06067253307630473,
)

# x^2 (log(x) - 1 / (2 x) - digamma(x)) of x^-2, x >= 4.
_DIGAMMA: Final = (
    0.0833333333333288,
    -0.008333333324038556,
    0.003968250794862893,
    -0.004166247559344269,
    0.007547968675167764,
    -0.02005399419388151,
    0.060156789876368126,
    -0.12187734127140076,
)


def _lgamma_from_3(x: Term) -> Term:
    inverse = 1.0 / x
    more = inverse * polynomial(inverse * inverse, _STIRLING) + math.log(2 * math.pi) / 2
    return (x - 0.5) * _logarithm(x) - x + more


def _lgamma_1_to_3(x: Term) -> Term:
    ratio = _polynomial_ratio(x, _LGAMMA_ABOVE, _LGAMMA_BELOW)
    return (x - 1.0) * (x - 2.0) * ratio


def _lgamma(x: Term) -> Term:
    is_negative = x < 0.0
    x_positive = is_negative.choose(1.0 - x, x)
    # Below 1: lgamma(x) = lgamma(x + 1) - log(x).
    # Below 0, by reflection: lgamma(x) = log(pi / |sin(pi x)|) - lgamma(1 - x).
    is_low = x_positive < 1.0
    near = _lgamma_1_to_3(is_low.choose(x_positive + 1.0, x_positive))
    near = is_low.choose(near - _logarithm(x_positive), near)
    positive = (x_positive < 3.0).choose(near, _lgamma_from_3(x_positive.at_least(3.0)))
    turn = x - _nearest_integer(x)
    sine = abs(turn * polynomial(turn * turn, _SINE))
    reflected = (math.log(math.pi) - _logarithm(sine)) - positive
    result = is_negative.choose(reflected, positive)
    is_pole = turn.equals(0.0) & (x < 0.5)
    is_infinite = abs(x).equals(math.inf)
    finite = is_pole.choose(math.inf, is_infinite.choose(math.inf, result))
    return x.equals(x).choose(finite, x)


def _digamma(x: Term) -> Term:
    is_negative = x < 0.0
    x_positive = is_negative.choose(1.0 - x, x)
    # Below 4: digamma(x) = digamma(x + 4) - 1 / x - 1 / (x + 1) - 1 / (x + 2) - 1 / (x + 3).
    is_low = x_positive < 4.0
    first = x_positive * (x_positive + 3.0)
    second = first + 2.0
    fractions = (x_positive * 2.0 + 3.0) * (first + second) / (first * second)
    high = is_low.choose(x_positive + 4.0, x_positive)
    inverse = 1.0 / high
    square = inverse * inverse
    value = _logarithm(high) - inverse * 0.5 - square * polynomial(square, _DIGAMMA)
    positive = is_low.choose(value - fractions, value)
    turn = x - _nearest_integer(x)
    square = turn * turn
    cotangent = (0.25 - square) * polynomial(square, _COSINE) / (turn * polynomial(square, _SINE))
    result = is_negative.choose(positive - cotangent * math.pi, positive)
    finite = (turn.equals(0.0) & (x < 0.5)).choose(math.nan, result)
    return x.equals(math.inf).choose(x, finite)


# --- zeta functions ----------------------------------------------------------------------------------------

_SUMMED: Final = 5
"""Terms of the sum; Euler and Maclaurin's formula gives the rest."""

# Bernoulli's numbers B(2 j) / (2 j)!
_BERNOULLI: Final = (
    1 / 12,
    -1 / 720,
    1 / 30240,
    -1 / 1209600,
    1 / 47900160,
    -691 / 1307674368000,
)


def _zeta_sum(x: Term, q: Term) -> Term:
    """Returns the sum of (q + k)^-x over k = 0, 1, ..., for finite x > 1 and q > 0."""
    result = _exponential(-(x * _logarithm(q)))
    for k in range(1, _SUMMED):
        result = result + _exponential(-(x * _logarithm(q + float(k))))
    term = q + float(_SUMMED)
    inverse = 1.0 / term
    factor = x * inverse
    square = inverse * inverse
    rest = term / (x - 1.0) + 0.5
    for j, number in enumerate(_BERNOULLI):
        rest = rest + factor * number
        factor = factor * ((x + (2.0 * j + 1)) * (x + (2.0 * j + 2)) * square)
    return result + rest * _exponential(-(x * _logarithm(term)))


def _zeta(x: Term, q: Term) -> Term:
    is_usual = (x > 1.0) & (x < math.inf) & (q > 0.0) & (q < math.inf)
    return is_usual.choose(_zeta_sum(x, q), math.nan)


def _polygamma(n: Term, x: Term) -> Term:
    order = n + 1.0
    factorial = _exponential((order < 3.0).choose(_lgamma_1_to_3(order), _lgamma_from_3(order.at_least(3.0))))
    half = n * 0.5
    is_even = half.equals(_nearest_integer(half))
    size = factorial * _zeta_sum(order, x)
    result = is_even.choose(-size, size)
    is_natural = n.equals(_nearest_integer(n)) & (n > 0.0) & (n < _MOST_ORDER)
    return (is_natural & (x > 0.0) & (x < math.inf)).choose(
        result, n.equals(0.0).choose(_digamma(x), math.nan)
    )


_MOST_ORDER: Final = 170.0
"""The factorial of a greater number is no float64."""


# --- Bessel functions --------------------------------------------------------------------------------------

# exp(-x) I1(x) / x, 0 <= x <= 8, and exp(-x) I1(x) sqrt(x) of 1 / x from there on.
_BESSEL_LIMIT: Final = 8.0
_BESSEL_ABOVE: Final = (
    0.5000000000896061,
    0.04557474000123868,
    0.04979670194634323,
    0.004126051361148842,
    0.0011677402054169205,
    7.081044448085746e-05,
    6.396027699051387e-06,
    5.0033198452291313e-08,
)
_BESSEL_BELOW: Final = (
    1.0,
    1.091149491648347,
    0.5657427623039333,
    0.18369373693039964,
    0.04131523026289753,
    0.0066899911048070365,
    0.0007748943064553823,
    6.116073956631961e-05,
    2.2453149345268647e-06,
)
_BESSEL_TAIL: Final = (
    0.3989422804620052,
    -0.14960341710369246,
    -0.04674070440219407,
    -0.04156003016067409,
    -0.03759874466033855,
    -0.430640602147839,
    2.3791430575102672,
    -10.161899277741165,
)


def _bessel_i1e(x: Term) -> Term:
    size = abs(x)
    near = x * _polynomial_ratio(size.at_most(_BESSEL_LIMIT), _BESSEL_ABOVE, _BESSEL_BELOW)
    inverse = 1.0 / size.at_least(_BESSEL_LIMIT)
    far = inverse.sqrt() * polynomial(inverse, _BESSEL_TAIL)
    return (size > _BESSEL_LIMIT).choose((x < 0.0).choose(-far, far), near)


BESSEL_I1E: Final = Formula(_bessel_i1e)
DIGAMMA: Final = Formula(_digamma)
ERF: Final = Formula(_erf)
ERFC: Final = Formula(_erfc)
ERF_INV: Final = Formula(_erf_inv)
LGAMMA: Final = Formula(_lgamma)
POLYGAMMA: Final = Formula(_polygamma, operands=2)
"""NaN also where x is not positive, or n above 170."""
ZETA: Final = Formula(_zeta, operands=2)
"""NaN also where q is not positive, or x is 1 or infinite."""
