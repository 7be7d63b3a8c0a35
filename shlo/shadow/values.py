"""The shadows of a run's values, as long as the run holds the values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, cast

import numpy as np

from shlo.shadow.widening import widened_value

FEW: Final = 256
"""So many values are held before it is asked which of them the run still has."""

FEW_BYTES: Final = 16 << 20
"""Likewise, bytes of shadows."""


class ShadowValues:
    """The shadows of values, found by the value's identity: control flow, calls and tuples hand values on and
    their shadows with them. A value without a shadow of its own is exact.

    It holds each value that has a shadow, so that no other takes over its identity; `drop_others` forgets
    those that a run has dropped. One thread at a time uses it.
    """

    def __init__(self) -> None:
        self._known: dict[int, tuple[Any, Any]] = {}
        self._bytes = 0
        self._most, self._most_bytes = FEW, FEW_BYTES

    def __len__(self) -> int:
        return len(self._known)

    def shadows(self) -> list[Any]:
        """Returns all shadows that are held."""
        return [shadow for _, shadow in self._known.values()]

    @property
    def is_crowded(self) -> bool:
        """Whether so much is held that `drop_others` is due: twice as much as it left the last time."""
        return len(self._known) > self._most or self._bytes > self._most_bytes

    def of(self, value: Any) -> Any:
        """Returns the shadow of a value; of integers, tokens and the like, the value."""
        if isinstance(value, tuple):
            return tuple(map(self.of, cast("tuple[Any, ...]", value)))
        entry = self._known.get(id(value))
        return widened_value(value) if entry is None else entry[1]

    def has(self, value: Any) -> bool:
        """Returns whether a value has a shadow of its own."""
        return id(value) in self._known

    def put(self, value: Any, shadow: Any) -> None:
        """Gives a value a shadow."""
        entry = self._known.get(id(value))
        self._bytes += _size(shadow) - (0 if entry is None else _size(entry[1]))
        self._known[id(value)] = value, shadow

    def drop_others(self, values: Iterable[Any]) -> None:
        """Forgets the shadows of all values but these, and of those in tuples of these."""
        entries: dict[int, tuple[Any, Any]] = {}
        to_visit = list(values)
        while to_visit:
            value = to_visit.pop()
            if isinstance(value, tuple):
                to_visit.extend(cast("tuple[Any, ...]", value))
            elif id(value) in self._known:
                entries[id(value)] = self._known[id(value)]
        self._known = entries
        self._bytes = sum(_size(shadow) for _, shadow in entries.values())
        self._most = max(FEW, 2 * len(entries))
        self._most_bytes = max(FEW_BYTES, 2 * self._bytes)

    def copy(self) -> ShadowValues:
        """Returns shadows that change without these."""
        other = ShadowValues()
        other._known, other._bytes = dict(self._known), self._bytes
        other._most, other._most_bytes = self._most, self._most_bytes
        return other


def _size(shadow: Any) -> int:
    return int(np.asarray(shadow).nbytes)
