"""Columns of numbers as bytes: differences of neighbours, bytes of one significance together, compressed.

Loops repeat the same differences, which zlib finds; high bytes are mostly zero.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.debugger.errors import RecordingError
from shlo.ir.dtypes import Array

LARGEST: Final = 32 << 20
"""How many bytes one compressed part of a file may have when it is unpacked."""

SAMPLE: Final = 1 << 16
"""How many bytes are tried to find out whether compression is worth it."""

_WORTH: Final = 0.9


def compress(data: bytes, level: int = 1) -> bytes:
    """Returns bytes compressed by zlib."""
    return zlib.compress(data, level)


def is_compressible(data: bytes) -> bool:
    """Returns whether bytes get smaller by a tenth, judged by their beginning."""
    sample = data[:SAMPLE]
    return len(zlib.compress(sample, 1)) < _WORTH * len(sample)


def decompress(data: bytes, size: int) -> bytes:
    """Returns what was compressed; raises RecordingError where that is not `size` bytes."""
    if not 0 <= size <= LARGEST:
        raise RecordingError("a compressed part has no size that is allowed")
    unpacker = zlib.decompressobj()
    try:
        unpacked = unpacker.decompress(data, size + 1)
    except zlib.error as error:
        raise RecordingError(f"a compressed part is damaged: {error}") from None
    if len(unpacked) != size or not unpacker.eof:
        raise RecordingError("a compressed part has another size than it says")
    return unpacked


def packed(columns: Sequence[Array]) -> bytes:
    """Returns columns of integers, all of 4 or 8 bytes, as bytes, one after the other."""
    return b"".join(map(_packed, columns))


def _packed(column: Array) -> bytes:
    unsigned = np.ascontiguousarray(column).view(f"u{column.dtype.itemsize}")
    differences = np.diff(unsigned, prepend=unsigned.dtype.type(0))
    little = differences.astype(f"<u{column.dtype.itemsize}", copy=False)
    return little.view(np.uint8).reshape(-1, column.dtype.itemsize).T.tobytes()


def unpacked(data: bytes, dtypes: Sequence[str], counts: Sequence[int]) -> list[Array]:
    """Returns columns of integers of these dtypes and lengths; raises RecordingError where the bytes are not
    as many.
    """
    sizes = [np.dtype(dtype).itemsize * count for dtype, count in zip(dtypes, counts)]
    if min(counts, default=0) < 0 or sum(sizes) != len(data):
        raise RecordingError("columns have another length than they say")
    columns: list[Array] = []
    start = 0
    for dtype, size in zip(dtypes, sizes):
        width = np.dtype(dtype).itemsize
        byte_rows = np.frombuffer(data, np.uint8, size, start).reshape(width, -1)
        little = np.ascontiguousarray(byte_rows.T).view(f"<u{width}").reshape(-1)
        native = little.astype(f"u{width}", copy=False)
        columns.append(np.cumsum(native, dtype=f"u{width}").view(dtype))
        start += size
    return columns
