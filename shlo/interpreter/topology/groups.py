"""How collective operations split the process grid into groups. Specification: "Collective ops".

A process is a number here, `replica_id * num_partitions + partition_id`; a group is a tuple of them, in
order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from shlo.interpreter.kernel_api import KernelError

Ids = Sequence[Sequence[int]]
"""The rows of `replica_groups`, or the pairs of `source_target_pairs`."""

Groups = tuple[tuple[int, ...], ...]


MOST_PROCESSES = 1 << 16
"""Processes of the largest grid, and devices of the largest mesh, that is tried."""


class GridShape(NamedTuple):
    """How many replicas and partitions a process grid has."""

    replicas: int = 1
    partitions: int = 1

    @property
    def size(self) -> int:
        """How many processes there are."""
        return self.replicas * self.partitions

    def number(self, replica: int, partition: int) -> int:
        """Returns the process at a place of the grid."""
        return replica * self.partitions + partition

    def place(self, process: int) -> tuple[int, int]:
        """Returns the replica and the partition of a process."""
        return divmod(process, self.partitions)

    def label(self, process: int) -> str:
        """Returns how messages call a process: `(replica, partition)`."""
        replica, partition = self.place(process)
        return f"({replica}, {partition})"

    @property
    def axes(self) -> tuple[tuple[str, int], ...]:
        """The axes along which processes are laid out, with their sizes."""
        return (("replica", self.replicas), ("partition", self.partitions))

    @property
    def has_axis_names(self) -> bool:
        """Whether messages call a process by the names of axes."""
        return False

    @property
    def in_order(self) -> Sequence[int]:
        """The processes in row-major order of the axes."""
        return range(self.size)

    def coordinates(self, process: int) -> tuple[int, ...]:
        """Returns where a process is along the axes."""
        return self.place(process)


def require_possible(count: int) -> None:
    """Raises KernelError where a grid or mesh would have no process, or too many."""
    if not 0 < count <= MOST_PROCESSES:
        raise KernelError(f"is for {count} processes; from 1 to {MOST_PROCESSES} can be run")


Strategy = Callable[[Ids, GridShape], Groups]


def cross_replica(ids: Ids, grid: GridShape) -> Groups:
    """Groups of replicas within each partition."""
    return tuple(
        tuple(grid.number(replica, partition) for replica in row)
        for row in _rows(ids, grid.replicas, "replicas")
        for partition in range(grid.partitions)
    )


def cross_partition(ids: Ids, grid: GridShape) -> Groups:
    """Groups of partitions within each replica."""
    return tuple(
        tuple(grid.number(replica, partition) for partition in row)
        for row in _rows(ids, grid.partitions, "partitions")
        for replica in range(grid.replicas)
    )


def cross_replica_and_partition(ids: Ids, grid: GridShape) -> Groups:
    """Groups of replicas with all their partitions."""
    return tuple(
        tuple(grid.number(replica, partition) for partition in range(grid.partitions) for replica in row)
        for row in _rows(ids, grid.replicas, "replicas")
    )


def flattened_ids(ids: Ids, grid: GridShape) -> Groups:
    """Groups of processes, by their numbers."""
    return tuple(tuple(row) for row in _rows(ids, grid.size, "processes"))


def strategy_of(name: str, channel: int, has_global_ids: bool) -> Strategy:
    """Returns the strategy that an operation's channel and flag choose; raises KernelError where they do
    not fit."""
    if has_global_ids and channel <= 0:
        raise KernelError("use_global_device_ids needs a positive channel_id")
    if has_global_ids:
        return flattened_ids
    if channel <= 0:
        return cross_replica
    return cross_partition if name in BETWEEN_PARTITIONS else cross_replica_and_partition


BETWEEN_PARTITIONS = frozenset(
    {"stablehlo.all_to_all", "stablehlo.collective_broadcast", "stablehlo.collective_permute"}
)
"""Operations whose groups with a channel are partitions of one replica; the others' hold both."""


def connected(pairs: Groups) -> Groups:
    """Returns the processes that pairs join, directly or through others, each group in ascending order."""
    leaders: dict[int, int] = {}
    for source, target in pairs:
        leaders[_leader(leaders, source)] = _leader(leaders, target)
    groups: dict[int, list[int]] = {}
    for process in sorted(leaders):
        groups.setdefault(_leader(leaders, process), []).append(process)
    return tuple(tuple(group) for group in groups.values())


def _leader(leaders: dict[int, int], process: int) -> int:
    """Returns the process that refers to the group of one; the way there is shortened."""
    while (above := leaders.setdefault(process, process)) != process:
        leaders[process] = leaders[above]
        process = above
    return process


def require_unique(ids: Ids) -> None:
    """Raises KernelError where an id occurs twice."""
    seen: set[int] = set()
    for number in (int(number) for row in ids for number in row if number != PADDING):
        if number in seen:
            raise KernelError(f"names {number} twice in its groups")
        seen.add(number)


PADDING = -1
"""What fills up the rows of groups that are smaller than others."""


def _rows(ids: Ids, limit: int, what: str) -> Iterator[list[int]]:
    """Yields the rows without their padding; one row of all where there is none."""
    for row in ids if len(ids) else [range(limit)]:
        members = [int(number) for number in row if number != PADDING]
        wrong = next((number for number in members if not 0 <= number < limit), None)
        if wrong is not None:
            raise KernelError(
                f"names {wrong} in its groups, but the last of the grid's {what} is {limit - 1}"
            )
        yield members
