"""The process grid: each process is a thread, and a collective a meeting of those of a group."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from msgspec import Struct

from shlo.reference.element import EvaluationError

T = TypeVar("T")
Group = tuple[int, ...]


class GridProcess(Struct, frozen=True):
    """A process: its number in the grid, replica by replica, and the grid."""

    number: int
    grid: Grid

    @property
    def replica(self) -> int:
        """The replica's number."""
        return self.number // self.grid.partitions

    @property
    def partition(self) -> int:
        """The partition's number."""
        return self.number % self.grid.partitions

    def exchange(self, key: object, group: Group, value: T) -> dict[int, T]:
        """Returns what the processes of a group bring to a meeting, once all are there."""
        return self.grid.exchange(self.number, key, group, value)


class Grid:
    """Replicas times partitions, and the meetings of their processes."""

    def __init__(self, replicas: int, partitions: int) -> None:
        self.replicas = replicas
        self.partitions = partitions
        self._changed = threading.Condition()
        self._running = replicas * partitions
        self._waiting = 0
        self._failed = False
        self._meetings: dict[tuple[object, Group], dict[int, Any]] = {}

    def exchange(self, process: int, key: object, group: Group, value: T) -> dict[int, T]:
        """Brings a process's value to a meeting, and waits for the others; raises where they never come."""
        with self._changed:
            meeting = self._meetings.setdefault((key, group), {})
            meeting[process] = value
            if len(meeting) == len(group):
                del self._meetings[key, group]
                self._changed.notify_all()
                return meeting
            self._waiting += 1
            while len(meeting) < len(group):
                if self._failed or self._waiting == self._running:
                    self._failed = True
                    self._changed.notify_all()
                    raise EvaluationError("the processes that this operation waits for never reach it")
                self._changed.wait()
                if len(meeting) == len(group):
                    break
            self._waiting -= 1
            return meeting

    def end(self, *, failed: bool) -> None:
        """Says that a process has ended."""
        with self._changed:
            self._running -= 1
            self._failed |= failed
            self._changed.notify_all()


def run_processes(replicas: int, partitions: int, run: Callable[[GridProcess], T]) -> list[T]:
    """Runs a function in each process of a grid, and returns the results; raises the first error."""
    grid = Grid(replicas, partitions)
    count = replicas * partitions
    if count == 1:
        return [run(GridProcess(0, grid))]
    results: dict[int, T] = {}
    errors: dict[int, Exception] = {}

    def run_one(number: int) -> None:
        try:
            results[number] = run(GridProcess(number, grid))
        except Exception as error:
            errors[number] = error
        finally:
            grid.end(failed=number in errors)

    threads = [threading.Thread(target=run_one, args=(number,), daemon=True) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise next(iter(errors.values()))
    return [results[number] for number in range(count)]


# -- groups: the specification's process groups ------------------------------------------------------------


def cross_replica(grid: Grid, replica_groups: Sequence[Sequence[int]]) -> list[Group]:
    """Returns groups of replicas, for each partition."""
    return [
        tuple(replica * grid.partitions + partition for replica in group)
        for group in replica_groups
        for partition in range(grid.partitions)
    ]


def cross_partition(grid: Grid, partition_groups: Sequence[Sequence[int]]) -> list[Group]:
    """Returns groups of partitions, for each replica."""
    return [
        tuple(replica * grid.partitions + partition for partition in group)
        for group in partition_groups
        for replica in range(grid.replicas)
    ]


def cross_replica_and_partition(grid: Grid, replica_groups: Sequence[Sequence[int]]) -> list[Group]:
    """Returns groups of replicas with all of their partitions."""
    return [
        tuple(
            replica * grid.partitions + partition for partition in range(grid.partitions) for replica in group
        )
        for group in replica_groups
    ]


def flattened_ids(groups: Sequence[Sequence[int]]) -> list[Group]:
    """Returns groups of processes by their numbers."""
    return [tuple(group) for group in groups]
