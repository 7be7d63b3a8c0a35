"""The moves of a Session: forwards and backwards until something is reached."""

from __future__ import annotations

from collections.abc import Callable

from shlo.debugger.breakpoints import Breakpoints
from shlo.debugger.playback import Playback, ShouldStop
from shlo.debugger.snapshots import Reason
from shlo.debugger.verdicts import Verdicts

Arrived = Reason


class Movement:
    """Moves a playback. What ends a move is asked at every position on the way, the first one left out."""

    def __init__(self, playback: Playback, breakpoints: Breakpoints, stop: ShouldStop) -> None:
        self._playback = playback
        self._timeline = playback.timeline
        self._breakpoints = breakpoints
        self._stop = stop
        self._verdicts = Verdicts(playback)

    def met(self, position: int) -> tuple[int, ...]:
        """The numbers of the breakpoints that stop at a position."""
        number = self._timeline.numbers[position]
        here = self._breakpoints.at_site(number) if number >= 0 else ()
        before = self._breakpoints.after(self._timeline.findings[position - 1]) if position else ()
        return tuple(
            met for met in sorted((*here, *before)) if self._verdicts.stops(self._breakpoints[met], position)
        )

    def forwards(self, until: Callable[[], Reason | None]) -> Arrived:
        """Takes steps until one leads where `until` gives a reason, or to a breakpoint."""
        playback, stop = self._playback, self._stop
        while playback.forward():
            if playback.process.status == "done":
                return "done"
            reason = "breakpoint" if self.met(playback.position) else until()
            if reason:
                return reason
            if stop():
                return "stopped"
        return "failed" if playback.process.status == "failed" else "done"

    def backwards(self, until: Callable[[int], Reason | None]) -> Arrived:
        """Goes back to the last position for which `until` gives a reason or that has a breakpoint."""
        looked_from = self._playback.position
        for at in range(looked_from - 1, -1, -1):
            if self._stop():
                return "stopped"
            if self._breakpoints.watches and 0 < at <= looked_from:
                looked_from = self._look_through(at)
            reason = "breakpoint" if self.met(at) else until(at)
            if reason:
                return self.to(at, reason)
        return self.to(0, "beginning")

    def _look_through(self, position: int) -> int:
        """Looks through the steps from the kept state before a position to it; gives where they begin."""
        first = self._timeline.state_before(position - 1).steps
        self._playback.look_through(first, position, self._stop)
        return first

    def to(self, position: int, reason: Reason = "position") -> Arrived:
        """Goes straight to a position, or as far as the program runs."""
        self._playback.seek(position, self._stop)
        process = self._playback.process
        if process.steps == position:
            return reason if process.frames else "done"
        return "stopped" if process.status == "ready" else process.status

    def within(self, depth: int) -> Callable[[], Reason | None]:
        """Ends a move forwards where no more than `depth` frames are open."""
        process = self._playback.process
        return lambda: "step" if len(process.frames) <= depth else None

    def was_within(self, depth: int) -> Callable[[int], Reason | None]:
        """Ends a move backwards where no more than `depth` frames were open."""
        depths = self._timeline.depths
        return lambda at: "step" if depths[at] <= depth else None

    def on_line(self, line: int) -> Reason | None:
        """Ends a move forwards at an operation on a line."""
        return self.was_on_line(line, self._playback.position)

    def was_on_line(self, line: int, position: int) -> Reason | None:
        """Ends a move backwards at an operation on a line."""
        site = self._timeline.site(position)
        return "line" if site and site.position and site.position.line == line else None
