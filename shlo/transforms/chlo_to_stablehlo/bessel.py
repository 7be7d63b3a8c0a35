"""bessel_i1e by the Chebyshev series of Cephes (S. Moshier, netlib.org/cephes: i1.c, i1f.c)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.ir.types import F64
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.elementwise import absolute, at_least_single, select, sign, sqrt

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
    return at_least_single(_single, x)


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
