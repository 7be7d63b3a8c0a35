"""A Session: a program under the eyes of somebody, with time running both ways."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import numpy as np

from shlo.debugger.breakpoints import FINDINGS, Breakpoint, Breakpoints, full_op_name
from shlo.debugger.errors import DebuggerError
from shlo.debugger.frames import find_value, frame_views, in_scope, read_value, span_of, value_view
from shlo.debugger.lines import Lines
from shlo.debugger.movement import Arrived, Movement
from shlo.debugger.playback import Playback
from shlo.debugger.snapshots import Reason, Snapshot, Taken, ValueView
from shlo.debugger.statistics import Histogram, Statistics, histogram_of, statistics_of, tensor_of
from shlo.debugger.timeline import Timeline
from shlo.debugger.watch import Finding
from shlo.interpreter.custom_calls import Handler
from shlo.interpreter.process import Process
from shlo.interpreter.program import program_of
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module

DEFAULT_MEMORY: Final = 1 << 30
"""How many bytes of passed values a Session keeps unless told otherwise."""

Stop = threading.Event | Callable[[], bool]


class Session:
    """A function of a program in execution, step by step, forwards and backwards.

    A position counts the steps from the start. Commands move to another position and give a Snapshot of it.
    Going back looks at what was recorded; what was dropped for want of memory is computed again, and effects
    (custom calls, `rng`, probes) are never repeated. Commands on the way forwards and backwards stop at
    breakpoints, but `goto` and `restart` do not.

    An exception that is no error of the program (a KeyboardInterrupt) passes through, and leaves the session
    between two steps. One thread owns a Session; a command raises DebuggerError while another one runs.
    `request_stop` alone may be called from anywhere: it ends a running command between two operations.
    """

    def __init__(
        self,
        programs: Module,
        inputs: Sequence[Any] = (),
        *,
        entry: str = "main",
        replicas: int = 1,
        partitions: int = 1,
        seed: int = 0,
        max_steps: int | None = None,
        handlers: Mapping[str, Handler] | None = None,
        probe_folder: str | None = None,
        memory: int = DEFAULT_MEMORY,
        stop: Stop | None = None,
    ) -> None:
        """Starts the function `entry` of a module on `inputs`, which are those of `run`, as are `seed`,
        `max_steps`, `handlers` and `probe_folder`. There is one process: `replicas` and `partitions` must be
        1. `memory` is how many bytes the recording may take; `stop` is an event or a function that ends a
        running command. Raises ExecutionError where the function cannot be started on the inputs.
        """
        if replicas != 1 or partitions != 1:
            raise DebuggerError("a session has one process; grids cannot be debugged")
        self.module = programs
        self.entry = entry
        self._process = Process(
            programs,
            *(_own(value) for value in inputs),
            entry=entry,
            seed=seed,
            max_steps=max_steps,
            handlers=handlers,
            probe_folder=probe_folder,
            keep_values=True,
        )
        self._timeline = Timeline(self._process, memory)
        self._playback = Playback(self._process, self._timeline)
        self._breakpoints = Breakpoints(self._timeline.sites)
        self._stop: Stop = threading.Event() if stop is None else stop
        self._movement = Movement(self._playback, self._breakpoints, self._should_stop)
        self._lines: Lines | None = None
        self._busy = threading.Lock()
        self._reason: Reason = "start"

    # --- where it is ---

    @property
    def snapshot(self) -> Snapshot:
        """Where the session is."""
        process = self._process
        return Snapshot(
            position=process.steps,
            last=self._timeline.last,
            status=process.status,
            reason=self._reason,
            frames=frame_views(process.frames),
            taken=self._taken(),
            breakpoints=self._movement.met(process.steps),
            error=str(process.error) if process.error else None,
        )

    @property
    def results(self) -> tuple[Any, ...]:
        """The function's results, once it is done, as arrays of the caller's own; see Process.results."""
        return self._process.results

    @property
    def recorded_bytes(self) -> int:
        """How many bytes the recording takes now."""
        return self._timeline.bytes

    # --- forwards ---

    def step_in(self) -> Snapshot:
        """Takes one step: into a region or a function where the operation has one to go into."""
        return self._go(lambda: self._movement.forwards(lambda: "step"))

    def step_over(self) -> Snapshot:
        """Takes the operation as a whole, with what it calls and repeats."""
        depth = len(self._process.frames)
        return self._go(lambda: self._movement.forwards(self._movement.within(depth)))

    def step_out(self) -> Snapshot:
        """Goes on until the innermost region or function has ended."""
        depth = len(self._process.frames) - 1
        return self._go(lambda: self._movement.forwards(self._movement.within(depth)))

    def resume(self) -> Snapshot:
        """Goes on to the next breakpoint, or to the end."""
        return self._go(lambda: self._movement.forwards(lambda: None))

    def run_to_line(self, line: int) -> Snapshot:
        """Goes on to an operation on a line, or the next line below that has one."""
        wanted = self._nearest(line)
        return self._go(lambda: self._movement.forwards(lambda: self._movement.on_line(wanted)))

    # --- backwards ---

    def back_in(self) -> Snapshot:
        """Takes back one step."""
        return self._go(lambda: self._movement.backwards(lambda at: "step"))

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
        return self._go(lambda: self._movement.backwards(lambda at: self._movement.was_on_line(wanted, at)))

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

    def break_on_line(self, line: int) -> Breakpoint:
        """Stops before operations that begin on a line, or the next line below that has one."""
        return self._breakpoints.add("line", self._nearest(line))

    def break_on_op(self, name: str) -> Breakpoint:
        """Stops before operations of a name (`dot_general` is `stablehlo.dot_general`)."""
        return self._breakpoints.add("op", full_op_name(name))

    def break_on_value(self, name: str) -> Breakpoint:
        """Stops when a value of this name (with or without `%`) has been bound."""
        return self._breakpoints.add("value", name.removeprefix("%"))

    def break_on_nonfinite(self, what: str = "any") -> Breakpoint:
        """Stops after a step that makes a NaN (`what` is "nan"), an infinity ("infinity"), or either ("any")
        out of operands without.
        """
        if what not in FINDINGS:
            raise DebuggerError(f"{what!r} is none of {', '.join(FINDINGS)}")
        return self._breakpoints.add("nonfinite", what)

    def enable_breakpoint(self, number: int, enabled: bool = True) -> Breakpoint:
        """Switches a breakpoint on or off."""
        return self._breakpoints.enable(number, enabled)

    def remove_breakpoint(self, number: int) -> None:
        """Takes a breakpoint away."""
        self._breakpoints.remove(number)

    # --- values; `frame` is an index into the snapshot's frames, and chooses what is in scope ---

    def values(self, frame: int = -1) -> tuple[ValueView, ...]:
        """The values in scope, in the order in which they were bound; none when the program is done."""
        frames = self._process.frames
        return tuple(map(value_view, in_scope(frames, self._index(frame)))) if frames else ()

    def value(self, name: str, frame: int = -1) -> Any:
        """A value in scope: an array that cannot be written to, a token, or a tuple of values."""
        with self._command():
            bound = find_value(self._process.frames, self._index(frame), name)
            return _locked(read_value(self._playback, bound))

    def part(self, name: str, index: tuple[int | slice, ...], frame: int = -1) -> Array:
        """A part of a tensor, as NumPy's indexing takes it."""
        array = tensor_of(self.value(name, frame))
        if array is None:
            raise DebuggerError(f"%{name.removeprefix('%')} is no tensor")
        try:
            return np.asarray(_locked(array[index]))
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
        bound = find_value(self._process.frames, self._index(frame), name)
        return self._playback.bound_at(bound.code, bound.slot, bound.depth)

    # --- inside ---

    def _go(self, move: Callable[[], Arrived]) -> Snapshot:
        with self._command():
            self._playback.watches = self._breakpoints.watches
            try:
                self._reason = move()
            except BaseException:
                self._playback.repair()
                self._reason = "stopped"
                raise
            if self._reason == "stopped" and isinstance(self._stop, threading.Event):
                self._stop.clear()
        return self.snapshot

    @contextmanager
    def _command(self) -> Generator[None]:
        if not self._busy.acquire(blocking=False):
            raise DebuggerError("the session is busy with another command")
        try:
            yield
        finally:
            self._busy.release()

    def _should_stop(self) -> bool:
        return self._stop.is_set() if isinstance(self._stop, threading.Event) else self._stop()

    def _nearest(self, line: int) -> int:
        if self._lines is None:
            self._lines = Lines(program_of(self.module))
        return self._lines.nearest(line)

    def _index(self, frame: int) -> int:
        count = len(self._process.frames)
        if not -count <= frame < count:
            raise DebuggerError(f"there is no frame {frame}; there are {count}")
        return frame % count

    def _taken(self) -> Taken | None:
        step = self._process.steps - 1
        site = self._timeline.site(step) if step >= 0 else None
        if site is None:
            return None
        finding = Finding(self._timeline.findings[step])
        here = self._timeline.site(step + 1)
        return Taken(
            op=site.operation.name,
            line=site.position.line if site.position else None,
            span=span_of(site.code, site.index),
            bound=here.bound if here else (),
            finding=tuple(word for word, flag in FINDINGS.items() if word != "any" and finding & flag),
        )


def _own(value: Any) -> Any:
    """An argument that its giver cannot change any more."""
    if isinstance(value, tuple):
        return tuple(_own(part) for part in cast("tuple[Any, ...]", value))
    return cast("Array", value).copy() if isinstance(value, np.ndarray) else value


def _locked(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_locked(part) for part in cast("tuple[Any, ...]", value))
    if not isinstance(value, np.ndarray):
        return value
    view = cast("Array", value).view()
    view.flags.writeable = False
    return view
