"""The frames of a recording: each has a length and a checksum, so that what a crash left behind can be read
up to the last frame that is whole.

A file begins with MAGIC and the version of the format. A frame is the length of its content (8 bytes, the
lowest first), the CRC-32 of the content (4 bytes), and the content: one object in MessagePack. The format is
in docs/recordings.md.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, cast

from shlo.debugger.errors import RecordingError

MAGIC: Final = b"SHLOREC\n"
VERSION: Final = 2
"""The version that is written."""

READABLE: Final = (1, 2)
"""The versions that can be read."""

_HEAD = struct.Struct("<8sI")
_FRAME = struct.Struct("<QI")
_OFFSET = struct.Struct("<Q")

END: Final = "end"
"""The kind of the last frame."""

_END_SIZE: Final = 15
"""How many bytes the content of the last frame has: a list of END and 8 bytes."""


class FrameWriter:
    """Writes frames to a file; each is in the operating system's hands when `write` returns. `size` is how
    many bytes were written.
    """

    def __init__(self, file: BinaryIO) -> None:
        import msgpack  # pyright: ignore[reportMissingTypeStubs]

        self._encode = cast("Any", msgpack).packb
        self._file = file
        file.write(_HEAD.pack(MAGIC, VERSION))
        self.size = _HEAD.size

    def write(self, content: Any) -> int:
        """Appends a frame; returns where it begins. Raises OSError."""
        packed, offset = self._encode(content), self.size
        self._file.write(_FRAME.pack(len(packed), zlib.crc32(packed)))
        self._file.write(packed)
        self._file.flush()
        self.size += _FRAME.size + len(packed)
        return offset

    def finish(self, index: int) -> None:
        """Appends the last frame, from which the index is found."""
        self.write([END, _OFFSET.pack(index)])


class FrameReader:
    """Reads the frames of a file. Raises RecordingError where the file is no recording, is of another
    version, or is damaged; never reads more than a whole frame.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = os.fstat(file.fileno()).st_size
        self.version = _version(file.read(_HEAD.size))

    def all(self) -> Iterator[tuple[int, Any]]:
        """Yields the frames and where each begins, in bytes."""
        offset = _HEAD.size
        while offset < self.size:
            content, after = self._read(offset)
            yield offset, content
            offset = after

    def at(self, offset: int) -> Any:
        """Returns the frame that begins at a place."""
        if not _HEAD.size <= offset < self.size:
            raise RecordingError("there is no such frame", offset)
        return self._read(offset)[0]

    def following(self, offset: int) -> Iterator[Any]:
        """Yields the frame that begins at a place, and those after it."""
        while _HEAD.size <= offset < self.size:
            content, offset = self._read(offset)
            yield content

    def index(self) -> Any:
        """Returns the index that the end of the file names; None where there is none."""
        offset = self.size - _FRAME.size - _END_SIZE
        if offset < _HEAD.size:
            return None
        try:
            match self._read(offset):
                case [str(kind), bytes(place)], after if kind == END and after == self.size:
                    return self.at(_OFFSET.unpack(place)[0])
                case _:
                    return None
        except (RecordingError, struct.error):
            return None

    def _read(self, offset: int) -> tuple[Any, int]:
        """Returns a frame, and where it ends."""
        self._file.seek(offset)
        head = self._file.read(_FRAME.size)
        length, checksum = _FRAME.unpack(head) if len(head) == _FRAME.size else (0, -1)
        after = offset + _FRAME.size + length
        if checksum < 0 or after > self.size:
            raise RecordingError("it is cut short", offset)
        packed = self._file.read(length)
        if zlib.crc32(packed) != checksum:
            raise RecordingError("a checksum is wrong", offset)
        return decoded(packed, offset), after


def _version(head: bytes) -> int:
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise RecordingError("it is no recording of the debugger", 0)
    version = _HEAD.unpack(head)[1]
    if version not in READABLE:
        readable = " and ".join(map(str, READABLE))
        raise RecordingError(
            f"it is written in version {version}, and only {readable} can be read", len(MAGIC)
        )
    return version


def encoded(content: Any) -> bytes:
    """Returns an object in MessagePack."""
    import msgpack  # pyright: ignore[reportMissingTypeStubs]

    return cast("Any", msgpack).packb(content)


def decoded(packed: bytes, offset: int = -1) -> Any:
    """Returns the object that MessagePack holds; raises RecordingError."""
    import msgpack  # pyright: ignore[reportMissingTypeStubs]

    try:
        return cast("Any", msgpack).unpackb(packed, raw=False)
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise RecordingError(f"a frame holds no MessagePack: {error}", offset) from None
