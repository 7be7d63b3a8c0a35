"""Who waits for whom in a grid of processes: data for screens, and messages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError

DeadlockKind = Literal["waiting", "deadlock", "ended", "unsent", "unfed"]
"""`waiting`: nothing is wrong so far. `deadlock`: processes wait for each other in a cycle. `ended`: one is
waited for that has ended. `unsent`: no process is left that could send what is waited for. `unfed`: an
infeed is empty.
"""

SHOWN_AT_MOST = 12
"""How many waiting processes a message lists, and how many processes it names in a list."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A process that waits: before which operation and where, in which group, over which channel, and for
    whom. `missing` are the processes that have not come; of a message anyone of them may send it.
    """

    process: int
    operation: str
    place: str | None
    kind: Literal["rendezvous", "message", "infeed"]
    channel: int = 0
    group: tuple[int, ...] = ()
    missing: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class WaitForGraph:
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
        at = f" at {wait.place}" if wait.place else ""
        return f"{self.shape.label(process)} waits in {wait.operation}{at} for {self.awaited(wait)}"

    def awaited(self, wait: Waiting) -> str:
        """For whom or what a process waits, in words."""
        if wait.kind == "infeed":
            return "its infeed"
        if wait.kind == "message":
            return f"a message on channel {wait.channel}"
        ended = [process for process in wait.missing if process in self.ended]
        if not ended:
            return self.names(wait.missing)
        if len(ended) == len(wait.missing):
            return f"{self.names(wait.missing)}, which {_verb('has', ended)} ended"
        return f"{self.names(wait.missing)}, of which {_do(self, ended, 'has')} ended"


def names_of(shape: GridShape, processes: Sequence[int]) -> str:
    """Processes of a grid as messages name them: all of a part of a mesh as `(data=0, model=0..3)`; a long
    list is cut, and counted.
    """
    block = _block(shape, processes) if shape.has_axis_names and len(processes) > 2 else ""
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
        parts.append(f"{name}={first}" if first == last else f"{name}={first}..{last}")
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


_PLURALS = {"has": "have", "waits": "wait"}


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
    missing = sorted({other for _, other in graph.edges() if other in graph.ended})
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
