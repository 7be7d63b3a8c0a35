"""Framing of editors' protocols: bodies of messages on a stream, each behind a header with its length."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Protocol

MAX_HEADER: Final = 4_096
"""How many bytes a header may have."""
_END: Final = b"\r\n\r\n"


class ByteReader(Protocol):
    """A stream of bytes without a buffer, such as a file's `raw`."""

    def read(self, size: int, /) -> bytes | None:
        """Returns at most `size` bytes, none at the end."""
        ...


def bodies(stream: ByteReader, length_of: Callable[[bytes], int | None]) -> Iterator[bytes]:
    """Yields the bodies of a stream's messages, until it ends.

    Args:
        stream: where the messages come from.
        length_of: returns the length that a header says, None where it is to be passed over. It gets no bytes
            for a header that has no end within MAX_HEADER bytes.
    """
    buffer = bytearray()
    while True:
        end = buffer.find(_END)
        if end < 0:
            if len(buffer) > MAX_HEADER:
                length_of(b"")
                del buffer[:-MAX_HEADER]
            if not _more(stream, buffer, 1 << 16):
                return
            continue
        length = length_of(bytes(buffer[:end]))
        del buffer[: end + len(_END)]
        if length is None:
            continue
        while len(buffer) < length:
            if not _more(stream, buffer, min(length - len(buffer), 1 << 22)):
                return
        yield bytes(buffer[:length])
        del buffer[:length]


def _more(stream: ByteReader, buffer: bytearray, size: int) -> bool:
    data = stream.read(size)
    buffer.extend(data or b"")
    return bool(data)
