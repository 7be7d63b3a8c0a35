"""What a session of a grid records: which process took each step, where each process stood, the results of
its steps, and states of the grid to go on from. Position N is the grid after N steps.

Stepping another process than the recorded one makes the future void. What effects gave there is kept aside: a
process that comes to the same effect on the same operands gets it again.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shlo.debugger.inspect.bits import same_bits
from shlo.debugger.replay.program_points import NOWHERE, Site, SiteTable
from shlo.debugger.replay.store import Store, Values
from shlo.debugger.replay.trace import Track
from shlo.interpreter.engine.frames import Frame, State
from shlo.interpreter.spmd.grid import GridState, ProcessGrid


class GridTrack(Track):
    """The places of one process of a grid, and the positions at which it came there."""

    def __init__(self, sites: SiteTable) -> None:
        super().__init__(sites)
        self.positions = array("q")

    def come(self, frames: Sequence[Frame], position: int) -> None:
        """Notes where the process stands after one more step of its own."""
        self.arrive(frames)
        self.positions.append(position)

    def step_at(self, position: int) -> int:
        """How many steps it had taken at a position."""
        return bisect_right(self.positions, position) - 1

    def number_at(self, position: int) -> int | None:
        """The site to which it came at a position, None where it came to none."""
        step = self.step_at(position)
        return self.numbers[step] if self.positions[step] == position else None

    def cut(self, position: int) -> None:
        """Forgets what comes behind a position."""
        count = bisect_right(self.positions, position)
        del self.positions[count:], self.numbers[count:], self.depths[count:]


@dataclass(frozen=True, slots=True)
class Effect:
    """A step that must not be taken twice: which process took it after how many of its own, at which site, on
    what.
    """

    process: int
    step: int
    site: Site
    operands: Values


class GridTimeline(Store[GridState]):
    """The record of a grid, which may hold `budget` bytes beside what the programs themselves hold.

    `schedule` has the process of each step; `resumed`, by position, the others that it brought on;
    `unsettled`, by position, how many processes stand neither at a meeting point nor at their end; `found`,
    by position, in which processes the step made a NaN or infinity. `failure` is the state in which the grid
    cannot go on.
    """

    def __init__(self, grid: ProcessGrid, budget: int) -> None:
        super().__init__(budget)
        self.sites = SiteTable()
        self.schedule = array("i")
        self.resumed: dict[int, tuple[int, ...]] = {}
        self.unsettled = array("i")
        self.findings = bytearray()  # by step, see watch.py
        self.found: dict[int, tuple[tuple[int, int], ...]] = {}
        self.failure: GridState | None = None
        self.tracks = [GridTrack(self.sites) for _ in grid.processes]
        self._effects: dict[int, Effect] = {}  # by step
        self._aside: dict[tuple[int, int], tuple[Effect, Values]] = {}  # of futures that are void
        self._live: dict[int, tuple[State, State]] = {}
        for process, track in zip(grid.processes, self.tracks):
            self._ledger.exempt(process.live())
            track.come(process.frames, 0)
        self.findings.append(0)
        self.unsettled.append(sum(not self._is_settled(track.numbers[0]) for track in self.tracks))
        self._keep(grid.save())

    @property
    def last(self) -> int:
        """The last position that was reached."""
        return len(self.schedule)

    def arrive(self, grid: ProcessGrid, number: int, advanced: Sequence[int]) -> None:
        """Notes a step of a process, by which it and others have advanced; keeps the state where none is
        near.
        """
        if grid.steps > self.last:
            self._note(grid, number, advanced)
        if grid.error is None and self._states.is_due(grid.steps):
            self._keep(grid.save())

    def fail(self, grid: ProcessGrid) -> None:
        """Notes that the grid cannot go on."""
        self.failure = grid.save()

    def _note(self, grid: ProcessGrid, number: int, advanced: Sequence[int]) -> None:
        position, unsettled = grid.steps, self.unsettled[-1]
        for process in advanced:
            track = self.tracks[process]
            unsettled += self._is_settled(track.numbers[-1])
            track.come(grid.processes[process].frames, position)
            unsettled -= self._is_settled(track.numbers[-1])
        others = tuple(process for process in advanced if process != number)
        if others:
            self.resumed[position] = others
        self.unsettled.append(unsettled)
        self.findings.append(0)
        self.schedule.append(number)

    def _is_settled(self, number: int) -> bool:
        return number == NOWHERE or self.sites[number].is_meeting

    def comers(self, position: int) -> Iterable[tuple[int, int]]:
        """The processes that came to another site at a position, and the site's number."""
        if not position:
            return ((process, track.numbers[0]) for process, track in enumerate(self.tracks))
        moved = (self.schedule[position - 1], *self.resumed.get(position, ()))
        came = ((process, self.tracks[process].number_at(position)) for process in moved)
        return ((process, number) for process, number in came if number is not None)

    def log_effect(self, step: int, effect: Effect) -> None:
        """Notes the effect that a step had."""
        self._effects[step] = effect

    def known_effect(self, effect: Effect) -> Values | None:
        """What an effect gave in a future that is void, if it is the same one."""
        known, results = self._aside.get((effect.process, effect.step), (None, None))
        if known is None or known.site is not effect.site or not same_bits(known.operands, effect.operands):
            return None
        return results

    def cut(self, position: int) -> None:
        """Makes all void that comes behind a position."""
        for step in [step for step in self._effects if step >= position]:
            effect = self._effects.pop(step)
            self._aside[effect.process, effect.step] = effect, self.effects[step]
        super().cut(position)
        for track in self.tracks:
            track.cut(position)
        self.failure = None
        self._shorten(position)

    def repair(self) -> None:
        """Makes the record whole after an interrupt that may have come anywhere."""
        for track in self.tracks:
            track.cut(self.last)
        self._shorten(self.last)
        super().repair()

    def _shorten(self, position: int) -> None:
        del self.schedule[position:], self.findings[position:], self.unsettled[position + 1 :]
        self.findings.append(0)
        for known in (self.resumed, self.found):
            for at in [at for at in known if at > position]:
                del known[at]

    def _parts(self, state: GridState) -> Sequence[State]:
        return state.processes

    def _without_dead(self, state: GridState) -> GridState:
        return state.with_processes(map(self._without_dead_values, state.processes))

    def _without_dead_values(self, state: State) -> State:
        """The same one for a state that several states of the grid have."""
        known = self._live.get(id(state))
        if known is None:
            known = self._live[id(state)] = state, state.without_dead()
        return known[1]

    def _drop_dead(self) -> None:
        super()._drop_dead()
        self._live.clear()
