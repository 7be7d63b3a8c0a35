"""Launch of a front end of the debugger: texts of programs, the shape of their grid, what starts a
session.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct, field

from shlo.debugger.recording.recorder import Recorder
from shlo.debugger.session import Session
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.source import Source

Stop = Callable[[], bool] | None
StartSession = Callable[[Stop], Session]


class Launch(Struct):
    """What is debugged: the text of each process's program, the shape of the grid, and what starts a session.
    `notes` are what to tell first, `grid_text` says where the grid is from; `close` ends the recording.
    """

    sources: tuple[Source, ...]
    _start: StartSession
    record: Callable[[Session], Recorder] | None = None
    shape: GridShape = field(default_factory=GridShape)
    notes: Sequence[str] = ()
    grid_text: str = ""
    _recorders: list[Recorder] = field(default_factory=list[Recorder])
    source_roots: Sequence[str] = ()
    """Folders whose Python files may be shown, beside the working folder."""
    python_texts: Mapping[str, str] = {}
    """The lines of Python files that came with the program."""
    at: int | None = None
    """The position at which the session begins; None for that of the program's start, or recording's end."""
    sanitize: str | None = None
    """What the sanitizer looks for, whose findings the session stops at; None for no sanitizer."""
    shadow: bool = False
    """Whether values are shown beside those of the same program in float64."""

    def follow_shadow(self, precision: str) -> None:
        """Has the session show values beside those of the same program in another type; raises RequestError
        for one that is not f64, and for a grid.
        """
        from shlo.shadow.run import check_precision, refuse_grid

        check_precision(precision)
        if self.shape.size > 1:
            raise refuse_grid()
        self.shadow = True

    @property
    def source(self) -> Source:
        """The text of the first process's program."""
        return self.sources[0]

    def start(self, stop: Stop = None) -> Session:
        """Returns the session; `stop` tells it when to stop. Raises ExecutionError and DebuggerError."""
        session = self._start(stop)
        session.structure.python.add_texts(self.python_texts)
        for folder in reversed(self.source_roots):
            session.structure.python.add_folder(folder)
        if self.sanitize is not None:
            session.nonfinite.sanitize(self.sanitize)
            session.breakpoints.on_nonfinite("finding")
        if self.shadow:
            session.shadow.show()
        if self.record is not None:
            self._recorders.append(self.record(session))
        if self.at is not None:
            session.goto(self.at)
            with suppress(ExecutionError):  # no process can go on, which the screen says
                session.select_process(session.cursor.grid.next_process or 0)
        return session

    def source_of(self, location: str | None) -> Source:
        """Returns the text of the program that a place is in."""
        name = (location or "").rstrip(":").rsplit(":", 2)[0]
        return next((source for source in self.sources if source.name == name), self.source)

    def close(self) -> str | None:
        """Ends the recording; says what went wrong with it."""
        for recorder in self._recorders:
            recorder.close()
            return recorder.error
        return None
