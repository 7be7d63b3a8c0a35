"""Reverse debugger: a `Session` steps a program, or a grid of processes, both ways."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final, Unpack, cast

import numpy as np
from msgspec.structs import replace

from shlo.api import without_vhlo
from shlo.debugger.control.breakpoints import Breakpoints
from shlo.debugger.control.nonfinite_moves import NonfiniteMoves
from shlo.debugger.control.shadow_trail import ShadowTrail
from shlo.debugger.control.stepping import Stepping
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.watches import ExpressionReader, Watches
from shlo.debugger.futures.futures import Futures
from shlo.debugger.inspect.elements import ElementSources
from shlo.debugger.inspect.grid_views import GridViews
from shlo.debugger.inspect.inspector import Inspector
from shlo.debugger.inspect.loops import Loops
from shlo.debugger.inspect.overview import Overview, overview_of
from shlo.debugger.inspect.run import SessionRun, Stop
from shlo.debugger.inspect.snapshots import GridView, Snapshot
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.program_output import OutputLog
from shlo.debugger.structure.structure import Structure
from shlo.interpreter.execution import make_grid, make_process
from shlo.interpreter.options import RunKeywords, RunOptions
from shlo.interpreter.runtime.program_output import ProgramOutput
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.needed_grid import unasked_grid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module

DEFAULT_MEMORY: Final = 1 << 30
"""How many bytes of passed values a Session keeps unless told otherwise."""


class Session:
    """A function of a program in execution, step by step, forwards and backwards; alone, or in each process
    of a grid.

    A position counts the steps of all processes from the start. Commands move to another position and return
    a Snapshot of it. Going back looks at what was recorded; what was dropped for want of memory is computed
    again, and effects (custom calls, `rng`, probes) are never repeated. Commands on the way forwards and
    backwards stop at breakpoints, but `goto` and `restart` do not.

    In a grid, frames and values are those of the selected process. `step_in`, `step_over` and the like go on
    in it, and where it waits, others go on until it can. `resume` and `reverse` move all, and stop where a
    breakpoint stops any, which is then selected. Stepping another process than the one that went on before
    discards what came after. A grid that has failed, or in which processes wait for each other without end,
    is at a position like any other, from which one can go back.

    An exception that is no error of the program (a KeyboardInterrupt) passes through, and leaves the session
    between two steps. One thread owns a Session; a command raises DebuggerError while another one runs.
    `request_stop` alone may be called from anywhere: it ends a running command between two operations.
    """

    def __init__(
        self,
        programs: Module | Sequence[Module],
        *arguments: Any,
        inputs: Sequence[Any] = (),
        memory: int = DEFAULT_MEMORY,
        stop: Stop | None = None,
        **keywords: Unpack[RunKeywords],
    ) -> None:
        """Starts a function of a module on arguments: `Session(module, x, y)`, as for `run`.

        Args:
            programs: One module; in a grid, one for all processes or one for each.
            arguments: The arguments, one after the other; or one list or tuple of them. In a grid, a list
                that holds a list of arguments for each process, or one such list for all.
            inputs: The same as one list.
            memory: How many bytes the recording may take.
            stop: An event or a function that ends a running command.
            keywords: Fields of RunOptions; with more than one replica or partition a grid is started.
                `output` is called the first time that a step prints, beside what `Session.output` notes.

        Raises:
            ExecutionError: The function cannot be started on the inputs.
            DebuggerError: Programs, entries or inputs are not as many as processes.
        """
        options = RunOptions.of(keywords)
        self._print = options.output
        options = replace(options, keep_values=True, output=self._take_output)
        modules = [
            without_vhlo(module) for module in ([programs] if isinstance(programs, Module) else programs)
        ]
        self.cursor: Final = ReplayCursor(
            _make_grid(modules, _inputs_of(arguments) or inputs, options), memory
        )
        self.run: Final = SessionRun(
            modules, options, self.cursor, threading.Event() if stop is None else stop
        )
        """What its parts share."""
        reader = ExpressionReader(self.run)
        self.breakpoints: Final = Breakpoints(self.run, reader)
        self.shadow: Final = ShadowTrail(self.run, memory // 4)
        """The same program in float64."""
        self.inspector: Final = Inspector(self.run, self.shadow.note)
        """Values in scope."""
        self.watches: Final = Watches(self.run, reader, self.inspector.summaries)
        """Expressions: their values, and those that a front end shows wherever the session stops."""
        self.elements: Final = ElementSources(self.run, self.inspector)
        """Where elements of values come from, and what they reach."""
        self.loops: Final = Loops(self.cursor)
        """The loops around where the session is."""
        self.stepping: Final = Stepping(self.run, self.breakpoints, self.shadow, self.inspector)
        """What moves are made of."""
        self.nonfinite: Final = NonfiniteMoves(self.run, self.breakpoints, self.stepping)
        """Moves to where NaN and infinities are made."""
        self.structure: Final = Structure(self.run, self.stepping)
        """Scopes, lines of Python, uses of values; moves by them."""
        self.futures: Final = Futures(self.run, self.stepping)
        """The futures of the run, and the edits that begin others."""
        self._views = GridViews(self.cursor, self.inspector.summaries.of)

    # --- where it is ---

    @property
    def module(self) -> Module:
        """The program of the selected process."""
        return self.run.module

    @property
    def snapshot(self) -> Snapshot:
        """Where the session is."""
        return self.stepping.snapshot

    @property
    def position(self) -> int:
        """How many steps lead to where the session is; may be read from any thread, also while it moves."""
        return self.cursor.position

    @property
    def results(self) -> tuple[Any, ...]:
        """The function's results, once it is done, as arrays of the caller's own; see Process.results."""
        return self.cursor.process.results

    @property
    def output(self) -> OutputLog:
        """What the program printed on the way to the furthest position: callbacks without results, such as
        `jax.debug.print`. Steps that are taken again do not print again.
        """
        return self.cursor.output

    def overview(self, columns: int) -> Overview:
        """Returns the timeline in at most `columns` columns, for a screen."""
        return overview_of(self.cursor, self.breakpoints.stopped_at(), columns)

    @property
    def selected_frame(self) -> int:
        """The index of the frame to look at, the innermost after every move; -1 when it is done."""
        return self.run.selected_frame

    def select_frame(self, index: int) -> None:
        """Looks at another frame, until the next move; raises DebuggerError where there is none."""
        self.run.select_frame(index)

    # --- all processes ---

    @property
    def grid(self) -> GridView | None:
        """All processes, where there are several: their states, who waits for whom, messages under way."""
        return None if self.cursor.grid.is_alone else self._views.view()

    @property
    def process_label(self) -> str:
        """The selected process of a grid as `(replica, partition)`; empty where there is one process."""
        grid = self.cursor.grid
        return "" if grid.is_alone else grid.shape.label(self.cursor.selected)

    def select_process(self, number: int) -> Snapshot:
        """Looks at another process; raises DebuggerError where there is none of that number."""
        with self.run.command():
            self.stepping.select(number)
        return self.snapshot

    def step_process(self, number: int) -> Snapshot:
        """Selects a process and takes one step of it; raises DebuggerError if it waits or is done."""
        with self.run.command():
            self.stepping.select(number)
            grid = self.cursor.grid
            if grid.error is None and grid.status_of(number) != "ready":
                raise DebuggerError(f"process {grid.shape.label(number)} is {grid.status_of(number)}")
        return self.stepping.go(self.stepping.one)

    def run_to_sync(self) -> Snapshot:
        """Takes all processes to their next synchronisation point (a collective operation, a message) or end.
        Where all are at one, they first pass it, or begin to wait there.
        """
        self.run.require_grid()
        return self.stepping.go(self.stepping.to_sync)

    def reverse_to_sync(self) -> Snapshot:
        """Goes back to where all processes had arrived at their synchronisation points before."""
        self.run.require_grid()
        return self.stepping.go(self.stepping.back_to_sync)

    # --- forwards ---

    def step_in(self) -> Snapshot:
        """Takes one step: into a region or a function where the operation has one to go into."""
        return self.stepping.go(lambda: self.stepping.selected(lambda: "step"))

    def step_over(self) -> Snapshot:
        """Takes the operation as a whole, with what it calls and repeats."""
        return self.step_to_depth(len(self.cursor.process.frames))

    def step_out(self) -> Snapshot:
        """Goes on until the innermost region or function has ended."""
        return self.step_to_depth(len(self.cursor.process.frames) - 1)

    def step_to_depth(self, depth: int) -> Snapshot:
        """Goes on until no more than `depth` frames are open: what `step_over` and `step_out` do, also from
        where one of them was stopped.
        """
        return self.stepping.go(lambda: self.stepping.selected(self.stepping.within(depth), depth=depth))

    def resume(self) -> Snapshot:
        """Goes on to the next breakpoint, or to the end."""
        return self.stepping.go(self.stepping.to_breakpoint)

    def resume_process(self) -> Snapshot:
        """Goes on with the selected process to the next breakpoint, or to its end; with others only where it
        waits for them.
        """
        return self.step_to_depth(0)

    def run_to_line(self, line: int) -> Snapshot:
        """Goes on to an operation on a line, or the next line below that has one; stays where there is none
        from here to the end.
        """
        stepping, nearest = self.stepping, self.run.listing.lines.nearest(line)
        return stepping.go(lambda: stepping.search(lambda: stepping.selected(stepping.on_line(nearest))))

    # --- backwards ---

    def back_in(self) -> Snapshot:
        """Takes back one step."""
        return self.stepping.go(lambda: self.stepping.backwards(self.stepping.was_anywhere()))

    def back_over(self) -> Snapshot:
        """Goes back to the operation before this one, over all that it called and repeated."""
        return self._back_to_depth(max(1, len(self.cursor.process.frames)))

    def back_out(self) -> Snapshot:
        """Goes back to where the innermost region or function was entered."""
        return self._back_to_depth(len(self.cursor.process.frames) - 1)

    def reverse(self) -> Snapshot:
        """Goes back to the breakpoint before, or to the beginning."""
        return self.stepping.go(lambda: self.stepping.backwards(lambda at: None))

    def reverse_to_line(self, line: int) -> Snapshot:
        """Goes back to an operation on a line, or the next line below that has one; stays where there was
        none.
        """
        stepping, nearest = self.stepping, self.run.listing.lines.nearest(line)
        return self.stepping.go(
            lambda: stepping.search(lambda: stepping.backwards(stepping.was_on_line(nearest)))
        )

    # --- rounds of a loop ---

    def to_round(self, number: int, level: int = 0) -> Snapshot:
        """Goes to the beginning of a round, from 0, of the loop that is open, or of the one `level` loops
        farther out, past breakpoints; stays, with the reason "missed", where the loop ends before.
        """
        loop = self.loops.innermost(self.selected_frame, level)
        if number < 0:
            raise DebuggerError("rounds count from 0")
        if number < len(loop.starts):
            return self.goto(loop.starts[number])
        until = self.stepping.in_round(loop, number)
        return self.stepping.go(
            lambda: self.stepping.search(lambda: self.stepping.selected(until, skips_breakpoints=True))
        )

    # --- anywhere ---

    def goto(self, position: int) -> Snapshot:
        """Goes to a position, past breakpoints; to the end where the program has fewer steps."""
        if position < 0:
            raise DebuggerError("positions count from 0")
        return self.stepping.go(lambda: self.stepping.to(position))

    def restart(self) -> Snapshot:
        """Goes to the beginning. What was recorded, and what effects gave, stays."""
        return self.goto(0)

    def request_stop(self) -> None:
        """Ends the command that runs; may be called from any thread, if `stop` is no function."""
        self.run.requests.cancel()

    # --- inside ---

    def _take_output(self, output: ProgramOutput) -> None:
        self.cursor.note_output(output)
        if self._print is not None:
            self._print(output)

    def _back_to_depth(self, depth: int) -> Snapshot:
        return self.stepping.go(lambda: self.stepping.backwards(self.stepping.was_within(depth)))


def session_for(
    module: Module, arguments: Sequence[Any], *, stop: Stop | None = None, **keywords: Unpack[RunKeywords]
) -> Session:
    """Returns a session in the grid that the function needs (see `unasked_grid`), whose processes all get
    these arguments; of one process where it needs none. The keywords are those of Session.
    """
    entry = keywords.get("entry", "main")
    needed = unasked_grid(module, entry) if isinstance(entry, str) else None
    if needed is None:
        return Session(module, inputs=arguments, stop=stop, **keywords)
    keywords["replicas"], keywords["partitions"] = needed.replicas, needed.partitions
    return Session(module, inputs=[list(arguments)], stop=stop, **keywords)


def _copied(value: Any) -> Any:
    """Returns an argument that its giver cannot change any more; one that is read-only is not copied."""
    if isinstance(value, tuple):
        return tuple(map(_copied, cast("tuple[Any, ...]", value)))
    if not isinstance(value, np.ndarray):
        return value
    array = cast("Array", value)
    return array.copy() if array.flags.writeable else array


def _inputs_of(arguments: tuple[Any, ...]) -> Sequence[Any]:
    """Returns arguments that are written one after the other, or as one list."""
    is_list = len(arguments) == 1 and isinstance(arguments[0], (list, tuple))
    return cast("Sequence[Any]", arguments[0]) if is_list else arguments


def _make_grid(modules: Sequence[Module], inputs: Sequence[Any], options: RunOptions) -> ProcessGrid:
    """Starts the processes; a process alone runs as `run` does."""
    if (options.replicas, options.partitions) == (1, 1):
        if (len(modules), len(options.entries)) != (1, 1):
            raise DebuggerError("one process takes one program and one entry")
        process = make_process(modules[0], list(map(_copied, inputs)), options)
        return ProcessGrid([process], GridShape(), is_alone=True)
    if any(not isinstance(values, (list, tuple)) for values in inputs):
        raise DebuggerError("a grid takes a list of arguments for each process, or one such list for all")
    arguments = [list(map(_copied, cast("Sequence[Any]", values))) for values in inputs] or [()]
    try:
        return make_grid(modules, arguments, options)
    except ValueError as error:
        raise DebuggerError(str(error)) from None
