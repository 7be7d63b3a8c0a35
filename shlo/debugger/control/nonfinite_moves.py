"""Moves to where NaN and infinities are made."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from shlo.debugger.control.breakpoints import Breakpoints, nonfinite_of
from shlo.debugger.control.stepping import Stepping
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.run import SessionRun
from shlo.debugger.inspect.snapshots import Reason, Snapshot
from shlo.debugger.replay.nonfinite import NonfiniteArgument
from shlo.runner.errors import RequestError


class NonfiniteMoves:
    """Goes to numbers that are not finite, out of range, or objected to; `what` is a key of NONFINITE."""

    def __init__(self, run: SessionRun, breakpoints: Breakpoints, stepping: Stepping) -> None:
        self._cursor = run.cursor
        self._breakpoints = breakpoints
        self._stepping = stepping

    def arguments(self, what: str = "any") -> tuple[NonfiniteArgument, ...]:
        """Returns the arguments that hold a NaN or infinity from the start, of all processes."""
        kinds = nonfinite_of(what)
        return tuple(argument for argument in self._cursor.nonfinite_arguments if argument.kinds & kinds)

    def run_to(self, what: str = "any") -> Snapshot:
        """Goes on to behind the next step that makes a NaN or infinity, or to a breakpoint. Stays where no
        step does from here to the end.

        At the start, it first stays where the arguments hold some (see `arguments`).
        """
        stepping = self._stepping
        with self._breakpoint(what):
            if self._cursor.position == 0 and stepping.reason != "arguments" and self.arguments(what):
                return stepping.go(lambda: self._at_arguments(what))
            return stepping.go(lambda: stepping.search(stepping.to_breakpoint))

    def reverse_to(self, what: str = "any") -> Snapshot:
        """Goes back to behind the step before that made a NaN or infinity, or to a breakpoint, or to the
        start where the arguments hold some; stays where there is neither.
        """
        stepping = self._stepping

        def move() -> Reason:
            reason = stepping.search(lambda: stepping.backwards(lambda at: None))
            is_start = reason == "breakpoint" and self._cursor.position == 0
            return self._at_arguments(what) if is_start and self.arguments(what) else reason

        with self._breakpoint(what):
            return stepping.go(move)

    def sanitize(self, names: str = "") -> None:
        """Sets what the sanitizer looks for, as `shlo run --sanitize=` takes it; a breakpoint on "finding"
        has it look. Raises DebuggerError for an unknown name.
        """
        from shlo.sanitizer.selection import Selection

        try:
            self._cursor.search.selection = Selection.of(names)
        except RequestError as error:
            raise DebuggerError(f"{error}; {error.hint}") from None
        self._cursor.history.search_anew()

    def _at_arguments(self, what: str) -> Reason:
        """Selects a process whose arguments hold numbers that are not finite."""
        processes = [argument.process for argument in self.arguments(what)]
        if self._cursor.selected not in processes:
            self._cursor.selected = processes[0]
        return "arguments"

    @contextmanager
    def _breakpoint(self, what: str) -> Generator[None]:
        """Has a breakpoint on NaN or infinities for as long as it is open."""
        before = {point.number: point for point in self._breakpoints}
        number = self._breakpoints.on_nonfinite(what).number
        try:
            yield
        finally:
            if number in before:
                self._breakpoints.enable(number, before[number].enabled)
            else:
                self._breakpoints.remove(number)
