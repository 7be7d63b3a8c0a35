"""How much a run may do and hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

from shlo.interpreter.kernel_api import KernelError, Value
from shlo.interpreter.runtime.values import full_bytes, total_bytes
from shlo.support.memory import machine_memory
from shlo.text.numbers import byte_size

_FALLBACK_BYTES = 64 << 30


class OutOfBytes(KernelError):
    """A value that does not fit into the memory that the run may take."""


class Budget:
    """Counts the steps of a run and the bytes it holds against their limits (None: no limit).

    `is_limited` tells whether there is a limit on steps or bytes.
    """

    def __init__(self, max_steps: int | None = None, max_bytes: int | None = None) -> None:
        self.max_steps = max_steps
        self.max_bytes = max_bytes
        self.is_limited = max_steps is not None or max_bytes is not None
        self.steps = 0
        self._held = 0
        self._limit = memory_limit() if max_bytes is None else max_bytes

    def step(self) -> None:
        """Counts a step; raises KernelError where it is one too many."""
        self.steps += 1
        if self.max_steps is not None and self.steps > self.max_steps:
            raise KernelError(f"the run has used up its budget of {self.max_steps} steps")

    def check(self, size: int) -> None:
        """Raises OutOfBytes where a result of `size` bytes alone is too large."""
        if size > self._limit:
            raise OutOfBytes(
                f"the result would take {byte_size(size)}, more than the {byte_size(self._limit)} allowed"
            )

    def check_temporary(self, size: int) -> None:
        """Raises OutOfBytes where what an operation needs beside its result, `size` bytes, is too large."""
        if size > self._limit:
            limit = byte_size(self._limit)
            raise OutOfBytes(
                f"the operation would need {byte_size(size)} on the way, more than the {limit} allowed"
            )

    def check_results(self, values: Iterable[Value]) -> None:
        """Raises OutOfBytes where results are too large together once each is stored in full: one that
        repeats its elements takes no room until then.
        """
        size = full_bytes(values)
        if size > self._limit:
            limit = byte_size(self._limit)
            raise OutOfBytes(
                f"the results would take {byte_size(size)} in full, more than the {limit} allowed"
            )

    def reserve_result(self, result: Value, live: Callable[[], Iterable[Value]]) -> None:
        """Counts a result whose type does not tell its size, when it is made; as `reserve`."""
        if self.max_bytes is not None:
            self.reserve(total_bytes([result]), live)

    def reserve(self, size: int, live: Callable[[], Iterable[Value]]) -> None:
        """Counts a result of `size` bytes before it is made; `live` gives all values that are held.

        What dies is not counted down: when the sum passes the limit, what is really held is added up
        again. Raises OutOfBytes where the result does not fit.
        """
        self.check(size)
        if self.max_bytes is None:
            return
        limit = self.max_bytes
        self._held += size
        if self._held > limit:
            self._held = total_bytes(list(live())) + size
            if self._held > limit:
                raise OutOfBytes(
                    f"values would take {byte_size(self._held)}, more than the {byte_size(limit)} allowed"
                )


@cache
def memory_limit() -> int:
    """Returns the size in bytes of the largest result that is tried without a budget: the memory that the
    machine has.
    """
    return machine_memory() or _FALLBACK_BYTES
