"""Tensors as colours: levels on a scale, marks for what is no number, and palettes for either.

A function here works on the part of a tensor that it is given, which is what a screen shows, and never on
more.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.runner.statistics import Statistics, is_floating, real_numbers

Color = tuple[int, int, int]
"""Red, green and blue, 0 to 255 each."""

NUMBER, NAN, POSITIVE_INFINITY, NEGATIVE_INFINITY = range(4)
"""What an element is, in the words of `marks`."""

LEVELS: Final = 256


class Scale(Struct, frozen=True):
    """Which numbers have the lowest and the highest level. A `diverging` one has 0 in its middle."""

    low: float
    high: float
    diverging: bool

    @property
    def palette(self) -> str:
        """Which of the PALETTES fits."""
        return "diverging" if self.diverging else "sequential"


def scale_of(statistics: Statistics | None) -> Scale:
    """Returns a tensor's scale: around 0 where it has numbers of both signs, else from low to high."""
    if statistics is None or statistics.low is None or statistics.high is None:
        return Scale(0.0, 0.0, False)
    low, high = float(statistics.low), float(statistics.high)
    limit = max(-low, high)
    return Scale(-limit, limit, True) if low < 0 < high else Scale(low, high, False)


def color_levels(part: Array, scale: Scale) -> Array:
    """Returns the level of each element, 0 to 255, as uint8; the middle for all where the scale has one
    number. Of complex numbers, the level of their magnitude. An infinity has an end's level, a NaN the
    lowest.
    """
    numbers = real_numbers(part).astype(np.float64) / 2  # so that no difference of two overflows
    low, extent = scale.low / 2, scale.high / 2 - scale.low / 2
    if not extent > 0:
        return np.full(part.shape, LEVELS // 2, np.uint8)
    with np.errstate(all="ignore"):
        levels = np.rint((numbers - low) / extent * (LEVELS - 1))
    return np.nan_to_num(np.clip(levels, 0, LEVELS - 1), nan=0).astype(np.uint8)


def marks(part: Array) -> Array:
    """Returns what each element is, as uint8: 0 a finite number, 1 NaN, 2 an infinity, 3 a negative one."""
    if not is_floating(part):
        return np.zeros(part.shape, np.uint8)
    numbers = real_numbers(part)
    flags = np.where(numbers != numbers, np.uint8(NAN), np.uint8(NUMBER))
    flags[numbers == np.inf] = POSITIVE_INFINITY
    flags[numbers == -np.inf] = NEGATIVE_INFINITY
    return flags


# --- palettes ---
#
# Colours are mixed in Oklab, where equal steps look equal. Lightness alone tells the levels apart (of one
# sign); hues go between blue and yellow or orange, which people who confuse red with green see as others do.

Oklab = tuple[float, float, float]

ANCHORS: Final[dict[str, tuple[Oklab, ...]]] = {
    "sequential": ((0.22, 0.01, -0.09), (0.47, -0.03, -0.11), (0.72, -0.06, 0.03), (0.96, -0.02, 0.13)),
    "diverging": (
        (0.38, -0.02, -0.17),
        (0.68, -0.04, -0.09),
        (0.96, 0.0, 0.0),
        (0.68, 0.07, 0.11),
        (0.38, 0.08, 0.08),
    ),
}
"""The colours that a palette goes through, at equal distances: lightness, green to red, blue to yellow."""


def _palette(anchors: tuple[Oklab, ...]) -> tuple[Color, ...]:
    at = np.linspace(0, len(anchors) - 1, LEVELS)
    mixed = [np.interp(at, range(len(anchors)), part) for part in zip(*anchors)]
    return tuple(_color(*map(float, color)) for color in zip(*mixed))


def _color(lightness: float, a: float, b: float) -> Color:
    """Returns an Oklab colour in sRGB."""
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _encoded(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _encoded(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _encoded(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def _encoded(linear: float) -> int:
    linear = min(max(linear, 0.0), 1.0)
    curved = 12.92 * linear if linear <= 0.0031308 else 1.055 * math.pow(linear, 1 / 2.4) - 0.055
    return round(255 * curved)


PALETTES: Final[dict[str, tuple[Color, ...]]] = {name: _palette(anchors) for name, anchors in ANCHORS.items()}
"""A colour for each level: `sequential` from dark to light, `diverging` from blue over white to orange."""
