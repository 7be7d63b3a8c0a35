"""Pooled planes as PNG images, written without an image library."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
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
    shades = [PALETTES[scale.palette][round(step * (LEVELS - 1) / _STEPS)] for step in range(_STEPS + 1)]
    palette = bytes(part for color in (*shades, *MARK_COLORS.values()) for part in color)
    return _png(levels, 3, b"PLTE" + palette)


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
