"""Reverse debugger: a `Session` steps a program, or a grid of processes, both ways."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Any, Final, Unpack, cast

from msgspec.structs import replace

from shlo.api import without_vhlo
from shlo.debugger.control.breakpoints import NONFINITE, Breakpoint, BreakpointTable, full_op_name
from shlo.debugger.control.marked_lines import MarkedLines
from shlo.debugger.control.messages import Messages
from shlo.debugger.control.shadow_trail import ShadowTrail
from shlo.debugger.control.stepping import Stepping
from shlo.debugger.errors import DebuggerError
from shlo.debugger.expressions.expression import Expression, value_expression
from shlo.debugger.expressions.watches import Evaluation, Reader, Watches
from shlo.debugger.futures.futures import Futures
from shlo.debugger.inspect.applications import Application
from shlo.debugger.inspect.areas import AreaKind
from shlo.debugger.inspect.elements import Elements
from shlo.debugger.inspect.grid_views import GridViews
from shlo.debugger.inspect.inspector import Inspector, copied, read_only
from shlo.debugger.inspect.line_table import LineTable, check_value_name, columns_on, first_line
from shlo.debugger.inspect.loops import Loops
from shlo.debugger.inspect.overview import Overview, overview_of
from shlo.debugger.inspect.scope import frame_views, views_behind
from shlo.debugger.inspect.snapshots import Comparison, GridView, Reason, Snapshot, ValueView
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.debugger.replay.nonfinite import NonfiniteArgument
from shlo.debugger.replay.program_output import OutputLog
from shlo.debugger.structure.structure import Structure
from shlo.interpreter.execution import make_grid, make_process
from shlo.interpreter.options import RunKeywords, RunOptions
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.program_output import ProgramOutput
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.needed_grid import MOST_UNASKED, needed_grid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.runner.errors import RequestError
from shlo.runner.statistics import Histogram, Statistics, histogram_of
from shlo.support.cancellation import Cancellation, Cancelled

if TYPE_CHECKING:
    from shlo.shadow.losses import Losses
    from shlo.shadow.tracker import Loss

Stop = threading.Event | Callable[[], bool]

DEFAULT_MEMORY: Final = 1 << 30
"""How many bytes of passed values a Session keeps unless told otherwise."""


class StopRequests(Cancellation):
    """Cancels the command that runs, where an event is set or a function says so."""

    __slots__ = ("_stop",)

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._stop = stop

    def cancel(self) -> None:
        """Sets the event; raises DebuggerError where there is a function instead."""
        if not isinstance(self._stop, threading.Event):
            raise DebuggerError("the session was given a function that tells when to stop")
        self._stop.set()

    def clear(self) -> None:
        """Ends a request with its command, also where that ends by itself."""
        if isinstance(self._stop, threading.Event):
            self._stop.clear()

    def look(self) -> None:
        """Raises Cancelled where a request came, or the work around the command is cancelled."""
        if self._stop.is_set() if isinstance(self._stop, threading.Event) else self._stop():
            raise Cancelled
        super().look()


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
        given_options = RunOptions.of(keywords)
        self._print = given_options.output
        self.options = replace(given_options, keep_values=True, output=self._take_output)
        given = [programs] if isinstance(programs, Module) else programs
        self.modules = [without_vhlo(module) for module in given]
        self._requests = StopRequests(threading.Event() if stop is None else stop)
        self.cursor = ReplayCursor(
            _make_grid(self.modules, _inputs_of(arguments) or inputs, self.options), memory
        )
        self._breakpoints = BreakpointTable(self.cursor.points)
        self._shadow = ShadowTrail(self.cursor, self.modules[0], self.options.semantics, memory // 4)
        self._stepping = Stepping(self.cursor, self._breakpoints, self._shadow)
        self._inspector = Inspector(self.cursor)
        self.elements = Elements(self.cursor, self._inspector, self._command)
        """Where elements of values come from, and what they reach."""
        self._reader = Reader(self.modules, in_grid=not self.cursor.grid.is_alone)
        self.watches = Watches(self.cursor, self._reader, self._inspector.summaries)
        """Expressions that a front end shows wherever the session stops."""
        self._views = GridViews(self.cursor, self._inspector.summaries.of)
        self._lines: dict[int, LineTable] = {}
        self._marked_lines = MarkedLines()
        self.structure: Final = Structure(self.cursor, self._stepping, lambda: self.module, self._go)
        """Scopes, lines of Python, uses of values; moves by them."""
        self._busy = threading.Lock()
        self.futures = Futures(
            self.cursor,
            lambda process: self.modules[process % len(self.modules)],
            self.options.semantics,
            self._command,
            self._go,
            self._stepping.forget,
        )
        """The futures of the run, and the edits that begin others."""
        self._reason: Reason = "start"
        self._is_behind = False
        self._selected_frame: int | None = None

    # --- where it is ---

    @property
    def module(self) -> Module:
        """The program of the selected process."""
        return self.modules[self.cursor.selected % len(self.modules)]

    @property
    def entry(self) -> str:
        """The function that the selected process started with."""
        entries = self.options.entries
        return entries[self.cursor.selected % len(entries)]

    @property
    def snapshot(self) -> Snapshot:
        """Where the session is."""
        cursor = self.cursor
        frames = cursor.process.frames
        views = frame_views(frames)
        return Snapshot(
            position=cursor.position,
            last=cursor.last,
            status=cursor.status,
            reason=self._reason,
            frames=views_behind(frames, views) if self._is_behind else views,
            last_step=self._inspector.last_step(),
            breakpoints=self._stepping.hit(cursor.position),
            error=str(cursor.error) if cursor.error else None,
            is_behind=self._is_behind,
            upcoming=views[-1] if views else None,
        )

    @property
    def position(self) -> int:
        """How many steps lead to where the session is; may be read from any thread, also while it moves."""
        return self.cursor.position

    @property
    def results(self) -> tuple[Any, ...]:
        """The function's results, once it is done, as arrays of the caller's own; see Process.results."""
        return self.cursor.process.results

    @property
    def all_results(self) -> list[tuple[Any, ...]]:
        """The results of each process, once all are done; raises the error with which the program ended."""
        return self.cursor.grid.results

    @property
    def recorded_bytes(self) -> int:
        """How many bytes the recording takes now."""
        return self.cursor.history.cache.bytes

    @property
    def output(self) -> OutputLog:
        """What the program printed on the way to the furthest position: callbacks without results, such as
        `jax.debug.print`. Steps that are taken again do not print again.
        """
        return self.cursor.output

    def overview(self, columns: int) -> Overview:
        """Returns the timeline in at most `columns` columns, for a screen."""
        return overview_of(self.cursor, self._breakpoints.stopped_at(), columns)

    @property
    def selected_frame(self) -> int:
        """The index of the frame to look at, the innermost after every move; -1 when it is done."""
        innermost = len(self.cursor.process.frames) - 1
        return innermost if self._selected_frame is None else self._selected_frame

    def select_frame(self, index: int) -> None:
        """Looks at another frame, until the next move; raises DebuggerError where there is none."""
        if index < 0 and self.cursor.process.frames:
            raise DebuggerError("there is no frame around the outermost")
        self._selected_frame = self._inspector.index(index)

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
        with self._command():
            self._select_process(number)
        return self.snapshot

    def step_process(self, number: int) -> Snapshot:
        """Selects a process and takes one step of it; raises DebuggerError if it waits or is done."""
        with self._command():
            self._select_process(number)
            grid = self.cursor.grid
            if grid.error is None and grid.status_of(number) != "ready":
                raise DebuggerError(f"process {grid.shape.label(number)} is {grid.status_of(number)}")
        return self._go(self._stepping.one)

    def run_to_sync(self) -> Snapshot:
        """Takes all processes to their next synchronisation point (a collective operation, a message) or end.
        Where all are at one, they first pass it, or begin to wait there.
        """
        self._require_grid()
        return self._go(self._stepping.to_sync)

    def reverse_to_sync(self) -> Snapshot:
        """Goes back to where all processes had arrived at their synchronisation points before."""
        self._require_grid()
        return self._go(self._stepping.back_to_sync)

    def compare(self, name: str) -> Comparison:
        """Returns the value of a name (with or without `%`) side by side in all processes, each in its
        innermost frame. Raises DebuggerError where no process has one.
        """
        with self._command():
            return self._inspector.compare(name)

    # --- forwards ---

    def step_in(self) -> Snapshot:
        """Takes one step: into a region or a function where the operation has one to go into."""
        return self._go(lambda: self._stepping.selected(lambda: "step"))

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
        return self._go(lambda: self._stepping.selected(self._stepping.within(depth), depth=depth))

    def resume(self) -> Snapshot:
        """Goes on to the next breakpoint, or to the end."""
        return self._go(self._stepping.to_breakpoint)

    def resume_process(self) -> Snapshot:
        """Goes on with the selected process to the next breakpoint, or to its end; with others only where it
        waits for them.
        """
        return self.step_to_depth(0)

    def run_to_line(self, line: int) -> Snapshot:
        """Goes on to an operation on a line, or the next line below that has one; stays where there is none
        from here to the end.
        """
        stepping, nearest = self._stepping, self._nearest(line)
        return self._go(lambda: stepping.search(lambda: stepping.selected(stepping.on_line(nearest))))

    def run_to_nonfinite(self, what: str = "any") -> Snapshot:
        """Goes on to behind the next step that makes a NaN or infinity, or to a breakpoint; `what` as for
        `break_on_nonfinite`. Stays where no step does from here to the end.

        At the start, it first stays where the arguments hold some (see `nonfinite_arguments`).
        """
        stepping = self._stepping
        with self._with_nonfinite_breakpoint(what):
            if self.position == 0 and self._reason != "arguments" and self.nonfinite_arguments(what):
                return self._go(lambda: self._at_arguments(what))
            return self._go(lambda: stepping.search(stepping.to_breakpoint))

    def nonfinite_arguments(self, what: str = "any") -> tuple[NonfiniteArgument, ...]:
        """Returns the arguments that hold a NaN or infinity from the start, of all processes; `what` as for
        `break_on_nonfinite`.
        """
        if what not in NONFINITE:
            raise DebuggerError(f"{what!r} is none of {', '.join(NONFINITE)}")
        return tuple(each for each in self.cursor.nonfinite_arguments if each.kinds & NONFINITE[what])

    # --- backwards ---

    def back_in(self) -> Snapshot:
        """Takes back one step."""
        return self._go(lambda: self._stepping.backwards(self._stepping.was_anywhere()))

    def back_over(self) -> Snapshot:
        """Goes back to the operation before this one, over all that it called and repeated."""
        return self._back_to_depth(max(1, len(self.cursor.process.frames)))

    def back_out(self) -> Snapshot:
        """Goes back to where the innermost region or function was entered."""
        return self._back_to_depth(len(self.cursor.process.frames) - 1)

    def reverse(self) -> Snapshot:
        """Goes back to the breakpoint before, or to the beginning."""
        return self._go(lambda: self._stepping.backwards(lambda at: None))

    def reverse_to_line(self, line: int) -> Snapshot:
        """Goes back to an operation on a line, or the next line below that has one; stays where there was
        none.
        """
        stepping, nearest = self._stepping, self._nearest(line)
        return self._go(lambda: stepping.search(lambda: stepping.backwards(stepping.was_on_line(nearest))))

    def reverse_to_nonfinite(self, what: str = "any") -> Snapshot:
        """Goes back to behind the step before that made a NaN or infinity, or to a breakpoint, or to the
        start where the arguments hold some; stays where there is neither.
        """
        stepping = self._stepping

        def move() -> Reason:
            reason = stepping.search(lambda: stepping.backwards(lambda at: None))
            is_start = reason == "breakpoint" and self.position == 0
            return self._at_arguments(what) if is_start and self.nonfinite_arguments(what) else reason

        with self._with_nonfinite_breakpoint(what):
            return self._go(move)

    # --- rounds of a loop ---

    @property
    def loops(self) -> Loops:
        """The loops around where the session is."""
        return Loops(self.cursor)

    def to_round(self, number: int, level: int = 0) -> Snapshot:
        """Goes to the beginning of a round, from 0, of the loop that is open, or of the one `level` loops
        farther out, past breakpoints; stays, with the reason "missed", where the loop ends before.
        """
        loop = self.loops.innermost(self.selected_frame, level)
        if number < 0:
            raise DebuggerError("rounds count from 0")
        if number < len(loop.starts):
            return self.goto(loop.starts[number])
        until = self._stepping.in_round(loop, number)
        return self._go(
            lambda: self._stepping.search(lambda: self._stepping.selected(until, skips_breakpoints=True))
        )

    # --- anywhere ---

    def goto(self, position: int) -> Snapshot:
        """Goes to a position, past breakpoints; to the end where the program has fewer steps."""
        if position < 0:
            raise DebuggerError("positions count from 0")
        return self._go(lambda: self._stepping.to(position))

    def restart(self) -> Snapshot:
        """Goes to the beginning. What was recorded, and what effects gave, stays."""
        return self.goto(0)

    def request_stop(self) -> None:
        """Ends the command that runs; may be called from any thread, if `stop` is no function."""
        self._requests.cancel()

    # --- breakpoints ---

    @property
    def breakpoints(self) -> tuple[Breakpoint, ...]:
        """All breakpoints in the order of their numbers."""
        return tuple(self._breakpoints)

    def number_breakpoints_from(self, number: int) -> None:
        """Gives new breakpoints this number or greater ones."""
        self._breakpoints.number_from(number)

    def break_on_line(
        self,
        line: int,
        condition: str | None = None,
        process: int | None = None,
        column: int | None = None,
    ) -> Breakpoint:
        """Stops before operations that begin on a line, or else on the next line of its function that has
        one, the last such line where none is below.

        Args:
            line: The line, counted from 1.
            condition: When to stop: an expression (see docs/debugger.md); always, unless it says.
            process: In which process of a grid; in all, unless it says.
            column: Of several operations that begin on the line, the one at or before this column (in code
                points, from 1), else the first; all of them, unless it says.
        """
        nearest = self._nearest(line)
        if column is not None:
            columns = self.columns_of(nearest)
            before = [each for each in columns if each <= column] if nearest == line else []
            column = before[-1] if before else columns[0]
        point = Breakpoint(0, "line", nearest, process=process, column=column)
        return self._break(replace(point, condition=self._condition(condition)))

    def break_on_function(
        self, name: str, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops before the first operation of a function, on its line."""
        name = name.removeprefix("@")
        line = self._nearest(first_line(program_of(self.module), name))
        point = Breakpoint(0, "line", line, process=process, function=name)
        return self._break(replace(point, condition=self._condition(condition)))

    def break_on_op(self, name: str, condition: str | None = None, process: int | None = None) -> Breakpoint:
        """Stops before operations of a name (`dot_general` is `stablehlo.dot_general`)."""
        return self._break(
            Breakpoint(0, "op", full_op_name(name), condition=self._condition(condition), process=process)
        )

    def break_on_value(
        self, name: str, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops when a value of this name (with or without `%`) has been bound. A condition is one on this
        value, unless it names another.
        """
        value_name = name.removeprefix("%")
        check_value_name(program_of(self.module), value_name, not self.cursor.grid.is_alone)
        return self._break(
            Breakpoint(
                0,
                "value",
                value_name,
                condition=self._condition(condition, value_expression(value_name)),
                process=process,
            )
        )

    def break_on_area(
        self, kind: AreaKind, text: str, condition: str | None = None, process: int | None = None
    ) -> Breakpoint:
        """Stops where a process enters a scope of the name stack (`layer_57`), or the operations that a line
        of Python (`mytrain.py:68`) led to.
        """
        point = Breakpoint(0, kind, self.structure.check(kind, text), process=process)
        return self._break(replace(point, condition=self._condition(condition)))

    def break_on_nonfinite(
        self, what: str = "any", process: int | None = None, condition: str | None = None
    ) -> Breakpoint:
        """Stops after a step that makes a NaN ("nan"), an infinity ("infinity"), or either ("any"), that
        converts numbers out of the range of their new type ("overflow"), or that the sanitizer objects to
        ("finding"), under a condition on the values behind that step.
        """
        if what not in NONFINITE:
            raise DebuggerError(f"{what!r} is none of {', '.join(NONFINITE)}")
        point = Breakpoint(0, "nonfinite", what, condition=self._condition(condition), process=process)
        return self._break(point)

    def sanitize(self, names: str = "") -> None:
        """Sets what the sanitizer looks for, as `shlo run --sanitize=` takes it; `break_on_nonfinite` with
        "finding" has it look. Raises DebuggerError for an unknown name.
        """
        from shlo.sanitizer.selection import Selection

        try:
            self.cursor.search.selection = Selection.of(names)
        except RequestError as error:
            raise DebuggerError(f"{error}; {error.hint}") from None
        self.cursor.history.search_anew()

    # --- its shadow in float64 ---

    def break_on_loss(self, digits: float, condition: str | None = None) -> Breakpoint:
        """Stops after a step that loses so many decimal digits (docs/shadow.md), under a condition on the
        values behind it. Raises DebuggerError for less than 1 or no finite number, and in a grid.
        """
        self._shadow.check()
        if not 1 <= digits < inf:
            raise DebuggerError(f"expected 1 digit or more, got {digits:g}")
        return self._break(Breakpoint(0, "shadow", f"{digits:g}", condition=self._condition(condition)))

    def show_shadow(self, is_shown: bool = True) -> None:
        """Has summaries of values tell how many digits they lack; raises DebuggerError in a grid."""
        self._shadow.check()
        self._shadow.is_shown = is_shown

    @property
    def shows_shadow(self) -> bool:
        """Whether summaries of values tell how many digits they lack."""
        return self._shadow.is_shown

    @property
    def losses(self) -> Losses:
        """What digits are lost on the way to here, or to the furthest position that was asked for."""
        with self._command():
            return self._shadow.losses

    @property
    def last_loss(self) -> Loss | None:
        """What digits the last step loses, where shadows are shown or a breakpoint waits for that."""
        if not self._shadow.is_shown and not self._breakpoints.on_losses:
            return None
        with self._command():
            return self._shadow.loss(self.position)

    def shadow(self, name: str, frame: int = -1) -> tuple[Array, Array]:
        """Returns a tensor of floating-point numbers in scope, and its shadow in f64 or complex<f64>. Raises
        DebuggerError for a value that has none.
        """
        with self._command():
            found = self._shadow.of(self._inspector.find(name, frame))
        if found is None:
            raise DebuggerError(f"%{name.removeprefix('%')} has no shadow here")
        return read_only(found[0]), read_only(found[1])

    def lines_between(self, first: int, last: int) -> list[int]:
        """Returns the lines, from one to another, at whose operations a breakpoint can stop."""
        return self._line_table.between(first, last)

    def columns_of(self, line: int) -> list[int]:
        """Returns the columns (in code points, from 1) at which operations begin that a process stops at, on
        a line.
        """
        return columns_on(program_of(self.module), not self.cursor.grid.is_alone, line)

    def lines_of(self, point: Breakpoint) -> frozenset[int]:
        """Returns the lines of the source at whose operations a breakpoint stops; for one on a value, those
        that bind it.
        """
        return self._marked_lines.of(point, program_of(self.module), not self.cursor.grid.is_alone)

    def reached(self, point: Breakpoint) -> int | None:
        """Returns how often processes came to the place of a breakpoint on the way from the start to here,
        whatever its condition; None for one that has no such place: on numbers, a scope, a line of Python.
        """
        if point.kind in ("nonfinite", "shadow", "change") or point.area:
            return None
        points = self.cursor.points
        numbers = [number for number in range(len(points)) if point.is_at(points[number])]
        return sum(
            trace.arrivals(numbers, self.position)
            for process, trace in enumerate(self.cursor.history.traces)
            if point.is_for(process)
        )

    def restrict_breakpoint(self, number: int, condition: str | None) -> Breakpoint:
        """Returns a breakpoint a condition instead of the one it has; None takes that away."""
        point = self._breakpoints[number]
        subject = value_expression(str(point.where)) if point.kind == "value" else point.expression
        return self._breakpoints.restrict(number, self._condition(condition, subject))

    def break_on_change(
        self, text: str, condition: str | None = None, process: int | None = None, function: str | None = None
    ) -> Breakpoint:
        """Stops where the value of an expression has changed, in the function of the selected frame; with a
        condition, where that becomes true: `> 10` is about the expression.

        Args:
            text: The expression.
            condition: What becomes true.
            process: In which process of a grid; in all, unless it says.
            function: Another function whose values are meant.
        """
        expression = self._reader.expression(text)
        if function is None:
            frames = self.cursor.process.frames
            here = frames[self.selected_frame].function.name if frames else None
            function = self._reader.function(expression, here)
        point = Breakpoint(
            0,
            "change",
            expression.text,
            condition=self._condition(condition, expression),
            process=process,
            expression=expression,
            function=function,
        )
        return self._break(point)

    def add_log_point(self, number: int, message: str, in_place: bool = False) -> Breakpoint:
        """Returns a log point at the place of a breakpoint, under its condition: it does not stop, and adds
        the message, with values of the expressions in braces, to `messages`; beside the breakpoint, or in its
        place.
        """
        return self._breakpoints.log(number, self._reader.template(message), in_place)

    @property
    def messages(self) -> Messages:
        """What log points said, and why conditions could not be evaluated."""
        return self._stepping.messages

    def times_hit(self, number: int) -> int:
        """Returns how often a breakpoint would have stopped from the program's start to here, without regard
        to `ignore_breakpoint`; one on NaN or infinities as far as steps were searched for them.
        """
        with self._command():
            return self._stepping.times_hit(number)

    def twin_breakpoint(self, known: Breakpoint) -> Breakpoint:
        """Returns another breakpoint like one that the session had before it was set again."""
        return self._breakpoints.twin(known)

    def ignore_breakpoint(self, number: int, count: int) -> Breakpoint:
        """Lets a breakpoint not stop the first `count` times, counted from the program's start."""
        return self._breakpoints.ignore(number, count)

    def enable_breakpoint(self, number: int, enabled: bool = True) -> Breakpoint:
        """Switches a breakpoint on or off."""
        return self._breakpoints.enable(number, enabled)

    def remove_breakpoint(self, number: int) -> None:
        """Takes a breakpoint away."""
        self._breakpoints.remove(number)

    # --- values; `frame` is an index into the snapshot's frames, and chooses what is in scope ---

    def values(self, frame: int = -1, most: int | None = None) -> tuple[ValueView, ...]:
        """Returns the values in scope, in the order in which they were bound; none when the program is done.
        `most` leaves only that many, the last ones.
        """
        return self._inspector.values(frame, most)

    def arguments(self, frame: int = -1) -> tuple[ValueView, ...]:
        """Returns the arguments of a frame's function and of the regions around the frame in it, outer ones
        first; none when the program is done.
        """
        return self._inspector.arguments(frame)

    def value(self, name: str, frame: int = -1) -> Any:
        """Returns a value in scope: an array that cannot be written to, a token, or a tuple of values. Raises
        DebuggerError where there is none, and where a request to stop comes while it is computed again.
        """
        with self._command():
            return self._inspector.value(name, frame)

    def evaluate(self, text: str, frame: int = -1) -> Evaluation:
        """Returns the value of an expression (see docs/debugger.md) in a frame: an array that cannot be
        written to, a number, a truth value, a token or a tuple. Raises DebuggerError where it has none.
        """
        with self._command():
            found = self.watches.evaluate(text, frame)
            return found._replace(value=read_only(found.value))

    def value_at(self, name: str, position: int) -> Any:
        """Returns what a value was at another position that was reached, where it is in scope in the
        innermost frame; the session stays where it is.
        """
        with self._command():
            return self._inspector.value_at(name, position)

    def part(self, name: str, index: tuple[int | slice, ...], frame: int = -1) -> Array:
        """Returns a part of a tensor, as NumPy's indexing takes it."""
        with self._command():
            return self._inspector.part(name, index, frame)

    def summary(self, name: str, frame: int = -1) -> str | None:
        """Returns a value in one line (see `summaries.summary_of`), made once for each value that is bound;
        None for one that was dropped for want of memory, which is not computed for this, unless a recording
        has its statistics.
        """
        summary = self._inspector.summary(name, frame)
        if summary is None or not self._shadow.is_shown:
            return summary
        return f"{summary}{self._shadow_note(name, frame)}"

    def _shadow_note(self, name: str, frame: int) -> str:
        from shlo.shadow.report import note_of

        found = self._shadow.of(self._inspector.find(name, frame))
        return "" if found is None else note_of(*found)

    def statistics(self, name: str, frame: int = -1) -> Statistics | None:
        """Returns a tensor in a few numbers, None for a value that is none."""
        with self._command():
            return self._inspector.statistics(name, frame)

    def histogram(self, name: str, bins: int = 20, frame: int = -1) -> Histogram | None:
        """Returns how the finite elements of a tensor are spread, None where it has none."""
        return histogram_of(self.value(name, frame), bins)

    def bound_at(self, name: str, frame: int = -1) -> int:
        """Returns the position at which a value in scope was bound: `goto` it to see where it comes from."""
        return self._inspector.bound_at(self._inspector.find(name, frame))

    def history(self, name: str, frame: int = -1) -> tuple[int, ...]:
        """Returns the positions, as far as the program was run, at which a value in scope was bound: in each
        iteration of a loop and each call of a function.
        """
        return self._inspector.history(name, frame)

    def applications(self, name: str, index: tuple[int, ...], frame: int = -1) -> Iterator[Application]:
        """Returns how a region made one element of a value in scope, application by application."""
        with self._command():
            return self._inspector.applications(name, index, frame)

    # --- inside ---

    def _take_output(self, output: ProgramOutput) -> None:
        self.cursor.note_output(output)
        if self._print is not None:
            self._print(output)

    def _go(self, move: Callable[[], Reason]) -> Snapshot:
        """Makes a move; returns where it led."""
        with self._command():
            self.cursor.look_for(self._breakpoints.scans)
            self._selected_frame = None
            self._reason, self._is_behind = "stopped", False  # unless it ends by itself
            try:
                self._reason = move()
            except Cancelled:
                self._reason = "done" if self.cursor.is_over else "stopped"
            self._is_behind = self._reason == "breakpoint" and self._stepping.is_behind(self.cursor.position)
            if self.cursor.listener is not None:
                self.cursor.listener.stopped()
        return self.snapshot

    def _at_arguments(self, what: str) -> Reason:
        """Selects a process whose arguments hold numbers that are not finite."""
        processes = [argument.process for argument in self.nonfinite_arguments(what)]
        if self.cursor.selected not in processes:
            self.cursor.selected = processes[0]
        return "arguments"

    def _back_to_depth(self, depth: int) -> Snapshot:
        return self._go(lambda: self._stepping.backwards(self._stepping.was_within(depth)))

    @contextmanager
    def _command(self) -> Generator[None]:
        """Lets one command run at a time; an interrupt leaves the session between two steps."""
        if not self._busy.acquire(blocking=False):
            raise DebuggerError("the session is busy with another command")
        try:
            with self._requests.active():
                yield
        except DebuggerError:
            raise
        except Cancelled:
            raise DebuggerError("stopped on request") from None
        except BaseException:
            self.cursor.repair()
            raise
        finally:
            self._requests.clear()
            self._busy.release()

    def _nearest(self, line: int) -> int:
        """Returns the line, of those with an operation, at which a stop on a line takes place."""
        return self._line_table.nearest(line)

    @property
    def _line_table(self) -> LineTable:
        """The lines of the selected process's program."""
        module = self.module
        lines = self._lines.get(id(module))
        if lines is None:
            lines = self._lines[id(module)] = LineTable.of(program_of(module), not self.cursor.grid.is_alone)
        return lines

    def _select_process(self, number: int) -> None:
        self._check_process(number)
        self.cursor.selected = number
        self._selected_frame = None
        if self._reason == "breakpoint":
            self._reason = "position"  # the breakpoint may have stopped another process
            self._is_behind = False

    def _require_grid(self) -> None:
        """Raises DebuggerError where there is one process."""
        if self.cursor.grid.is_alone:
            raise DebuggerError("there is one process, and no grid: shlo debug --grid 2x4 starts one")

    def _check_process(self, number: int) -> None:
        """Raises DebuggerError where there is no process of a number."""
        size = len(self.cursor.grid.processes)
        if not 0 <= number < size:
            self._require_grid()
            raise DebuggerError(f"there is no process {number}; they are numbered from 0 to {size - 1}")

    def _break(self, point: Breakpoint) -> Breakpoint:
        if point.process is not None:
            self._check_process(point.process)
        return self._breakpoints.add(point)

    def _condition(self, text: str | None, subject: Expression | None = None) -> Expression | None:
        return None if text is None else self._reader.expression(text, subject)

    @contextmanager
    def _with_nonfinite_breakpoint(self, what: str) -> Generator[None]:
        """Has a breakpoint on NaN or infinities for as long as it is open."""
        known = {point.number: point for point in self.breakpoints}
        point = self.break_on_nonfinite(what)
        try:
            yield
        finally:
            before = known.get(point.number)
            if before is None:
                self.remove_breakpoint(point.number)
            else:
                self.enable_breakpoint(point.number, before.enabled)


def session_for(
    module: Module, arguments: Sequence[Any], *, stop: Stop | None = None, **keywords: Unpack[RunKeywords]
) -> Session:
    """Returns a session in the grid that the function needs (see `needed_grid`), whose processes all get
    these arguments; of one process where it needs none. The keywords are those of Session.
    """
    entry = keywords.get("entry", "main")
    needed = needed_grid(module, entry) if isinstance(entry, str) else None
    if needed is None or needed.size > MOST_UNASKED:
        return Session(module, inputs=arguments, stop=stop, **keywords)
    keywords["replicas"], keywords["partitions"] = needed.replicas, needed.partitions
    return Session(module, inputs=[list(arguments)], stop=stop, **keywords)


def _inputs_of(arguments: tuple[Any, ...]) -> Sequence[Any]:
    """Returns arguments that are written one after the other, or as one list."""
    is_list = len(arguments) == 1 and isinstance(arguments[0], (list, tuple))
    return cast("Sequence[Any]", arguments[0]) if is_list else arguments


def _make_grid(modules: Sequence[Module], inputs: Sequence[Any], options: RunOptions) -> ProcessGrid:
    """Starts the processes; a process alone runs as `run` does."""
    if (options.replicas, options.partitions) == (1, 1):
        if (len(modules), len(options.entries)) != (1, 1):
            raise DebuggerError("one process takes one program and one entry")
        process = make_process(modules[0], list(map(copied, inputs)), options)
        return ProcessGrid([process], GridShape(), is_alone=True)
    if any(not isinstance(values, (list, tuple)) for values in inputs):
        raise DebuggerError("a grid takes a list of arguments for each process, or one such list for all")
    arguments = [list(map(copied, cast("Sequence[Any]", values))) for values in inputs] or [()]
    try:
        return make_grid(modules, arguments, options)
    except ValueError as error:
        raise DebuggerError(str(error)) from None
