"""Memory budget: bytes that recorded values take, storage that they share counted once."""

from __future__ import annotations

from collections.abc import Iterable

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.runtime.values import is_array, is_tuple, storage

ENTRY_BYTES = 64
"""What a recorded value takes beside its elements."""


class MemoryUse:
    """Counts who holds which storage. Values that are exempt are held by others anyway (arguments,
    constants).
    """

    def __init__(self) -> None:
        self.bytes = 0
        self._holders: dict[int, int] = {}
        self._exempt: dict[int, Value] = {}

    def exempt(self, values: Iterable[Value]) -> None:
        """These are not counted, now and later; none of them may be held yet."""
        for value in values:
            if is_tuple(value):
                self.exempt(value)
            elif is_array(value):
                owner = value if value.base is None else storage(value)
                if id(owner) not in self._exempt and id(owner) not in self._holders:
                    self._exempt[id(owner)] = owner

    def exempting_same(self) -> MemoryUse:
        """Returns a count of nothing yet, with the same exempt values."""
        other = MemoryUse()
        other._exempt = dict(self._exempt)
        return other

    def recount(self, held: Iterable[Iterable[Value]]) -> None:
        """Counts anew: these are all that is held."""
        self.bytes = 0
        self._holders.clear()
        for values in held:
            self.hold(values)

    def hold(self, values: Iterable[Value]) -> None:
        """Counts one more holder of these values."""
        holders, exempt, size = self._holders, self._exempt, 0
        for value in values:
            size += ENTRY_BYTES
            if is_array(value):
                owner = value if value.base is None else storage(value)
                key = id(owner)
                if key not in exempt:
                    count = holders.get(key, 0)
                    holders[key] = count + 1
                    size += 0 if count else owner.nbytes
            elif is_tuple(value):
                size -= ENTRY_BYTES
                self.hold(value)
        self.bytes += size

    def release(self, values: Iterable[Value]) -> None:
        """Counts one holder less; the values must still exist."""
        for value in _leaves(values):
            self.bytes -= ENTRY_BYTES
            owner = storage(value)
            if is_array(owner) and id(owner) not in self._exempt:
                count = self._holders.pop(id(owner)) - 1
                if count:
                    self._holders[id(owner)] = count
                else:
                    self.bytes -= owner.nbytes


def _leaves(values: Iterable[Value]) -> Iterable[Value]:
    for value in values:
        if is_tuple(value):
            yield from _leaves(value)
        else:
            yield value
