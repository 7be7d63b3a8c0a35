"""Rendezvous under way in a grid: who has come, who is missing, and who therefore waits for whom.

A rendezvous is one execution of a collective operation by one group. Bookkeeping costs a constant time for
each process that comes. A wait cycle is found when the process comes that closes it: an edge leads from a
process that waits to each process that its rendezvous misses, and as it waits for all of them, no cycle ever
opens again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from shlo.interpreter.kernel_api import Value
from shlo.ir.types import Type

Values = tuple[Value, ...]


@dataclass(slots=True, eq=False)
class Group:
    """Processes that meet, in their order, and their meetings that are under way, the oldest first."""

    members: tuple[int, ...]
    pending: list[Rendezvous] = field(default_factory=list["Rendezvous"])


@dataclass(frozen=True, slots=True)
class CollectiveKey:
    """What the processes of a meeting must agree on. `computation` is equal for equal regions."""

    operation: str
    group: Group
    channel: int
    operand_types: tuple[Type, ...]
    result_types: tuple[Type, ...]
    attributes: object = ()
    computation: object = None

    def differences(self, other: CollectiveKey) -> list[str]:
        """In what two terms differ, in words."""
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


@dataclass(frozen=True, slots=True)
class Future:
    """What async_start gives while its meeting is under way. `number` tells those of one process apart."""

    process: int
    number: int


@dataclass(frozen=True, slots=True)
class Participant:
    """A process at a meeting: what it brings along, and the future that takes its results (None: the process
    waits itself).
    """

    operands: Values
    future: Future | None = None


@dataclass(slots=True, eq=False)
class Rendezvous:
    """One execution of an operation by a group; they are numbered in the order in which they began. `is_lost`
    tells that somebody will never come.
    """

    terms: CollectiveKey
    number: int = 0
    is_lost: bool = False
    arrivals: dict[int, Participant] = field(default_factory=dict[int, Participant])

    @property
    def is_complete(self) -> bool:
        """Whether everybody has come."""
        return len(self.arrivals) == len(self.terms.group.members)

    @property
    def missing(self) -> tuple[int, ...]:
        """Who has not come."""
        return tuple(member for member in self.terms.group.members if member not in self.arrivals)

    @property
    def operands(self) -> list[Values]:
        """What all brought along, in the order of the group."""
        return [self.arrivals[member].operands for member in self.terms.group.members]


class RendezvousTable:
    """The meetings of a grid that are under way."""

    def __init__(self, size: int) -> None:
        self._awaiting: list[dict[Rendezvous, None]] = [{} for _ in range(size)]
        self._at: dict[int, Rendezvous] = {}
        self._begun = 0
        self._ended: set[int] = set()

    def join(self, process: int, terms: CollectiveKey, arrival: Participant) -> Rendezvous:
        """Brings a process to the first meeting on these terms that it is not at; a new one, if need be."""
        for meeting in terms.group.pending:
            if process not in meeting.arrivals and (meeting.terms is terms or meeting.terms == terms):
                break
        else:
            meeting = self._opened(terms)
        meeting.arrivals[process] = arrival
        del self._awaiting[process][meeting]
        return meeting

    def close(self, meeting: Rendezvous) -> None:
        """Ends a meeting at which all have been: nobody waits for it any more."""
        meeting.terms.group.pending.remove(meeting)
        for process in meeting.arrivals:
            if self._at.get(process) is meeting:
                del self._at[process]

    def wait(self, process: int, meeting: Rendezvous) -> list[int]:
        """Lets a process wait for a meeting. Gives the circle that this closes: each process waits for the
        next one, the last one for the first; the last one is this process. Empty where there is none.
        """
        self._at[process] = meeting
        return self._circle(process, meeting) if self._awaiting[process] else []

    def end(self, process: int) -> Sequence[Rendezvous]:
        """Notes that a process is done. Gives the meetings that miss it."""
        self._ended.add(process)
        for meeting in self._awaiting[process]:
            meeting.is_lost = True
        return tuple(self._awaiting[process])

    def at(self, process: int) -> Rendezvous | None:
        """The meeting that a process waits for."""
        return self._at.get(process)

    def waiting_for(self, process: int) -> Sequence[int]:
        """The processes at meetings that miss this process alone."""
        return [
            other
            for meeting in self._awaiting[process]
            if len(meeting.arrivals) == len(meeting.terms.group.members) - 1
            for other in self._waiting_at(meeting)
        ]

    def pending(self) -> list[Rendezvous]:
        """All meetings under way, the oldest first."""
        found = {meeting: None for meetings in self._awaiting for meeting in meetings}
        return sorted(found, key=lambda meeting: meeting.number)

    def save(self) -> tuple[SavedRendezvous, ...]:
        """What `restore` needs."""
        return tuple(
            (meeting.terms, dict(meeting.arrivals), frozenset(self._waiting_at(meeting)))
            for meeting in self.pending()
        )

    def restore(self, kept: Sequence[SavedRendezvous], ended: Iterable[int]) -> None:
        """Goes back to meetings that were under way, and to the processes that had ended."""
        self._ended = set(ended)
        for meeting in self.pending():
            meeting.terms.group.pending.clear()
        self._at = {}
        self._awaiting = [{} for _ in self._awaiting]
        for terms, arrivals, waiting in kept:
            meeting = self._opened(terms)
            meeting.arrivals.update(arrivals)
            for process in arrivals:
                del self._awaiting[process][meeting]
            self._at.update(dict.fromkeys(waiting, meeting))

    def _opened(self, terms: CollectiveKey) -> Rendezvous:
        self._begun += 1
        is_lost = not self._ended.isdisjoint(terms.group.members)
        meeting = Rendezvous(terms, self._begun, is_lost)
        terms.group.pending.append(meeting)
        for member in terms.group.members:
            self._awaiting[member][meeting] = None
        return meeting

    def _waiting_at(self, meeting: Rendezvous) -> Iterator[int]:
        return (process for process in meeting.arrivals if self._at.get(process) is meeting)

    def _circle(self, process: int, meeting: Rendezvous) -> list[int]:
        """Follows the edges from a meeting until one leads back to the process; the shortest way."""
        came_from: dict[Rendezvous, tuple[int, Rendezvous]] = {}
        to_visit = [meeting]
        for current in to_visit:
            for member in current.missing:
                if member == process:
                    return [*_way(meeting, current, came_from), process]
                further = self._at.get(member)
                if further is not None and further is not meeting and further not in came_from:
                    came_from[further] = member, current
                    to_visit.append(further)
        return []


def _way(
    start: Rendezvous, end: Rendezvous, came_from: dict[Rendezvous, tuple[int, Rendezvous]]
) -> list[int]:
    """The processes that lead from one meeting to another."""
    way: list[int] = []
    while end is not start:
        member, end = came_from[end]
        way.append(member)
    return way[::-1]


SavedRendezvous = tuple[CollectiveKey, dict[int, Participant], frozenset[int]]
