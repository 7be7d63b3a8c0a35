"""A Session: a program under the eyes of somebody, with time running both ways."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Self, cast

import numpy as np

from shlo.debugger.control.breakpoints import FINDINGS, Breakpoint, Breakpoints, Kind, full_op_name
from shlo.debugger.control.stepping import Movement
from shlo.debugger.control.value_conditions import Condition, read_condition
from shlo.debugger.core import Core
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.grid_snapshots import GridView
from shlo.debugger.inspect.line_table import check_value_name, first_line
from shlo.debugger.inspect.overview import Overview, overview_of
from shlo.debugger.inspect.scope import find_value, newest, read_value, value_view
from shlo.debugger.inspect.snapshots import Snapshot, ValueView
from shlo.debugger.inspect.statistics import Histogram, Statistics, histogram_of, statistics_of, tensor_of
from shlo.debugger.replay.cursor import Player
from shlo.debugger.replay.defensive_copies import locked, own
from shlo.debugger.replay.effects import Listener, Past
from shlo.debugger.replay.history import Timeline
from shlo.debugger.replay.process_cursor import Playback
from shlo.interpreter.program.code import program_of
from shlo.interpreter.run import make_process
from shlo.ir.dtypes import Array


class Session(Core):
    """A function of a program in execution, step by step, forwards and backwards.

    A position counts the steps from the start. Commands move to another position and give a Snapshot of it.
    Going back looks at what was recorded; what was dropped for want of memory is computed again, and effects
    (custom calls, `rng`, probes) are never repeated. Commands on the way forwards and backwards stop at
    breakpoints, but `goto` and `restart` do not.

    An exception that is no error of the program (a KeyboardInterrupt) passes through, and leaves the session
    between two steps. One thread owns a Session; a command raises DebuggerError while another one runs.
    `request_stop` alone may be called from anywhere: it ends a running command between two operations.

    With `replicas` or `partitions` this makes a GridSession, in which all of this is about one process at a
    time, the selected one.
    """

    def __new__(cls, *arguments: Any, replicas: int = 1, partitions: int = 1, **options: Any) -> Self:
        if cls is Session and (replicas, partitions) != (1, 1):
            from shlo.debugger.grid_session import GridSession

            return cast("Self", object.__new__(GridSession))
        return object.__new__(cls)

    def _started(self, inputs: Sequence[Any], memory: int) -> tuple[Player, Breakpoints, Movement]:
        if (len(self._modules), len(self._entries)) != (1, 1):
            raise DebuggerError("one process takes one program and one entry")
        process = make_process(self._modules[0], [own(value) for value in inputs], self.options)
        player = Playback(process, Timeline(process, memory))
        breakpoints = Breakpoints(player.sites)
        return player, breakpoints, Movement(player, breakpoints, self._should_stop)

    # --- where it is ---

    @property
    def position(self) -> int:
        """How many steps lead to where the session is; may be read from any thread, also while it moves."""
        return self._player.position

    @property
    def grid(self) -> GridView | None:
        """All processes, where there are several; see GridSession."""
        return None

    @property
    def process_label(self) -> str:
        """How messages call the selected process of a grid; empty where there is one process."""
        return ""

    def overview(self, columns: int) -> Overview:
        """The timeline in at most `columns` columns, for a screen."""
        return overview_of(self._player, self._breakpoints, columns)

    @property
    def results(self) -> tuple[Any, ...]:
        """The function's results, once it is done, as arrays of the caller's own; see Process.results."""
        return self._process.results

    @property
    def recorded_bytes(self) -> int:
        """How many bytes the recording takes now."""
        return self._player.timeline.bytes

    @property
    def selected_frame(self) -> int:
        """The frame that somebody looks at, as an index into the snapshot's frames: the innermost after every
        move. -1 when the program is done.
        """
        return len(self._process.frames) - 1 if self._selected is None else self._selected

    def select_frame(self, index: int) -> None:
        """Looks at another frame, until the next move; raises DebuggerError where there is none."""
        if index < 0 and self._process.frames:
            raise DebuggerError("there is no frame around the outermost")
        self._selected = self._index(index)

    # --- forwards ---

    def step_in(self) -> Snapshot:
        """Takes one step: into a region or a function where the operation has one to go into."""
        return self._go(lambda: self._movement.alone(lambda: "step"))

    def step_over(self) -> Snapshot:
        """Takes the operation as a whole, with what it calls and repeats."""
        depth = len(self._process.frames)
        return self._go(lambda: self._movement.alone(self._movement.within(depth)))

    def step_out(self) -> Snapshot:
        """Goes on until the innermost region or function has ended."""
        depth = len(self._process.frames) - 1
        return self._go(lambda: self._movement.alone(self._movement.within(depth)))

    def resume(self) -> Snapshot:
        """Goes on to the next breakpoint, or to the end."""
        return self._go(lambda: self._movement.forwards(lambda: None))

    def run_to_line(self, line: int) -> Snapshot:
        """Goes on to an operation on a line, or the next line below that has one."""
        wanted = self._nearest(line)
        return self._go(lambda: self._movement.alone(self._movement.on_line(wanted)))

    def run_to_nonfinite(self, what: str = "any") -> Snapshot:
        """Goes on to behind the next step that makes a NaN or infinity, or to a breakpoint; `what` as for
        `break_on_nonfinite`.
        """
        with self._stopping_at_nonfinite(what):
            return self.resume()

    # --- backwards ---

    def back_in(self) -> Snapshot:
        """Takes back one step."""
        return self._go(lambda: self._movement.backwards(self._movement.was_anywhere()))

    def back_over(self) -> Snapshot:
        """Goes back to the operation before this one, over all that it called and repeated."""
        depth = max(1, len(self._process.frames))
        return self._go(lambda: self._movement.backwards(self._movement.was_within(depth)))

    def back_out(self) -> Snapshot:
        """Goes back to where the innermost region or function was entered."""
        depth = len(self._process.frames) - 1
        return self._go(lambda: self._movement.backwards(self._movement.was_within(depth)))

    def reverse(self) -> Snapshot:
        """Goes back to the breakpoint before, or to the beginning."""
        return self._go(lambda: self._movement.backwards(lambda at: None))

    def reverse_to_line(self, line: int) -> Snapshot:
        """Goes back to an operation on a line, or the next line below that has one."""
        wanted = self._nearest(line)
        return self._go(lambda: self._movement.backwards(self._movement.was_on_line(wanted)))

    def reverse_to_nonfinite(self, what: str = "any") -> Snapshot:
        """Goes back to behind the step before that made a NaN or infinity, or to a breakpoint."""
        with self._stopping_at_nonfinite(what):
            return self.reverse()

    # --- anywhere ---

    def goto(self, position: int) -> Snapshot:
        """Goes to a position, past breakpoints; to the end where the program has fewer steps."""
        if position < 0:
            raise DebuggerError("positions count from 0")
        return self._go(lambda: self._movement.to(position))

    def restart(self) -> Snapshot:
        """Goes to the beginning. What was recorded, and what effects gave, stays."""
        return self._go(lambda: self._movement.to(0))

    def request_stop(self) -> None:
        """Ends the command that runs; may be called from any thread, if `stop` is no function."""
        if not isinstance(self._stop, threading.Event):
            raise DebuggerError("the session was given a function that tells when to stop")
        self._stop.set()

    # --- breakpoints ---

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """All breakpoints in the order of their numbers."""
        return tuple(self._breakpoints)

    def break_on_line(
        self, line: int, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops before operations that begin on a line, or the next line below that has one. A `condition`
        says when (see conditions.read_condition), `process` in which process of a grid: all, unless it says.
        """
        return self._break("line", self._nearest(line), _condition(condition), process)

    def break_on_function(
        self, name: str, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops before the first operation of a function, on its line."""
        line = first_line(program_of(self.module), name.removeprefix("@"))
        return self.break_on_line(line, condition, process)

    def break_on_op(self, name: str, condition: str | None = None, process: int | None = None) -> Breakpoint:
        """Stops before operations of a name (`dot_general` is `stablehlo.dot_general`)."""
        return self._break("op", full_op_name(name), _condition(condition), process)

    def break_on_value(
        self, name: str, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops when a value of this name (with or without `%`) has been bound. A condition is one on this
        value, unless it names another.
        """
        bare = name.removeprefix("%")
        check_value_name(program_of(self.module), bare)
        return self._break("value", bare, _condition(condition, bare), process)

    def break_on_nonfinite(self, what: str = "any", process: int | None = None) -> Breakpoint:
        """Stops after a step that makes a NaN (`what` is "nan"), an infinity ("infinity"), or either ("any")
        out of operands without.
        """
        if what not in FINDINGS:
            raise DebuggerError(f"{what!r} is none of {', '.join(FINDINGS)}")
        return self._break("nonfinite", what, None, process)

    def restrict_breakpoint(self, number: int, condition: str | None) -> Breakpoint:
        """Gives a breakpoint a condition instead of the one it has; None takes that away."""
        point = self._breakpoints[number]
        subject = str(point.where) if point.kind == "value" else None
        return self._breakpoints.restrict(number, _condition(condition, subject))

    def ignore_breakpoint(self, number: int, count: int) -> Breakpoint:
        """Has a breakpoint not stop the first `count` times, counted from the program's start."""
        return self._breakpoints.ignore(number, count)

    def enable_breakpoint(self, number: int, enabled: bool = True) -> Breakpoint:
        """Switches a breakpoint on or off."""
        return self._breakpoints.enable(number, enabled)

    def remove_breakpoint(self, number: int) -> None:
        """Takes a breakpoint away."""
        self._breakpoints.remove(number)

    # --- values; `frame` is an index into the snapshot's frames, and chooses what is in scope ---

    def values(self, frame: int = -1, most: int | None = None) -> tuple[ValueView, ...]:
        """The values in scope, in the order in which they were bound; none when the program is done. `most`
        leaves only that many, the last ones.
        """
        frames = self._process.frames
        if not frames:
            return ()
        last = islice(newest(frames, self._index(frame)), most)
        return tuple(map(value_view, last))[::-1]

    def value(self, name: str, frame: int = -1) -> Any:
        """A value in scope: an array that cannot be written to, a token, or a tuple of values. Raises
        DebuggerError where there is none, and where a request to stop comes while it is computed again.
        """
        with self._command():
            return locked(read_value(self._player, self._find(name, frame), self._should_stop))

    def summary(self, name: str, frame: int = -1) -> str | None:
        """A value in one line (see summaries.summary_of), made once for each value that is bound; None for
        one that was dropped for want of memory, which is not computed for this.
        """
        bound = self._find(name, frame)
        value = bound.frame.registers[bound.register]
        return None if value is None else self._summaries.of(value)

    def part(self, name: str, index: tuple[int | slice, ...], frame: int = -1) -> Array:
        """A part of a tensor, as NumPy's indexing takes it."""
        array = tensor_of(self.value(name, frame))
        if array is None:
            raise DebuggerError(f"%{name.removeprefix('%')} is no tensor")
        try:
            return np.asarray(locked(array[index]))
        except IndexError as error:
            raise DebuggerError(str(error)) from error

    def statistics(self, name: str, frame: int = -1) -> Statistics | None:
        """A tensor in a few numbers, None for a value that is none."""
        return statistics_of(self.value(name, frame))

    def histogram(self, name: str, bins: int = 20, frame: int = -1) -> Histogram | None:
        """How the finite elements of a tensor are spread, None where it has none."""
        return histogram_of(self.value(name, frame), bins)

    def bound_at(self, name: str, frame: int = -1) -> int:
        """The position at which a value in scope was bound: `goto` it to see where it comes from."""
        bound = self._find(name, frame)
        return self._player.bound_at(bound.code, bound.register, bound.depth)

    def history(self, name: str, frame: int = -1) -> tuple[int, ...]:
        """The positions, as far as the program was run, at which a value in scope was bound: in each
        iteration of a loop and each call of a function.
        """
        bound = self._find(name, frame)
        player = self._player
        visits = player.track.visits(bound.code, bound.code.defined_at[bound.register] + 1)
        return tuple(map(player.place, visits))

    def value_at(self, name: str, position: int) -> Any:
        """What a value was at another position that was reached, where it is in scope in the innermost
        frame; the session stays where it is.
        """
        if not 0 <= position <= self._player.last:
            raise DebuggerError(f"position {position} was not reached")
        with self._command(), self._player.elsewhere(position) as player:
            player.go(position, self._should_stop)
            frames = player.process.frames
            return locked(read_value(player, find_value(frames, len(frames) - 1, name), self._should_stop))

    # --- what a recording of it must hold (see recording.py) ---

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The arguments that the program was started on."""
        return tuple(map(locked, self._player.inputs))

    @property
    def past(self) -> Past:
        """What cannot be computed again."""
        return self._player.past

    def take_over(self, past: Past) -> Snapshot:
        """Takes the past of another session of the same program and inputs for its own, and goes to where
        that stood. Raises DebuggerError where it does not fit, ValueError where its generator is none.
        """
        self._player.take_over(past)
        return self.goto(past.position)

    def listen(self, listener: Listener | None) -> None:
        """Has somebody be told what comes to the past."""
        self._listener = self._player.listener = listener

    # --- inside ---

    def _break(
        self, kind: Kind, where: int | str, condition: Condition | None, process: int | None
    ) -> Breakpoint:
        if process is not None:
            self._check_process(process)
        return self._breakpoints.add(kind, where, condition, process)

    def _check_process(self, number: int) -> None:
        """Raises DebuggerError where there is no process of a number."""
        if number:
            raise DebuggerError("there is one process, and no grid")

    @contextmanager
    def _stopping_at_nonfinite(self, what: str) -> Generator[None]:
        """Has a breakpoint on what is not finite for as long as it is open."""
        known = {point.number: point for point in self.breakpoints}
        made = self.break_on_nonfinite(what)
        try:
            yield
        finally:
            before = known.get(made.number)
            if before is None:
                self.remove_breakpoint(made.number)
            else:
                self.enable_breakpoint(made.number, before.enabled)


def _condition(text: str | None, name: str | None = None) -> Condition | None:
    return None if text is None else read_condition(text, name)
