"""The moves of a Session: forwards and backwards until something is reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from shlo.debugger.control.breakpoints import Breakpoints
from shlo.debugger.control.hit_conditions import Verdicts
from shlo.debugger.inspect.snapshots import Reason
from shlo.debugger.replay.cursor import Player, ShouldStop

Arrived = Reason

Until = Callable[[], Reason | None]
"""Asked at every position on the way forwards; a reason ends the move."""

UntilBefore = Callable[[int], Reason | None]
"""Asked for every position on the way backwards."""


class Hit(NamedTuple):
    """A breakpoint, by its number, that stops a process."""

    process: int
    breakpoint: int


class Movement:
    """Moves a player. What ends a move is asked at every position on the way, the first one left out."""

    def __init__(self, player: Player, breakpoints: Breakpoints, stop: ShouldStop) -> None:
        self._player = player
        self._breakpoints = breakpoints
        self._stop = stop
        self._verdicts = Verdicts(player)

    def met(self, position: int) -> tuple[int, ...]:
        """The numbers of the breakpoints that stop the process that is looked at, at a position."""
        selected = self._player.selected
        return tuple(sorted({hit.breakpoint for hit in self._hits(position) if hit.process == selected}))

    def _hits(self, position: int) -> list[Hit]:
        """The breakpoints that stop at a position."""
        points, hits = self._breakpoints, list[Hit]()
        for process, site in self._player.arrivals(position):
            if met := points.at_site(site):
                hits += (Hit(process, number) for number in met if self._is_hit(number, process, position))
        for process, finding in self._player.found(position):
            met = points.after(finding)
            hits += (Hit(process, number) for number in met if points[number].is_for(process))
        return hits

    def _is_hit(self, number: int, process: int, position: int) -> bool:
        point = self._breakpoints[number]
        return point.is_for(process) and self._verdicts.stops(point, process, position)

    def _stops(self, position: int) -> bool:
        """Whether a breakpoint stops at a position."""
        return bool(self._hits(position))

    def forwards(self, until: Until) -> Arrived:
        """Goes on until `until` gives a reason, or to a breakpoint."""
        player = self._player
        return self._on(player.forward, lambda: "done" if player.status == "done" else until())

    def alone(self, until: Until) -> Arrived:
        """As `forwards`, for moves of the process that is looked at."""
        return self.forwards(until)

    def _on(self, step: Callable[[], bool], until: Until) -> Arrived:
        player, asks = self._player, self._breakpoints.are_on
        while step():
            reason = "breakpoint" if asks and self._stops(player.position) else until()
            if reason:
                return reason
            if self._stop():
                return "stopped"
        return "failed" if player.error else "done"

    def backwards(self, until: UntilBefore) -> Arrived:
        """Goes back to the last position for which `until` gives a reason or that has a breakpoint."""
        player, asks = self._player, self._breakpoints.are_on
        looked_from = player.position
        for at in range(looked_from - 1, -1, -1):
            if self._stop():
                return "stopped"
            if self._breakpoints.watches and 0 < at <= looked_from:
                looked_from = player.look_through(at, self._stop)
            reason = "breakpoint" if asks and self._stops(at) else until(at)
            if reason:
                return self.to(at, reason)
        return self.to(0, "beginning")

    def to(self, position: int, reason: Reason = "position") -> Arrived:
        """Goes straight to a position, or as far as the program runs."""
        player = self._player
        player.seek(position, self._stop)
        if player.error:
            return "failed"
        if player.position == position:
            return "done" if player.status == "done" else reason
        return "done" if player.is_over else "stopped"

    def within(self, depth: int) -> Until:
        """Ends a move forwards where no more than `depth` frames are open."""
        player = self._player
        return lambda: "step" if len(player.process.frames) <= depth else None

    def was_within(self, depth: int) -> UntilBefore:
        """Ends a move backwards where no more than `depth` frames were open."""
        depths = self._player.track.depths
        return self._where(lambda step: "step" if depths[step] <= depth else None)

    def was_anywhere(self) -> UntilBefore:
        """Ends a move backwards one step before."""
        return self._where(lambda step: "step")

    def on_line(self, line: int) -> Until:
        """Ends a move forwards at an operation on a line."""
        player = self._player
        return lambda: self._line(line, player.process.steps)

    def was_on_line(self, line: int) -> UntilBefore:
        """Ends a move backwards at an operation on a line."""
        return self._where(lambda step: self._line(line, step))

    def _where(self, until: UntilBefore) -> UntilBefore:
        """What ends a move backwards, of what is asked for each step of the process that is looked at."""
        return until

    def _line(self, line: int, step: int) -> Reason | None:
        site = self._player.track.site(step)
        return "line" if site and site.position and site.position.line == line else None
