"""The frames of a recording: each has a length and a checksum, so that what a crash left behind can be read
up to the last frame that is whole.

A file begins with MAGIC and the version of the format. A frame is the length of its content (8 bytes, the
lowest first), the CRC-32 of the content (4 bytes), and the content: one object in MessagePack.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, cast

from shlo.debugger.errors import RecordingError

MAGIC: Final = b"SHLOREC\n"
VERSION: Final = 1

_HEAD = struct.Struct("<8sI")
_FRAME = struct.Struct("<QI")


class FrameWriter:
    """Writes frames to a file; each is in the operating system's hands when `write` returns."""

    def __init__(self, file: BinaryIO) -> None:
        import msgpack  # pyright: ignore[reportMissingTypeStubs]

        self._encode = cast("Any", msgpack).packb
        self._file = file
        file.write(_HEAD.pack(MAGIC, VERSION))

    def write(self, content: Any) -> None:
        """Appends a frame; raises OSError."""
        packed = self._encode(content)
        self._file.write(_FRAME.pack(len(packed), zlib.crc32(packed)))
        self._file.write(packed)
        self._file.flush()


def read_frames(file: BinaryIO) -> Iterator[tuple[int, Any]]:
    """Yields the frames of a file and where each begins, in bytes. Raises RecordingError where the file is no
    recording, is of another version, or is damaged; never reads more than a whole frame.
    """
    size = os.fstat(file.fileno()).st_size
    _check_head(file.read(_HEAD.size))
    while (offset := file.tell()) < size:
        head = file.read(_FRAME.size)
        length, checksum = _FRAME.unpack(head) if len(head) == _FRAME.size else (0, -1)
        if checksum < 0 or length > size - file.tell():
            raise RecordingError("it is cut short", offset)
        packed = file.read(length)
        if zlib.crc32(packed) != checksum:
            raise RecordingError("a checksum is wrong", offset)
        yield offset, _unpacked(packed, offset)


def _check_head(head: bytes) -> None:
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise RecordingError("it is no recording of the debugger", 0)
    version = _HEAD.unpack(head)[1]
    if version != VERSION:
        raise RecordingError(
            f"it is written in version {version}, and only {VERSION} can be read", len(MAGIC)
        )


def _unpacked(packed: bytes, offset: int) -> Any:
    import msgpack  # pyright: ignore[reportMissingTypeStubs]

    try:
        return cast("Any", msgpack).unpackb(packed, raw=False)
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise RecordingError(f"a frame holds no MessagePack: {error}", offset) from None
