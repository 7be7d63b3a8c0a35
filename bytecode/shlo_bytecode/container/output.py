"""The primitives of the format as bytes, and how an attribute or type is put together from them.

The twin of `stream.py`: what is written here reads back there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from msgspec import Struct

from shlo_bytecode.container.stream import INT64_MIN, MASK64

Bytes = bytes | bytearray | memoryview
SMALL = tuple([bytes([value << 1 | 1]) for value in range(128)])
SAMPLES = 64
"""How many bytes of a long blob its hash looks at."""


def varint(value: int) -> bytes:
    """Returns an unsigned number of up to 64 bits in as few bytes as possible."""
    return SMALL[value] if value < 128 else _long_varint(value)


@lru_cache(1 << 16)
def _long_varint(value: int) -> bytes:
    length = (value.bit_length() + 6) // 7
    if length > 8:
        return b"\0" + value.to_bytes(8, "little")
    return (value << length | 1 << (length - 1)).to_bytes(length, "little")


def consecutive(first: int, end: int) -> Iterator[bytes]:
    """Yields the numbers from `first` to before `end` as `varint` gives them, lazily.

    Those of one length are an arithmetic sequence, if their bytes are taken for integers.
    """
    for length in range(1, 9):
        last = min(end, 1 << 7 * length)
        if first < last:
            step = 1 << length
            written = range(first * step + step // 2, last * step, step)
            for number in written:
                yield number.to_bytes(length, "little")
            first = last


def varints(values: Iterable[int]) -> list[bytes]:
    """Returns each number as `varint` gives it."""
    return [SMALL[value] if value < 128 else _long_varint(value) for value in values]


def signed(value: int) -> bytes:
    """Returns a signed number of 64 bits, the sign in its lowest bit."""
    return varint((value << 1 ^ value >> 63) & MASK64)


def bits(value: int, width: int) -> bytes:
    """Returns the bit pattern of an integer or float of a known width: one byte, a number, or words."""
    if width <= 8:
        return bytes([value])
    if width <= 64:
        return signed(value - (1 << 64) if value >> 63 else value)
    count = max((value.bit_length() + 63) // 64, 1)
    words = [value >> 64 * index & MASK64 for index in range(count)]
    return varint(count) + b"".join([signed(word - (1 << 64) if word >> 63 else word) for word in words])


class Blob:
    """Bytes that may be many: they are compared only where a sample of them is equal."""

    __slots__ = ("_hash", "data")

    def __init__(self, data: Bytes) -> None:
        self.data = data
        step = max(len(data) // SAMPLES, 1)
        self._hash = hash((len(data), bytes(data[::step])))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blob) and (self.data is other.data or self.data == other.data)


class Present(Struct, frozen=True):
    """An optional reference that is there."""

    entry: OutputEntry


class ResourceKey(Struct, frozen=True):
    """A reference to a resource of the builtin dialect."""

    key: str


class OutputEntry(Struct, eq=False):
    """An attribute or type of the file to be: whose it is, its parts (None: it is a text), and what they
    refer to. The rest is filled in when the file's tables are put in order: how often it is referred to, its
    number, and that number as bytes.
    """

    dialect: str
    is_type: bool
    parts: tuple[Part, ...] = ()
    text: bytes | None = None
    references: tuple[OutputEntry, ...] = ()
    count: int = 0
    number: int = -1
    encoded: bytes = b""


Part = bytes | str | Blob | Present | ResourceKey | OutputEntry
"""What an attribute or type consists of: bytes as they are, and references (a `str` is one to a string) whose
numbers are not known before the file's tables are."""


class EntryParts:
    """Collects the parts of one attribute or type, field by field."""

    __slots__ = ("_buffer", "parts")

    def __init__(self) -> None:
        self._buffer = bytearray()
        self.parts: list[Part] = []

    def finish(self) -> tuple[Part, ...]:
        """Returns all parts, in order."""
        if self._buffer:
            self._flush()
        return tuple(self.parts)

    def raw(self, data: bytes) -> None:
        """Appends bytes."""
        self._buffer += data

    def varint(self, value: int) -> None:
        """Appends an unsigned number of up to 64 bits."""
        self._buffer += SMALL[value] if value < 128 else _long_varint(value)

    def signed(self, value: int) -> None:
        """Appends a signed number of 64 bits; raises ValueError for a wider one."""
        if not INT64_MIN <= value < 1 << 63:
            raise ValueError(f"{value} does not fit into 64 bits")
        self._buffer += signed(value)

    def double(self, value: float) -> None:
        """Appends a number of type f64."""
        self._buffer += bits(int.from_bytes(struct.pack("<d", value), "little"), 64)

    def string(self, value: str) -> None:
        """Appends a reference to a string."""
        self.reference(value)

    def reference(self, part: Part) -> None:
        """Appends what is known when all are numbered, such as a reference to an attribute or type."""
        if self._buffer:
            self._flush()
        self.parts.append(part)

    def optional(self, entry: OutputEntry | None) -> None:
        """Appends a reference to an attribute, or its absence."""
        if entry is None:
            self._buffer += varint(0)
        else:
            self.reference(Present(entry))

    def blob(self, data: Bytes) -> None:
        """Appends a length and as many bytes."""
        self._buffer += varint(len(data))
        self.reference(Blob(data))

    def resource(self, key: str) -> None:
        """Appends a reference to a resource by key."""
        self.reference(ResourceKey(key))

    def _flush(self) -> None:
        self.parts.append(bytes(self._buffer))
        self._buffer.clear()


def resolved(
    parts: Iterable[Part], string: Callable[[str], bytes], resource: Callable[[str], bytes]
) -> list[Bytes]:
    """Returns parts as bytes; `string` and `resource` return the numbers of strings and resources."""
    pieces: list[Bytes] = []
    for part in parts:
        if isinstance(part, bytes):
            pieces.append(part)
        elif isinstance(part, OutputEntry):
            pieces.append(part.encoded)
        elif isinstance(part, str):
            pieces.append(string(part))
        elif isinstance(part, Blob):
            pieces.append(part.data)
        elif isinstance(part, Present):
            pieces.append(varint(part.entry.number << 1 | 1))
        else:
            pieces.append(resource(part.key))
    return pieces
