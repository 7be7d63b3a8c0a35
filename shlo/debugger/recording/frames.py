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
from typing import Annotated, Any, BinaryIO, Final, cast

import msgspec
from msgspec import Meta, Struct

from shlo.debugger.errors import RecordingError

Natural = Annotated[int, Meta(ge=0)]
Positive = Annotated[int, Meta(gt=0)]


class Record(Struct, array_like=True, frozen=True):
    """Base class of what frames hold, as lists: the kind (`tag`) of a class that has one, and its fields.
    What is of another type than its field is an error where a frame is read."""


class RecordingFrame(Record, frozen=True):
    """Base class of the kinds of frames."""


class FrameRange(Record, frozen=True):
    """A frame with what happened at positions from `first` to `last`, as far as no other future began."""

    offset: int
    first: Positive
    last: Positive

    def cut(self, position: int) -> FrameRange | None:
        """Returns the part up to a position, None where nothing of it is."""
        return (
            FrameRange(self.offset, self.first, min(self.last, position)) if self.first <= position else None
        )


FrameRanges = dict[str, list[FrameRange]]

PARTS: Final = ("trace", "statistics", "results", "checkpoint")
"""The kinds of frames that are read when what they hold is asked for."""


def cut_parts(parts: FrameRanges, position: int) -> FrameRanges:
    """Returns frames of each kind up to a position."""
    return {kind: [cut for part in parts[kind] if (cut := part.cut(position))] for kind in parts}


MAGIC: Final = b"SHLOREC\n"
VERSION: Final = 2
"""The version of the format."""

_HEAD = struct.Struct("<8sI")
_FRAME = struct.Struct("<QI")
_OFFSET = struct.Struct("<Q")

_END_SIZE: Final = 15
"""How many bytes the content of the last frame has: a list of its kind and 8 bytes."""


class EndFrame(RecordingFrame, tag="end", frozen=True):
    """The last frame: the offset of the index."""

    index: bytes


class FrameWriter:
    """Writes frames to a file; each is in the operating system's hands when `write` returns. `size` is how
    many bytes were written.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._encode = msgspec.msgpack.Encoder().encode
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
        self.write(EndFrame(_OFFSET.pack(index)))


class FrameReader:
    """Reads the frames of a file. Raises RecordingError where the file is no recording, is of another
    version, or is damaged; never reads more than a whole frame.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.size = os.fstat(file.fileno()).st_size
        _check_head(file.read(_HEAD.size))

    def all(self) -> Iterator[tuple[int, Any]]:
        """Yields the frames and where each begins, in bytes."""
        offset = _HEAD.size
        while offset < self.size:
            content, after = self._read(offset)
            yield offset, content
            offset = after

    def at(self, offset: int, kind: Any = object) -> Any:
        """Returns the frame that begins at an offset, as a class where a kind is expected."""
        if not _HEAD.size <= offset < self.size:
            raise RecordingError("there is no such frame", offset)
        return converted(self._read(offset)[0], kind, offset)

    def following(self, offset: int) -> Iterator[Any]:
        """Yields the frame that begins at an offset, and those after it."""
        while _HEAD.size <= offset < self.size:
            content, offset = self._read(offset)
            yield content

    def index(self) -> int | None:
        """Returns the offset of the index, which is in the last frame; None where there is none."""
        offset = self.size - _FRAME.size - _END_SIZE
        if offset < _HEAD.size:
            return None
        try:
            return _OFFSET.unpack(self.at(offset, EndFrame).index)[0]
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


def _check_head(head: bytes) -> None:
    if len(head) < _HEAD.size or not head.startswith(MAGIC):
        raise RecordingError("it is no recording of the debugger", 0)
    version = _HEAD.unpack(head)[1]
    if version != VERSION:
        raise RecordingError(
            f"it is written in version {version}, and only {VERSION} can be read", len(MAGIC)
        )


def encoded(content: Any) -> bytes:
    """Returns an object in MessagePack."""
    return msgspec.msgpack.encode(content)


def decoded(packed: bytes, offset: int = -1) -> Any:
    """Returns the object that MessagePack holds; raises RecordingError."""
    import msgpack  # pyright: ignore[reportMissingTypeStubs]

    try:
        return cast("Any", msgpack).unpackb(packed, raw=False)
    except (ValueError, RecursionError) as error:
        raise RecordingError(f"a frame holds no MessagePack: {error}", offset) from None


def converted(content: Any, kind: Any, offset: int = -1) -> Any:
    """Returns decoded content as a class or union of classes; raises RecordingError, which says where it is
    something else.
    """
    try:
        return msgspec.convert(content, kind, builtin_types=(bytes,))
    except (msgspec.ValidationError, RecursionError) as error:
        raise RecordingError(f"a frame does not fit the format: {error}", offset) from None
