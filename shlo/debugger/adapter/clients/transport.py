"""Messages of the Debug Adapter Protocol on streams: JSON behind a header that says how long it is."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any, BinaryIO, Final, cast

from shlo.support.framing import MAX_HEADER, ByteReader, bodies

Message = dict[str, Any]

MAX_LENGTH: Final = 1 << 26
"""How many bytes a message may have."""
_LENGTH: Final = b"content-length"
_FIELDS: Final = (_LENGTH, b"content-type")
"""What a header may hold: no other protocol's messages are taken for ours, such as those of a page in a
browser that sends requests to a port of this machine.
"""


class TransportError(Exception):
    """Bytes that are no message, from which there is no way on."""


def messages(stream: ByteReader) -> Iterator[Message]:
    """Yields the messages of a stream until it ends; raises TransportError for what is none."""
    return map(_message, bodies(stream, _length))


def _length(header: bytes) -> int:
    if not header:
        raise TransportError(f"expected a header, got {MAX_HEADER} bytes without an end of one")
    length = None
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() not in _FIELDS:
            raise TransportError(f"expected a header of the debug adapter protocol, got {line[:80]!r}")
        value = value.strip()
        if name.strip().lower() == _LENGTH and value.isdigit() and int(value) <= MAX_LENGTH:
            length = int(value)
    if length is None:
        raise TransportError(f"expected a header with a length up to {MAX_LENGTH}, got {header[:80]!r}")
    return length


def _message(data: bytes) -> Message:
    try:
        message = json.loads(data)
    except (ValueError, RecursionError):
        raise TransportError(f"expected JSON, got {data[:80]!r}") from None
    if not isinstance(message, dict):
        raise TransportError("expected an object")
    return cast(Message, message)


class Writer:
    """Writes messages, each with its number; may be used from several threads."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._number = 0

    def send(self, message: Message) -> None:
        """Writes a message; without a reader it is dropped."""
        with self._lock:
            self._number += 1
            data = json.dumps({"seq": self._number, **message}, allow_nan=False).encode()
            try:
                self._stream.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
                self._stream.flush()
            except (OSError, ValueError):
                return
