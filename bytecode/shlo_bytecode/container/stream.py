"""A place in a stretch of bytes, and the primitives that can be read there, each checked before it is used.

Every method says in its errors what was being read. Offsets are those of the whole file.
"""

from __future__ import annotations

import struct
from typing import NoReturn

from shlo.support.files import Data
from shlo_bytecode.container.errors import BytecodeError

INT64_MIN = -(1 << 63)
MASK64 = (1 << 64) - 1
PADDING = 0xCB
"""The byte that fills up to an alignment."""


class Stream:
    """Reads `data` from `pos` up to `end`."""

    __slots__ = ("data", "end", "pos")

    def __init__(self, data: Data, pos: int = 0, end: int | None = None) -> None:
        self.data = data
        self.pos = pos
        self.end = len(data) if end is None else end

    @property
    def remaining(self) -> int:
        """How many bytes are left."""
        return self.end - self.pos

    def fail(self, message: str, offset: int | None = None) -> NoReturn:
        """Raises BytecodeError, by default at the place that has been reached."""
        raise BytecodeError(message, self.pos if offset is None else offset)

    def finish(self, what: str) -> None:
        """Everything must have been read."""
        if self.pos != self.end:
            self.fail(f"{self.remaining} bytes are left over behind {what}")

    def byte(self, what: str) -> int:
        """Returns one raw byte."""
        if self.pos >= self.end:
            self.fail(f"the bytes end where {what} should be")
        self.pos += 1
        return self.data[self.pos - 1]

    def varint(self, what: str) -> int:
        """Returns an unsigned number of up to 64 bits; the low bits of its first byte say its length."""
        pos = self.pos
        if pos >= self.end:
            self.fail(f"the bytes end where {what} should be")
        first = self.data[pos]
        if first & 1:
            self.pos = pos + 1
            return first >> 1
        length = (first & -first).bit_length() if first else 9
        if pos + length > self.end:
            self.fail(f"the bytes end within {what}")
        self.pos = pos + length
        return int.from_bytes(self.data[pos : pos + length], "little") >> (length if first else 8)

    def varints(self, count: int, what: str) -> list[int]:
        """Returns that many numbers, in one loop and without a call for those of up to three bytes."""
        data, pos, end = self.data, self.pos, self.end
        numbers: list[int] = []
        for _ in range(count):
            first = data[pos] if pos < end else 0
            if first & 1:
                numbers.append(first >> 1)
                pos += 1
            elif first & 2 and pos + 1 < end:
                numbers.append((first | data[pos + 1] << 8) >> 2)
                pos += 2
            elif first & 4 and pos + 2 < end:
                numbers.append((first | data[pos + 1] << 8 | data[pos + 2] << 16) >> 3)
                pos += 3
            else:
                self.pos = pos
                numbers.append(self.varint(what))
                pos = self.pos
        self.pos = pos
        return numbers

    def signed(self, what: str) -> int:
        """Returns a signed number of 64 bits, the sign in its lowest bit."""
        value = self.varint(what)
        return (value >> 1) ^ -(value & 1)

    def flagged(self, what: str) -> tuple[int, bool]:
        """Returns a number and a flag in its lowest bit."""
        value = self.varint(what)
        return value >> 1, bool(value & 1)

    def count(self, what: str, size: int = 1) -> int:
        """Returns how many things of at least `size` bytes follow, no more than fit into what is left."""
        start = self.pos
        return self.checked_count(self.varint(f"the number of {what}"), what, start, size)

    def checked_count(self, count: int, what: str, start: int, size: int = 1) -> int:
        """Returns the count, which was read at `start`, if that many things of `size` bytes may follow."""
        if count * size > self.end - self.pos:
            self.fail(f"{count} {what} do not fit into the {self.remaining} bytes that follow", start)
        return count

    def index(self, limit: int, what: str) -> int:
        """Returns a number below `limit`."""
        start = self.pos
        value = self.varint(what)
        if value >= limit:
            self.fail(f"{what} is number {value}, but there are only {limit}", start)
        return value

    def raw(self, length: int, what: str) -> memoryview:
        """Returns that many bytes, as a view into the file."""
        if length > self.remaining:
            self.fail(f"{what} is {length} bytes long, but only {self.remaining} follow")
        start = self.pos
        self.pos += length
        return memoryview(self.data)[start : self.pos]

    def blob(self, what: str) -> memoryview:
        """Returns a length and as many bytes."""
        return self.raw(self.varint(f"the length of {what}"), what)

    def double(self, what: str) -> float:
        """Returns a number of type f64: its bits as an integer."""
        return struct.unpack("<d", self.bits(64, what).to_bytes(8, "little"))[0]

    def bits(self, width: int, what: str) -> int:
        """Returns the bit pattern of an integer or float of a known width: one byte, a number, or words."""
        start = self.pos
        if width <= 8:
            value = self.byte(what)
        elif width <= 64:
            value = self.signed(what) & ((1 << width) - 1)
        else:
            value = self._words(what)
        if value.bit_length() > width:
            self.fail(f"{what} has more than {width} bits", start)
        return value

    def _words(self, what: str) -> int:
        count = self.count(f"64-bit words of {what}")
        words = [self.signed(what) & MASK64 for _ in range(count)]
        return int.from_bytes(b"".join([word.to_bytes(8, "little") for word in words]), "little")

    def align(self, alignment: int, what: str) -> None:
        """Passes over the padding up to a multiple of an alignment."""
        if alignment == 0 or alignment & (alignment - 1):
            self.fail(f"the alignment of {what} is {alignment}, which is no power of two")
        while self.pos % alignment:
            if self.byte(f"the padding before {what}") != PADDING:
                self.fail(f"the padding before {what} holds another byte than {PADDING:#x}", self.pos - 1)

    def text(self, what: str) -> str:
        """Bytes up to and over a zero byte, as text."""
        end = self.data.find(b"\0", self.pos, self.end)
        if end < 0:
            self.fail(f"{what} has no end")
        start, self.pos = self.pos, end + 1
        return decode(self.data[start:end])


def decoded(number: bytes) -> int:
    """Returns the value of a number as it is written."""
    return Stream(number).varint("a number")


def decode(data: bytes) -> str:
    """MLIR's strings are bytes: UTF-8, and what is none as surrogate escapes."""
    return data.decode("utf-8", "surrogateescape")
