"""Values of a recording by number: each is written once, however often it is referred to.

Values are written in groups: frames of their elements, then one with what `write_value` gives for each.
"""

from __future__ import annotations

import weakref
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from shlo.debugger.errors import RecordingError
from shlo.debugger.recording.columns import compress, decompress, is_compressible
from shlo.debugger.recording.frames import (
    FrameReader,
    Natural,
    Record,
    RecordingFrame,
    converted,
    decoded,
    encoded,
)
from shlo.debugger.recording.values import CHUNK, ValueReader, ValueRecord, is_recordable, write_value
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.values import full_bytes, is_array, storage
from shlo.ir.dtypes import Array

GROUP: Final = 1 << 20
"""How many bytes of elements a group has before it is written; the last value may make it larger."""

MOST_VALUES: Final = 4096
"""How many values a group has at most."""

COMPRESSED: Final = 4 * CHUNK
"""How many bytes of elements are compressed in a group; larger ones are written as they are."""

KEPT_GROUPS: Final = 4
"""How many groups a reader remembers."""


class ElementsFrame(RecordingFrame, tag="elements", frozen=True):
    """Elements of values, compressed from `size` bytes."""

    size: int
    data: bytes


class ValuesFrame(RecordingFrame, tag="values", frozen=True):
    """The values from number `first` on."""

    first: Natural
    count: Natural
    size: int
    data: bytes


_Grouped = bytes | ElementsFrame | ValuesFrame


class StoredGroup(Record, frozen=True):
    """The numbers of the values in a group, and where its first frame begins."""

    first: Natural
    count: Natural
    offset: Natural


class UnrecordableError(Exception):
    """A value that no file can hold."""


class ValueWriter:
    """Numbers values, and writes them through `write`, which returns where the frame begins."""

    def __init__(self, write: Callable[[Any], int]) -> None:
        self.groups: list[StoredGroup] = []
        self._write = write
        self._pending: list[Value] = []
        self._pending_bytes = 0
        self._next = 0
        self._known: OrderedDict[Any, tuple[weakref.ref[Any], int]] = OrderedDict()

    def number(self, value: Value) -> int:
        """Returns the number of a value; raises UnrecordableError."""
        key = owner = None
        if is_array(value):
            owner, key = storage(value), _key(value)
            previous = self._known.get(key)
            if previous is not None and previous[0]() is owner:
                self._known.move_to_end(key)
                return previous[1]
        if not is_recordable(value):
            raise UnrecordableError
        number = self._next
        self._next += 1
        self._pending.append(value)
        self._pending_bytes += full_bytes([value])
        if key is not None and owner is not None:
            self._known[key] = weakref.ref(owner), number
            if len(self._known) > 4 * MOST_VALUES:
                self._known.popitem(last=False)
        if self._pending_bytes >= GROUP or len(self._pending) >= MOST_VALUES:
            self.flush()
        return number

    def added_bytes(self, values: Iterable[Value]) -> int:
        """Returns how many bytes of elements these values would add."""
        size = 0
        for value in values:
            previous = self._known.get(_key(value)) if is_array(value) else None
            if previous is None or previous[0]() is not storage(value):
                size += full_bytes([value])
        return size

    def flush(self) -> None:
        """Writes the values that were numbered since the last time."""
        if not self._pending:
            return
        pending, self._pending, size = self._pending, [], self._pending_bytes
        self._pending_bytes = 0
        parts: list[bytes] = []
        plain = [write_value(value, parts.append) for value in pending]
        elements = [b"".join(parts)] if size <= CHUNK else parts
        compresses = size <= COMPRESSED and bool(elements) and is_compressible(elements[0])
        offset = None
        for part in elements:
            at = self._write(ElementsFrame(len(part), compress(part)) if compresses else part)
            offset = at if offset is None else offset
        packed = encoded(plain)
        first = self._next - len(pending)
        at = self._write(ValuesFrame(first, len(pending), len(packed), compress(packed)))
        self.groups.append(StoredGroup(first, len(pending), at if offset is None else offset))


def _key(array: Array) -> Any:
    """Returns what tells views of the same memory apart."""
    return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.name


class ValueStore:
    """Reads values by number."""

    def __init__(self, reader: FrameReader, groups: Sequence[StoredGroup]) -> None:
        self._reader = reader
        self._groups = sorted(groups, key=lambda group: group.first)
        self._kept: OrderedDict[int, list[Value]] = OrderedDict()

    def value(self, number: int) -> Value:
        """Returns a value; raises RecordingError where there is none of that number, or it is damaged."""
        at = bisect_right(self._groups, number, key=lambda group: group.first) - 1
        if at < 0 or number >= self._groups[at].first + self._groups[at].count:
            raise RecordingError(f"it has no value {number}")
        if at not in self._kept:
            self._kept[at] = self._read(self._groups[at])
            if len(self._kept) > KEPT_GROUPS:
                self._kept.popitem(last=False)
        self._kept.move_to_end(at)
        return self._kept[at][number - self._groups[at].first]

    def _read(self, group: StoredGroup) -> list[Value]:
        values, unpacked = ValueReader(), 0
        for content in self._reader.following(group.offset):
            frame: _Grouped = converted(content, _Grouped, group.offset)
            if isinstance(frame, bytes):
                values.chunk(frame)
            elif isinstance(frame, ElementsFrame):
                values.chunk(decompress(frame.data, frame.size))
                unpacked += frame.size
                if unpacked > COMPRESSED:
                    raise RecordingError("a group of values is too large")
            elif (frame.first, frame.count) == (group.first, group.count):
                records = converted(decoded(decompress(frame.data, frame.size)), list[ValueRecord])
                if len(records) == group.count:
                    return list(values.values(records))
                break
            else:
                break
        raise RecordingError("a group of values is damaged", group.offset)
