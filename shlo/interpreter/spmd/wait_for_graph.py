"""Who waits for whom in a grid of processes: data for screens, and messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError

DeadlockKind = Literal["waiting", "deadlock", "ended", "unsent", "unfed"]
"""`waiting`: nothing is wrong so far. `deadlock`: processes wait for each other in a cycle. `ended`: one is
waited for that has ended. `unsent`: no process is left that could send what is waited for. `unfed`: an
infeed is empty.
"""

SHOWN_AT_MOST = 12
"""How many waiting processes a message lists, and how many processes it names in a list."""


class Waiting(Struct, frozen=True):
    """A process that waits: before which operation and where, in which group, over which channel, and for
    whom. `missing` are the processes that have not come; of a message anyone of them may send it. `python` is
    the line of Python that the operation came from, in words; empty where nothing tells.
    """

    process: int
    operation: str
    place: str | None
    kind: Literal["rendezvous", "message", "infeed"]
    channel: int = 0
    group: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()
    python: str = ""

    @property
    def where(self) -> str:
        """The operation with the line of Python that it came from, and its place in the program's text."""
        return f"{self.operation}{self.at(self.place)}"

    @property
    def subject(self) -> str:
        """What it waits for, empty where that is processes."""
        if self.kind == "infeed":
            return "its infeed"
        return f"a message on channel {self.channel}" if self.kind == "message" else ""

    def at(self, location: str | None) -> str:
        """Returns ` at ` and the line of Python, and a place as it is shown; empty where there is neither."""
        if self.python and location:
            return f" at {self.python} ({location})"
        return f" at {self.python or location}" if self.python or location else ""


class Absence(Struct, frozen=True):
    """Processes that one waits for: those that are done, those that wait for something else, and those that
    can still come.
    """

    ended: tuple[int, ...]
    elsewhere: tuple[int, ...]
    coming: tuple[int, ...]


class WaitForGraph(Struct, frozen=True):
    """All processes that wait, and what is wrong with that.

    `cycle` are processes of which each waits for the next, and the last one for the first: the edge that
    closed the cycle. `differences` says in what the two operations differ at which processes of the
    cycle meet each other without agreeing. `ended` are the processes that are done.
    """

    shape: GridShape
    waiting: Mapping[int, Waiting]
    ended: frozenset[int]
    kind: DeadlockKind = "waiting"
    cycle: tuple[int, ...] = ()
    differences: tuple[str, ...] = ()

    def edges(self) -> Iterator[tuple[int, int]]:
        """Pairs of a process and one that it waits for."""
        return ((wait.process, other) for wait in self.waiting.values() for other in wait.missing)

    @property
    def closing(self) -> tuple[int, int] | None:
        """The edge that closes the cycle."""
        return (self.cycle[-1], self.cycle[0]) if self.cycle else None

    def sentence(self) -> str:
        """What is wrong, in one sentence."""
        return _SENTENCES[self.kind](self)

    def lines(self) -> list[str]:
        """Returns a line for each process of the cycle, or for each that waits; long lists are cut."""
        processes = self.cycle or sorted(self.waiting)
        lines = [self._line(process) for process in processes[:SHOWN_AT_MOST]]
        if len(processes) > SHOWN_AT_MOST:
            lines.append(f"... and {len(processes) - SHOWN_AT_MOST} more")
        if self.closing is not None:
            first, last = map(self.shape.label, self.closing)
            lines.append(f"{first} -> {last} closes the cycle")
        return lines

    def names(self, processes: Sequence[int]) -> str:
        """Processes as messages name them."""
        return names_of(self.shape, processes)

    def _line(self, process: int) -> str:
        wait = self.waiting[process]
        return f"{self.shape.label(process)} waits in {wait.where} for {self.awaited(wait)}"

    def awaited(self, wait: Waiting) -> str:
        """For whom or what a process waits, in words."""
        if wait.subject:
            return wait.subject
        absence = self.absence(wait)
        if self.kind == "waiting" or not (absence.ended or (absence.elsewhere and absence.coming)):
            return self.names(wait.missing)
        parts: list[str] = []
        if absence.ended:
            parts.append(f"{self.names(absence.ended)}, which {_verb('has', absence.ended)} ended")
        if absence.elsewhere:
            parts.append(
                f"{self.names(absence.elsewhere)}, which {_verb('waits', absence.elsewhere)} elsewhere"
            )
        if absence.coming:
            parts.append(_not_there_yet(absence.coming))
        return "; ".join(parts)

    def absence(self, wait: Waiting) -> Absence:
        """Returns why the processes that one waits for are not there."""
        ended = tuple(process for process in wait.missing if process in self.ended)
        elsewhere = tuple(process for process in wait.missing if process in self.waiting)
        absent = {*ended, *elsewhere}
        return Absence(ended, elsewhere, tuple(process for process in wait.missing if process not in absent))

    @property
    def culprits(self) -> tuple[int, ...]:
        """The processes to look at: those that ended without coming to where they are waited for; of a cycle,
        those that wait where fewer do than at another operation of the cycle. Empty where all are alike.
        """
        if self.kind == "ended":
            return tuple(sorted(self.ended & _missing(self.waiting.values())))
        if self.kind != "deadlock":
            return ()
        there = Counter(map(_rendezvous, self.waiting.values()))
        keys = {_rendezvous(self.waiting[number]) for number in self.cycle}
        most = max(there[key] for key in keys)
        few = {key for key in keys if there[key] < most}
        return tuple(sorted(wait.process for wait in self.waiting.values() if _rendezvous(wait) in few))

    def blame(self) -> list[str]:
        """Returns who is to blame for processes that wait without end, a line for each operation where they
        wait, and who is merely not there yet.
        """
        culprits = set(self.culprits)
        is_deadlocked: dict[int, bool] = {}  # processes that wait for the same share the list of them
        by_reason: dict[object, list[Waiting]] = {}
        for wait in self.waiting.values():
            awaited = is_deadlocked.get(id(wait.missing))
            if awaited is None:
                awaited = is_deadlocked[id(wait.missing)] = not culprits.isdisjoint(wait.missing)
            if awaited and wait.process not in culprits:
                by_reason.setdefault(_rendezvous(wait), []).append(wait)
        return [self._blamed(those, culprits) for those in list(by_reason.values())[:SHOWN_AT_MOST]]

    def _blamed(self, at_rendezvous: list[Waiting], culprits: set[int]) -> str:
        missing = sorted(_missing(at_rendezvous))
        guilty = [number for number in missing if number in culprits]
        ended = [number for number in guilty if number in self.ended]
        where = at_rendezvous[0].where
        parts: list[str] = []
        if ended:
            parts.append(f"{self.names(ended)} skipped {where}, and {_verb('is', ended)} done")
        groups: dict[object, list[int]] = {}
        for number in guilty:
            if number in self.waiting:
                groups.setdefault(_rendezvous(self.waiting[number]), []).append(number)
        for numbers in groups.values():
            there = self.waiting[numbers[0]].where
            others = f"{len(at_rendezvous)} {'waits' if len(at_rendezvous) == 1 else 'wait'}"
            parts.append(f"{_do(self, numbers, 'is')} in {there}, but {others} in {where}")
        coming = [number for number in missing if number not in self.ended and number not in self.waiting]
        if coming:
            parts.append(_not_there_yet(coming))
        return "; ".join(parts)


def _rendezvous(wait: Waiting) -> object:
    """Returns what processes at one rendezvous have in common; they share the list of the absent."""
    return wait.kind, wait.operation, wait.channel, id(wait.missing)


def _missing(waiting: Iterable[Waiting]) -> set[int]:
    """Returns all that are waited for; processes that wait for the same share the list of them."""
    return set[int]().union(*{id(wait.missing): wait.missing for wait in waiting}.values())


def _not_there_yet(processes: Sequence[int]) -> str:
    noun = "process is" if len(processes) == 1 else "processes are"
    return f"{len(processes):,} {noun} merely not there yet"


def names_of(shape: GridShape, processes: Sequence[int]) -> str:
    """Processes of a grid as messages name them: all of a part of a mesh as `(data=0, model=0..3)`; a long
    list is cut, and counted.
    """
    is_block = len(processes) > (2 if shape.has_axis_names else SHOWN_AT_MOST)
    block = _block(shape, processes) if is_block else ""
    if block:
        return block
    shown = ", ".join(shape.label(process) for process in processes[:SHOWN_AT_MOST])
    return shown if len(processes) <= SHOWN_AT_MOST else f"{shown}, ... ({len(processes)} processes)"


def _block(shape: GridShape, processes: Sequence[int]) -> str:
    """Returns the ranges of axes whose processes these are, each once; empty where there are none such."""
    parts: list[str] = []
    count = 1
    for (name, _), along in zip(shape.axes, zip(*map(shape.coordinates, processes))):
        first, last = min(along), max(along)
        count *= last - first + 1
        numbers = str(first) if first == last else f"{first}..{last}"
        parts.append(f"{name}={numbers}" if shape.has_axis_names else numbers)
    is_whole = count == len(processes) == len(set(processes))
    return f"({', '.join(parts)})" if is_whole else ""


class GridError(ExecutionError):
    """A grid that cannot go on. `graph` tells who waits for whom, `process` is the one at fault: that failed,
    closed a cycle, or waits for one that has ended.
    """

    def __init__(self, error: ExecutionError, process: int, graph: WaitForGraph) -> None:
        super().__init__(error.message, error.op, error.place)
        self.process = process
        self.graph = graph
        for note in getattr(error, "__notes__", ()):
            self.add_note(note)


_PLURALS = {"has": "have", "is": "are", "waits": "wait"}


def _verb(verb: str, processes: Sequence[int]) -> str:
    return verb if len(processes) == 1 else _PLURALS[verb]


def _do(graph: WaitForGraph, processes: Sequence[int], verb: str) -> str:
    """Processes and what they do."""
    return f"{graph.names(processes)} {_verb(verb, processes)}"


def _deadlock(graph: WaitForGraph) -> str:
    labels = [*map(graph.shape.label, (*graph.cycle, graph.cycle[0]))]
    if len(graph.cycle) > SHOWN_AT_MOST:
        labels[SHOWN_AT_MOST:] = [f"... ({len(graph.cycle)} processes)"]
    differ = f"; they differ in {', '.join(graph.differences)}" if graph.differences else ""
    return f"deadlock: processes wait for each other, {' -> '.join(labels)}{differ}"


def _ended(graph: WaitForGraph) -> str:
    missing = graph.culprits
    waiting = sorted(
        wait.process for wait in graph.waiting.values() if not graph.ended.isdisjoint(wait.missing)
    )
    pronoun = "it" if len(missing) == 1 else "them"
    return f"{_do(graph, missing, 'has')} ended, but {_do(graph, waiting, 'waits')} for {pronoun}"


def _unsent(graph: WaitForGraph) -> str:
    messages = [wait for wait in graph.waiting.values() if wait.kind == "message"]
    channels = sorted({wait.channel for wait in messages})
    waiting = _do(graph, sorted(wait.process for wait in messages), "waits")
    return f"no process is left to send on channel {', '.join(map(str, channels))}, but {waiting} for that"


def _unfed(graph: WaitForGraph) -> str:
    waiting = sorted(wait.process for wait in graph.waiting.values() if wait.kind == "infeed")
    return f"the infeed is empty, but {_do(graph, waiting, 'waits')} for it"


_SENTENCES: Mapping[DeadlockKind, Callable[[WaitForGraph], str]] = {
    "waiting": lambda graph: f"{len(graph.waiting)} of {graph.shape.size} processes wait",
    "deadlock": _deadlock,
    "ended": _ended,
    "unsent": _unsent,
    "unfed": _unfed,
}
