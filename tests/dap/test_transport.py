"""Tests of how messages are read from a stream."""

from __future__ import annotations

import json

from shlo.debugger.adapter.clients.transport import messages

SIZE = 1 << 22


class Piece(bytes):
    """Bytes that count how many others are copied to put them in front."""

    copied = 0

    def __radd__(self, other: bytes) -> bytes:
        Piece.copied += len(other)
        return other + bytes(self)


class Pieces:
    """A stream that gives its bytes in small pieces."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._start = 0

    def read(self, size: int, /) -> bytes:
        """Returns the next piece."""
        start = self._start
        self._start += min(size, 1 << 14)
        return Piece(self._data[start : self._start])


def test_a_large_message_is_read_without_a_copy_for_each_piece() -> None:
    body = json.dumps({"text": "a" * SIZE}).encode()
    message = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    Piece.copied = 0
    assert [len(one["text"]) for one in messages(Pieces(message * 2))] == [SIZE, SIZE]
    assert Piece.copied <= len(message) * 2
