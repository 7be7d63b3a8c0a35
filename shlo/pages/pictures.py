"""Pooled planes as PNG images, written without an image library."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.ir.dtypes import Array
from shlo.runner.tensors.colormap import (
    LEVELS,
    NAN,
    NEGATIVE_INFINITY,
    PALETTES,
    POSITIVE_INFINITY,
    Color,
    Scale,
    color_levels,
)
from shlo.runner.tensors.pooling import Pooled

MARK_COLORS: Final[dict[int, Color]] = {
    NAN: (213, 0, 200),
    POSITIVE_INFINITY: (0, 158, 115),
    NEGATIVE_INFINITY: (0, 0, 0),
}
"""The colours of what is no number, which no palette has."""
_STEPS: Final = LEVELS - 1 - len(MARK_COLORS)
"""The last of a picture's levels: its palette of 256 colours has those of marks as well."""


def cell_colors(cells: Pooled, scale: Scale) -> Array:
    """Returns the colour of each cell: rows, columns, and three bytes."""
    colors = np.array(PALETTES[scale.palette], np.uint8)[color_levels(cells.numbers, scale)]
    for mark, color in MARK_COLORS.items():
        colors[cells.marks == mark] = color
    return colors


def heat_map_png(cells: Pooled, scale: Scale) -> bytes:
    """Returns cells as an image, a point each, of at most 256 colours."""
    levels = np.rint(color_levels(cells.numbers, scale) * (_STEPS / (LEVELS - 1))).astype(np.uint8)
    levels[cells.marks != 0] = _STEPS + cells.marks[cells.marks != 0]
    return _png(levels, 3, _palette_chunk([*_shades(scale.palette, _STEPS + 1), *MARK_COLORS.values()]))


def strip_png(pictures: Sequence[tuple[Pooled, Scale]], side: int) -> bytes:
    """Returns pictures one below the other as one image, each stretched to `side` by `side` points: half of
    its colours for each palette."""
    steps = _STEPS // 2
    colors = [shade for name in PALETTES for shade in _shades(name, steps)]
    return _png(
        np.concatenate([_stretched(_strip_levels(*picture, steps), side) for picture in pictures]),
        3,
        _palette_chunk([*colors, *MARK_COLORS.values()]),
    )


def _strip_levels(cells: Pooled, scale: Scale, steps: int) -> Array:
    """Returns the colours of cells by number, in the palette of a strip."""
    first = [*PALETTES].index(scale.palette) * steps
    levels = first + np.rint(color_levels(cells.numbers, scale) * ((steps - 1) / (LEVELS - 1)))
    levels[cells.marks != 0] = len(PALETTES) * steps + cells.marks[cells.marks != 0] - 1
    return levels.astype(np.uint8)


def _stretched(levels: Array, side: int) -> Array:
    rows, columns = (np.arange(side) * size // side for size in levels.shape)
    return levels[np.ix_(rows, columns)]


def _shades(palette: str, steps: int) -> list[Color]:
    """Returns as many colours of a palette, its first and last among them."""
    return [PALETTES[palette][round(step * (LEVELS - 1) / (steps - 1))] for step in range(steps)]


def _palette_chunk(colors: Sequence[Color]) -> bytes:
    return b"PLTE" + bytes(part for color in colors for part in color)


def image_png(pixels: Array) -> bytes:
    """Returns an image of bytes, [rows, columns, 3 or 4]: red, green, blue, and opacity."""
    return _png(pixels, 6 if pixels.shape[2] == 4 else 2)


def data_uri(picture: bytes, kind: str = "png") -> str:
    """Returns a picture as an address; `kind` is that of its MIME type behind `image/`."""
    return f"data:image/{kind};base64,{b64encode(picture).decode('ascii')}"


def _png(pixels: Array, color_type: int, *chunks: bytes) -> bytes:
    rows, columns = pixels.shape[:2]
    header = struct.pack(">IIBBBBB", columns, rows, 8, color_type, 0, 0, 0)
    unfiltered = np.zeros((rows, 1), np.uint8)
    lines = np.concatenate([unfiltered, pixels.reshape(rows, -1)], axis=1)
    data = zlib.compress(lines.tobytes(), 6)
    png = b"\x89PNG\r\n\x1a\n"
    for chunk in (b"IHDR" + header, *chunks, b"IDAT" + data, b"IEND"):
        png += struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk))
    return png
