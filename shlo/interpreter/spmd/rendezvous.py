"""Rendezvous under way in a grid: which processes have arrived, and which wait for which.

A rendezvous is one execution of a collective operation by one group. Bookkeeping costs a constant time for
each process that arrives. A wait cycle is found when the process arrives that closes it: an edge leads from a
process that waits to each process that its rendezvous misses, and as it waits for all of them, no cycle ever
opens again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from shlo.interpreter.kernel_api import Value
from shlo.ir.types import Type

Values = tuple[Value, ...]


class Group(Struct, eq=False):
    """The processes of a collective, in their order, and their rendezvous under way, the oldest first."""

    members: tuple[int, ...]
    pending: list[Rendezvous] = field(default_factory=list["Rendezvous"])


class CollectiveKey(Struct, frozen=True):
    """What the processes of a rendezvous must agree on. `computation` is equal for equal regions."""

    operation: str
    group: Group
    channel: int
    operand_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    attributes: object = ()
    computation: object = None

    def differences(self, other: CollectiveKey) -> list[str]:
        """Returns in what two keys differ, in words."""
        pairs: list[tuple[str, object, object]] = [
            ("the operation", self.operation, other.operation),
            ("the groups", self.group.members, other.group.members),
            ("the channel", self.channel, other.channel),
        ]
        if self.operation == other.operation:
            pairs += self._details(other)
        return [words for words, mine, its in pairs if mine != its]

    def _details(self, other: CollectiveKey) -> list[tuple[str, object, object]]:
        return [
            ("the types of operands", self.operand_types, other.operand_types),
            ("the types of results", self.result_types, other.result_types),
            ("the attributes", self.attributes, other.attributes),
            ("the region", self.computation, other.computation),
        ]


class Future(Struct, frozen=True):
    """What async_start gives while its rendezvous is under way. `number` tells those of one process apart."""

    process: int
    number: int


class Participant(Struct, frozen=True):
    """A process at a rendezvous: its operands, and the future that takes its results (None: the process waits
    itself).
    """

    operands: Values
    future: Future | None = None


class Rendezvous(Struct, eq=False):
    """One execution of an operation by a group; they are numbered in the order in which they began. `is_lost`
    tells that a process has ended that is missing.
    """

    key: CollectiveKey
    number: int = 0
    is_lost: bool = False
    participants: dict[int, Participant] = field(default_factory=dict[int, Participant])

    @property
    def is_complete(self) -> bool:
        """Whether all processes have arrived."""
        return len(self.participants) == len(self.key.group.members)

    @property
    def missing(self) -> tuple[int, ...]:
        """The processes that have not arrived."""
        return tuple(member for member in self.key.group.members if member not in self.participants)

    @property
    def operands(self) -> list[Values]:
        """The operands of all, in the order of the group."""
        return [self.participants[member].operands for member in self.key.group.members]


class RendezvousTable:
    """The rendezvous of a grid that are under way."""

    def __init__(self, size: int) -> None:
        self._awaiting: list[dict[Rendezvous, None]] = [{} for _ in range(size)]
        self._at: dict[int, Rendezvous] = {}
        self._begun = 0
        self._ended: set[int] = set()

    def join(self, process: int, key: CollectiveKey, participant: Participant) -> Rendezvous:
        """Brings a process to the first rendezvous of this key that it is not at; a new one, if need be."""
        for rendezvous in key.group.pending:
            if process not in rendezvous.participants and (rendezvous.key is key or rendezvous.key == key):
                break
        else:
            rendezvous = self._opened(key)
        rendezvous.participants[process] = participant
        del self._awaiting[process][rendezvous]
        return rendezvous

    def close(self, rendezvous: Rendezvous) -> None:
        """Ends a complete rendezvous: no process waits for it any more."""
        rendezvous.key.group.pending.remove(rendezvous)
        for process in rendezvous.participants:
            if self._at.get(process) is rendezvous:
                del self._at[process]

    def wait(self, process: int, rendezvous: Rendezvous) -> list[int]:
        """Lets a process wait for a rendezvous. Returns the cycle that this closes: each process waits for
        the next one, the last one, which is this process, for the first; empty where there is none.
        """
        self._at[process] = rendezvous
        return self._cycle(process, rendezvous) if self._awaiting[process] else []

    def end(self, process: int) -> Sequence[Rendezvous]:
        """Notes that a process is done. Returns the rendezvous that miss it."""
        self._ended.add(process)
        for rendezvous in self._awaiting[process]:
            rendezvous.is_lost = True
        return tuple(self._awaiting[process])

    def at(self, process: int) -> Rendezvous | None:
        """Returns the rendezvous that a process waits for."""
        return self._at.get(process)

    def waiting_for(self, process: int) -> Sequence[int]:
        """Returns the processes at rendezvous that miss this process alone."""
        return [
            other
            for rendezvous in self._awaiting[process]
            if len(rendezvous.participants) == len(rendezvous.key.group.members) - 1
            for other in self._waiting_at(rendezvous)
        ]

    def pending(self) -> list[Rendezvous]:
        """Returns all rendezvous under way, the oldest first."""
        rendezvous_set = {
            rendezvous: None for rendezvous_table in self._awaiting for rendezvous in rendezvous_table
        }
        return sorted(rendezvous_set, key=lambda rendezvous: rendezvous.number)

    def save(self) -> tuple[SavedRendezvous, ...]:
        """Returns what `restore` needs."""
        return tuple(
            (rendezvous.key, dict(rendezvous.participants), frozenset(self._waiting_at(rendezvous)))
            for rendezvous in self.pending()
        )

    def restore(self, saved: Sequence[SavedRendezvous], ended: Iterable[int]) -> None:
        """Goes back to rendezvous that were under way, and to the processes that had ended."""
        self._ended = set(ended)
        for rendezvous in self.pending():
            rendezvous.key.group.pending.clear()
        self._at = {}
        self._awaiting = [{} for _ in self._awaiting]
        for key, participants, waiting in saved:
            rendezvous = self._opened(key)
            rendezvous.participants.update(participants)
            for process in participants:
                del self._awaiting[process][rendezvous]
            self._at.update(dict.fromkeys(waiting, rendezvous))

    def _opened(self, key: CollectiveKey) -> Rendezvous:
        self._begun += 1
        is_lost = not self._ended.isdisjoint(key.group.members)
        rendezvous = Rendezvous(key, self._begun, is_lost)
        key.group.pending.append(rendezvous)
        for member in key.group.members:
            self._awaiting[member][rendezvous] = None
        return rendezvous

    def _waiting_at(self, rendezvous: Rendezvous) -> Iterator[int]:
        return (process for process in rendezvous.participants if self._at.get(process) is rendezvous)

    def _cycle(self, process: int, rendezvous: Rendezvous) -> list[int]:
        """Follows the edges from a rendezvous until one leads back to the process; the shortest way."""
        came_from: dict[Rendezvous, tuple[int, Rendezvous]] = {}
        to_visit = [rendezvous]
        for current in to_visit:
            for member in current.missing:
                if member == process:
                    return [*_way(rendezvous, current, came_from), process]
                further = self._at.get(member)
                if further is not None and further is not rendezvous and further not in came_from:
                    came_from[further] = member, current
                    to_visit.append(further)
        return []


def _way(
    start: Rendezvous, end: Rendezvous, came_from: dict[Rendezvous, tuple[int, Rendezvous]]
) -> list[int]:
    """Returns the processes that lead from one rendezvous to another."""
    way: list[int] = []
    while end is not start:
        member, end = came_from[end]
        way.append(member)
    return way[::-1]


SavedRendezvous = tuple[CollectiveKey, dict[int, Participant], frozenset[int]]
