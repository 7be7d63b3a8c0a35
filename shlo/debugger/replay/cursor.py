"""What moves along a recording, whether that is of one process or of a grid: the part that a Session, its
moves and its breakpoints need to know.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, Self

from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import Status
from shlo.debugger.replay.effects import Listener, Past
from shlo.debugger.replay.program_points import SiteTable
from shlo.debugger.replay.trace import Track
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.diagnostics import ExecutionError

ShouldStop = Callable[[], bool]


def never() -> bool:
    """No reason to stop."""
    return False


Arrival = tuple[int, int]
"""A process that came to a site: both by their numbers."""


class KeptState(Protocol):
    """A state that a recording has kept."""

    @property
    def steps(self) -> int: ...


class Recorded(Protocol):
    """The recording that a player moves along, as far as everybody may look at it."""

    findings: bytearray
    sites: SiteTable

    @property
    def bytes(self) -> int: ...

    @property
    def effects(self) -> dict[int, tuple[Value, ...]]: ...

    def state_before(self, position: int) -> KeptState: ...


class Player(ABC):
    """Stands at a position of a recording, and goes on from there, by steps that are recorded or new, or to
    any other. `watches` says whether steps are looked through for NaN and infinities as they are taken.
    """

    selected = 0
    """The process that is looked at, by its number."""

    def __init__(self, sites: SiteTable) -> None:
        self.sites = sites
        self.watches = False
        self.listener: Listener | None = None

    # Where it is

    @property
    @abstractmethod
    def timeline(self) -> Recorded:
        """The recording."""

    @property
    @abstractmethod
    def process(self) -> Process:
        """The process that is looked at."""

    @property
    @abstractmethod
    def position(self) -> int:
        """How many steps lead from the start to where it is."""

    @property
    @abstractmethod
    def last(self) -> int:
        """The furthest position that was reached."""

    @property
    @abstractmethod
    def status(self) -> Status:
        """What the process is doing that is looked at."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether all is done."""

    @property
    @abstractmethod
    def error(self) -> ExecutionError | None:
        """Why it cannot go on."""

    # The process that is looked at, in the recording

    @property
    @abstractmethod
    def track(self) -> Track:
        """Where the process stood, by its own steps."""

    @abstractmethod
    def place(self, step: int) -> int:
        """The position at which the process had taken so many steps of its own."""

    @abstractmethod
    def finding(self, step: int) -> int:
        """What is known of a step of the process; see watch.py."""

    # All processes, in the recording

    @abstractmethod
    def arrivals(self, position: int) -> Iterable[Arrival]:
        """The processes that the step to a position has brought to another site; at 0, all."""

    @abstractmethod
    def found(self, position: int) -> Sequence[tuple[int, int]]:
        """Processes, and what is known of the step to a position that each of them took."""

    # Moves

    @abstractmethod
    def forward(self) -> bool:
        """Takes a step; False where there is none, as all is done or fails."""

    @abstractmethod
    def seek(self, position: int, stop: ShouldStop = never) -> None:
        """Goes to a position, or as far towards it as the program runs; `stop` ends that early, between two
        steps.
        """

    @abstractmethod
    def elsewhere(self, position: int) -> AbstractContextManager[Self]:
        """A player that stands at the last state kept before a position or at it, for as long as it is open;
        nothing changes where this one stands. Its process may lack values that are not needed to go on.
        """

    @abstractmethod
    def repair(self) -> None:
        """Makes all agree again after an interrupt that may have come anywhere."""

    def look_through(self, position: int, stop: ShouldStop = never) -> int:
        """Looks through the steps from the kept state before a position to it that were not looked through
        before; gives where they begin.
        """
        first = self.timeline.state_before(position - 1).steps
        if 0 in self.timeline.findings[first:position]:
            with self.elsewhere(first) as other:
                other.watches = True
                other.seek(position, stop)
        return first

    # What a recording on disk must hold

    @property
    @abstractmethod
    def inputs(self) -> Sequence[Value]:
        """The arguments that the program was started on."""

    @property
    @abstractmethod
    def past(self) -> Past:
        """What cannot be computed again."""

    @abstractmethod
    def take_over(self, past: Past) -> None:
        """Takes the past of another player of the same program and inputs for its own."""

    # Values

    def bound_at(self, code: CodeBlock, register: int, depth: int) -> int:
        """The position at which a value that is in scope now, in a frame of this depth, was bound."""
        return self.place(self._bound_after(code, register, depth))

    def recall(self, code: CodeBlock, register: int, depth: int, stop: ShouldStop = never) -> Value:
        """A value in scope that the process holds no more: what it was when it was bound. Raises
        DebuggerError where `stop` ends that early.
        """
        bound = self.bound_at(code, register, depth)
        with self.elsewhere(max(bound - 1, 0)) as player:
            player.go(max(bound - 1, 0), stop)
            player.process.keeps_values = True
            player.forward()  # and not to a state that is kept there, which may lack the value
            return player.process.frames[-1].registers[register]

    def go(self, position: int, stop: ShouldStop = never) -> None:
        """Goes to a position that was reached; raises DebuggerError where `stop` ends that early."""
        self.seek(position, stop)
        if self.position != position:
            raise DebuggerError("stopped on request")

    def _bound_after(self, code: CodeBlock, register: int, depth: int) -> int:
        """After which step of the process it was bound.

        Calls in between have more frames, so that the last visit of the place behind the definition in this
        depth is one of the same execution of the block.
        """
        site = self.sites.number(code, code.defined_at[register] + 1)
        return self.track.last_visit(site, depth, self.process.steps)
