"""erf, erfc and erf_inv.

erf and erfc are rational approximations of Cephes (S. Moshier, netlib.org/cephes: ndtr.c, ndtrf.c) and, of
f32, of Eigen; erf_inv is by M. Giles, "Approximating the erfinv function" (GPU Computing Gems 2, 2010).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from shlo.ir.types import F64
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.elementwise import (
    absolute,
    at_least_single,
    clamp,
    exponential,
    log1p,
    polynomial,
    select,
    sqrt,
)

_P64: Final = (
    2.46196981473530512524e-10, 5.64189564831068821977e-1, 7.46321056442269912687, 4.86371970985681366614e1,
    1.96520832956077098242e2, 5.26445194995477358631e2, 9.34528527171957607540e2, 1.02755188689515710272e3,
    5.57535335369399327526e2,
)  # fmt: skip
_Q64: Final = (
    1.0, 1.32281951154744992508e1, 8.67072140885989742329e1, 3.54937778887819891062e2,
    9.75708501743205489753e2, 1.82390916687909736289e3, 2.24633760818710981792e3, 1.65666309194161350182e3,
    5.57535340817727675546e2,
)  # fmt: skip
_R64: Final = (
    5.64189583547755073984e-1, 1.27536670759978104416, 5.01905042251180477414, 6.16021097993053585195,
    7.40974269950448939160, 2.97886665372100240670,
)  # fmt: skip
_S64: Final = (
    1.0, 2.26052863220117276590, 9.39603524938001434673, 1.20489539808096656605e1, 1.70814450747565897222e1,
    9.60896809063285878198, 3.36907645100081516050,
)  # fmt: skip
_T64: Final = (
    9.60497373987051638749, 9.00260197203842689217e1, 2.23200534594684319226e3, 7.00332514112805075473e3,
    5.55923013010394962768e4,
)  # fmt: skip
_U64: Final = (
    1.0, 3.35617141647503099647e1, 5.21357949780152679795e2, 4.59432382970980127987e3,
    2.26290000613890934246e4, 4.92673942608635921086e4,
)  # fmt: skip
_P32: Final = (
    2.326819970068386e-2, -1.387039388740657e-1, 3.687424674597105e-1, -5.824733027278666e-1,
    6.210004621745983e-1, -4.944515323274145e-1, 3.404879937665872e-1, -2.741127028184656e-1,
    5.638259427386472e-1,
)  # fmt: skip
_R32: Final = (
    -1.047766399936249e1, 1.297719955372516e1, -7.495518717768503, 2.921019019210786, -1.015265279202700,
    4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1,
)  # fmt: skip
_T32: Final = (
    7.853861353153693e-5, -8.010193625184903e-4, 5.188327685732524e-3, -2.685381193529856e-2,
    1.128358514861418e-1, -3.761262582423300e-1, 1.128379165726710,
)  # fmt: skip
_ALPHA: Final = (
    -2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05,
    -7.34990630326855e-04, -2.95459980854025e-03, -1.60960333262415e-02,
)  # fmt: skip
_BETA: Final = (
    -1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03,
    -1.42647390514189e-02,
)  # fmt: skip
_MAX_LOG64: Final = 7.09782712893383996843e2
_MAX_LOG32: Final = 88.72283905206835
"""Where exp(-x^2) underflows."""

_INVERSE32: Final = (
    (2.81022636e-08, 3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503,
     -0.00417768164, 0.246640727, 1.50140941),
    (-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613,
     0.00943887047, 1.00167406, 2.83297682),
)  # fmt: skip
"""Coefficients where w < 5, and elsewhere."""
_INVERSE64: Final = (
    (-3.6444120640178196996e-21, -1.685059138182016589e-19, 1.2858480715256400167e-18,
     1.115787767802518096e-17, -1.333171662854620906e-16, 2.0972767875968561637e-17,
     6.6376381343583238325e-15,
     -4.0545662729752068639e-14, -8.1519341976054721522e-14, 2.6335093153082322977e-12,
     -1.2975133253453532498e-11, -5.4154120542946279317e-11, 1.051212273321532285e-09,
     -4.1126339803469836976e-09, -2.9070369957882005086e-08, 4.2347877827932403518e-07,
     -1.3654692000834678645e-06, -1.3882523362786468719e-05, 0.0001867342080340571352,
     -0.00074070253416626697512, -0.0060336708714301490533, 0.24015818242558961693, 1.6536545626831027356),
    (2.2137376921775787049e-09, 9.0756561938885390979e-08, -2.7517406297064545428e-07,
     1.8239629214389227755e-08, 1.5027403968909827627e-06, -4.013867526981545969e-06,
     2.9234449089955446044e-06,
     1.2475304481671778723e-05, -4.7318229009055733981e-05, 6.8284851459573175448e-05,
     2.4031110387097893999e-05, -0.0003550375203628474796, 0.00095328937973738049703,
     -0.0016882755560235047313, 0.0024914420961078508066, -0.0037512085075692412107, 0.005370914553590063617,
     1.0052589676941592334, 3.0838856104922207635),
    (-2.7109920616438573243e-11, -2.5556418169965252055e-10, 1.5076572693500548083e-09,
     -3.7894654401267369937e-09, 7.6157012080783393804e-09, -1.4960026627149240478e-08,
     2.9147953450901080826e-08, -6.7711997758452339498e-08, 2.2900482228026654717e-07,
     -9.9298272942317002539e-07, 4.5260625972231537039e-06, -1.9681778105531670567e-05,
     7.5995277030017761139e-05, -0.00021503011930044477347, -0.00013871931833623122026, 1.0103004648645343977,
     4.8499064014085844221),
)  # fmt: skip
"""Coefficients where w < 6.25, where w < 16, and elsewhere."""


def erf(x: ValueRef) -> ValueRef:
    """Returns the error function."""
    return _double_erf(x) if x.element_type == F64 else _single_erf(x)


def erfc(x: ValueRef) -> ValueRef:
    """Returns one minus the error function."""
    return _double_erfc(x) if x.element_type == F64 else _single_erfc(x)


@at_least_single
def erf_inv(x: ValueRef) -> ValueRef:
    """Returns the inverse of the error function, infinite where |x| is one."""
    value = (_double_inverse(x) if x.element_type == F64 else _single_inverse(x)) * x
    is_end = absolute(x).equals(x.constant(1))
    return select(is_end, x * math.inf, value)


def _double_erf(x: ValueRef) -> ValueRef:
    inner = _double_small_erf(x)
    one = x.constant(1)
    outer = one - _double_large_erfc(x)
    return select(absolute(x) < one, inner, outer)


def _double_erfc(x: ValueRef) -> ValueRef:
    outer = _double_large_erfc(x)
    one = x.constant(1)
    inner = one - _double_small_erf(x)
    return select(absolute(x) < one, inner, outer)


def _double_small_erf(x: ValueRef) -> ValueRef:
    """Returns erf where |x| < 1: `x T(x^2) / U(x^2)`."""
    square = x * x
    return x * polynomial(square, _T64) / polynomial(square, _U64)


def _double_large_erfc(x: ValueRef) -> ValueRef:
    """Returns erfc where |x| >= 1: `exp(-x^2) P(|x|) / Q(|x|)`, from 8 on with R and S."""
    exponent = -(x * x)
    bell, size = exponential(exponent), absolute(x)
    middle = bell * polynomial(size, _P64) / polynomial(size, _Q64)
    far = bell * polynomial(size, _R64) / polynomial(size, _S64)
    value = select(size < x.constant(8), middle, far)
    return _reflected(x, exponent, value, _MAX_LOG64)


def _reflected(
    x: ValueRef, exponent: ValueRef, value: ValueRef, max_log: float, two: ValueRef | None = None
) -> ValueRef:
    """Returns erfc(x) from erfc(|x|), zero where it underflows."""
    is_far = exponent < -max_log
    zero = x.constant(0)
    value = select(is_far, zero, value)
    is_negative = x < zero
    return select(is_negative, (two or x.constant(2)) - value, value)


@at_least_single
def _single_erf(x: ValueRef) -> ValueRef:
    """`x A(x^2) / B(x^2)` within -4 and 4."""
    low, high = x.constant(-4), x.constant(4)
    x = clamp(low, x, high)
    square = x * x
    above, below = polynomial(square, _ALPHA), polynomial(square, _BETA)
    value = x * above / below
    return clamp(x.constant(-1), value, x.constant(1))


@at_least_single
def _single_erfc(x: ValueRef) -> ValueRef:
    outer = _single_large_erfc(x)
    one = x.constant(1)
    inner = one - x * polynomial(x * x, _T32)
    return select(absolute(x) < one, inner, outer)


def _single_large_erfc(x: ValueRef) -> ValueRef:
    """Returns erfc where |x| >= 1: `exp(-x^2) P(1 / x^2) / |x|`, from 2 on with R."""
    square = x * x
    exponent = -square
    size = absolute(x)
    one = x.constant(1)
    inverse = one / square
    bell = exponential(exponent) * (one / size)
    two = x.constant(2)
    is_near = size < two
    near, far = polynomial(inverse, _P32), polynomial(inverse, _R32)
    return _reflected(x, exponent, bell * select(is_near, near, far), _MAX_LOG32, two)


def _minus_log(x: ValueRef) -> ValueRef:
    """`w = -log(1 - x^2)`."""
    return -log1p(x * -x)


def _single_inverse(x: ValueRef) -> ValueRef:
    """erf_inv(x) / x as a polynomial in `w - 2.5` or, where w >= 5, in `sqrt(w) - 3`."""
    w = _minus_log(x)
    is_near = w < x.constant(5)
    near = w - x.constant(2.5)
    w = select(is_near, near, sqrt(w) - x.constant(3))
    coefficients = list(zip(*_INVERSE32))
    value = select(is_near, *map(x.constant, coefficients[0]))
    for pair in coefficients[1:]:
        coefficient = select(is_near, *map(x.constant, pair))
        value = coefficient + value * w
    return value


def _double_inverse(x: ValueRef) -> ValueRef:
    """erf_inv(x) / x as a polynomial in `w - 3.125`, where w >= 6.25 in `sqrt(w) - 3.25` and where w >= 16 in
    `sqrt(w) - 5`; the polynomials have 23, 19 and 17 coefficients.
    """
    w = _minus_log(x)
    is_near, is_middle = w < x.constant(6.25), w < x.constant(16)
    root = sqrt(w)
    near = w - x.constant(3.125)
    shift = select(is_middle, w.constant(3.25), w.constant(5))
    w = select(is_near, near, root - shift)
    choices = (is_near, is_middle)

    def coefficient(index: int) -> ValueRef:
        value = x.constant(_INVERSE64[0][index])
        for choice, others in zip(choices, _INVERSE64[1:]):
            if index < len(others):
                value = select(choice, value, x.constant(others[index]))
        return value

    value = coefficient(0)
    lengths: Sequence[int] = [1, *sorted(map(len, _INVERSE64))]
    for condition, (start, end) in zip((None, is_middle, is_near), pairwise(lengths)):
        for index in range(start, end):
            longer = coefficient(index) + value * w
            value = longer if condition is None else select(condition, longer, value)
    return value
