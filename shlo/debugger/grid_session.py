"""A GridSession: programs that run side by side, with time running both ways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from shlo.debugger.control.breakpoints import Breakpoints
from shlo.debugger.control.grid_stepping import GridMovement
from shlo.debugger.control.stepping import Movement
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.compare import Brought, compare
from shlo.debugger.inspect.grid_snapshots import Comparison, GridView
from shlo.debugger.inspect.grid_views import GridViews
from shlo.debugger.inspect.scope import find_value, read_value
from shlo.debugger.inspect.snapshots import Snapshot
from shlo.debugger.replay.cursor import Player
from shlo.debugger.replay.defensive_copies import own
from shlo.debugger.replay.grid_cursor import GridPlayback
from shlo.debugger.replay.grid_history import GridTimeline
from shlo.debugger.session import Session
from shlo.interpreter.run import make_grid


class GridSession(Session):
    """Processes side by side, step by step, forwards and backwards; made by Session where there are several.

    A position counts the steps of all processes from the start. All that a Session tells and does is about
    the selected process: its frames and values; `step_in`, `step_over` and the like go on in it, and where it
    waits, others go on until it can (the one whose turn it is, as in `run_grid`). `resume` and `reverse` are
    about all, and stop where a breakpoint stops any of them, which is then selected.

    Going back and stepping another process than the one that went on before begins another future; the old
    one is void. A grid that has failed, or in which processes wait for each other without end, stands at a
    position like any other, from which one can go back.
    """

    def _started(self, inputs: Sequence[Any], memory: int) -> tuple[Player, Breakpoints, Movement]:
        arguments = [[own(value) for value in values] for values in _for_processes(inputs)]
        try:
            grid = make_grid(self._modules, arguments, self.options)
        except ValueError as error:
            raise DebuggerError(str(error)) from None
        self._grid_player = GridPlayback(grid, GridTimeline(grid, memory))
        breakpoints = Breakpoints(self._grid_player.sites)
        self._grid_movement = GridMovement(self._grid_player, breakpoints, self._should_stop)
        self._views: GridViews | None = None
        return self._grid_player, breakpoints, self._grid_movement

    # --- all processes ---

    @property
    def grid(self) -> GridView:
        """All processes: what they do and for whom they wait, and the messages under way."""
        if self._views is None:
            self._views = GridViews(self._grid_player, self._summaries.of)
        return self._views.view()

    @property
    def process_label(self) -> str:
        """How messages call the selected process: `(replica, partition)`."""
        return self._grid_player.grid.shape.label(self._grid_player.selected)

    def select_process(self, number: int) -> Snapshot:
        """Looks at another process; raises DebuggerError where there is none of that number."""
        with self._command():
            self._select(number)
        return self.snapshot

    def step_process(self, number: int) -> Snapshot:
        """Selects a process and takes one step of it, which may be that it begins to wait. Raises
        DebuggerError where it waits or is done.
        """
        with self._command():
            self._select(number)
            grid = self._grid_player.grid
            if grid.error is None and grid.status_of(number) != "ready":
                raise DebuggerError(f"process {grid.shape.label(number)} is {grid.status_of(number)}")
        return self._go(self._grid_movement.one)

    def meet(self) -> Snapshot:
        """Has all processes go on to their next meeting point (a collective operation, a message) or end.
        Where all have come to one, they first pass it, or begin to wait there.
        """
        return self._go(self._grid_movement.meet)

    def back_meet(self) -> Snapshot:
        """Goes back to where all processes had come to their meeting points before."""
        return self._go(self._grid_movement.back_to_meeting)

    def compare(self, name: str) -> Comparison:
        """The value of a name (with or without `%`) side by side in all processes, each in its innermost
        frame. Raises DebuggerError where no process has one.
        """
        with self._command():
            values = [self._brought(number, name) for number in range(self._grid_player.grid.shape.size)]
        if all(brought.absent for brought in values):
            raise DebuggerError(f"%{name.removeprefix('%')} is not in scope in any process")
        return compare(name.removeprefix("%"), values, self._summaries)

    # --- inside ---

    def _select(self, number: int) -> None:
        self._check_process(number)
        self._grid_player.selected = number
        self._selected = None
        if self._reason == "breakpoint":
            self._reason = "position"  # what was met may have been met in another process

    def _check_process(self, number: int) -> None:
        size = self._grid_player.grid.shape.size
        if not 0 <= number < size:
            raise DebuggerError(f"there is no process {number}; they are numbered from 0 to {size - 1}")

    def _brought(self, number: int, name: str) -> Brought:
        """What a name stands for in a process."""
        player = self._grid_player
        selected, player.selected = player.selected, number
        try:
            frames = player.process.frames
            if not frames:
                return Brought(number, absent="the process is done")
            bound = find_value(frames, len(frames) - 1, name)
            value = read_value(player, bound, self._should_stop)
            position = player.bound_at(bound.code, bound.register, bound.depth)
            return Brought(number, bound.code.values.types[bound.register], position, value)
        except DebuggerError:
            return Brought(number, absent="not in scope here")
        finally:
            player.selected = selected


def _for_processes(inputs: Sequence[Any]) -> list[Sequence[Any]]:
    """Lists of arguments: one for each process, or one for all."""
    if any(not isinstance(values, (list, tuple)) for values in inputs):
        raise DebuggerError("a grid takes a list of arguments for each process, or one such list for all")
    return [cast("Sequence[Any]", values) for values in inputs] or [()]
