"""Pictures small enough to are in a page as text."""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode

import numpy as np

from shlo.ir.dtypes import Array


def data_uri(pixels: Array) -> str:
    """Returns a picture as the address of an image: `pixels` are rows, columns and three bytes of colour."""
    return f"data:image/png;base64,{b64encode(png(pixels)).decode('ascii')}"


def png(pixels: Array) -> bytes:
    """Returns a picture in the PNG format, 8 bits for each of red, green and blue."""
    rows, columns, _ = pixels.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    unfiltered = np.zeros((rows, 1), np.uint8)
    lines = np.concatenate([unfiltered, pixels.reshape(rows, -1)], axis=1)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, data) for name, data in chunks)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
