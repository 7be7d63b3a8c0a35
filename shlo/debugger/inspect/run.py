"""What all parts of a session share: the cursor, the programs, the options, and that one command runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Final

from shlo.debugger.errors import DebuggerError, program_is_done
from shlo.debugger.inspect.listing import Listing
from shlo.debugger.replay.cursor import ReplayCursor
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import program_of
from shlo.ir.operations import Module
from shlo.places.names import PythonNames, python_names
from shlo.runner.python_source import PythonSources
from shlo.support.cancellation import Cancellation, Cancelled

Stop = threading.Event | Callable[[], bool]


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


class SessionRun:
    """A run of one program in each process, under a cursor. The thread that owns the session uses it."""

    def __init__(
        self, modules: Sequence[Module], options: RunOptions, cursor: ReplayCursor, stop: Stop
    ) -> None:
        self.modules = modules
        self.options = options
        self.cursor = cursor
        self.requests = StopRequests(stop)
        self._busy = threading.Lock()
        self._selected_frame: int | None = None
        self._listings: dict[int, Listing] = {}
        self._python_names: dict[tuple[int, tuple[str, ...]], PythonNames] = {}
        self.python: Final = PythonSources(["."])
        """Texts of Python files below the working folder, and below those that are added."""

    @property
    def in_grid(self) -> bool:
        """Whether there are several processes."""
        return not self.cursor.grid.is_alone

    @property
    def module(self) -> Module:
        """The program of the selected process."""
        return self.module_of(self.cursor.selected)

    def module_of(self, process: int) -> Module:
        """Returns the program of a process."""
        return self.modules[process % len(self.modules)]

    @property
    def entry(self) -> str:
        """The function that the selected process started with."""
        entries = self.options.entries
        return entries[self.cursor.selected % len(entries)]

    @property
    def listing(self) -> Listing:
        """The lines, names and operations of the selected process's program."""
        return self.listing_of(self.module)

    def listing_of(self, module: Module) -> Listing:
        """Returns the lines, names and operations of one of the programs."""
        listing = self._listings.get(id(module))
        if listing is None:
            program = program_of(module, self.options.semantics)
            listing = self._listings[id(module)] = Listing(program, self.in_grid)
        return listing

    @property
    def python_names(self) -> PythonNames:
        """The names that the Python source gives to values of the selected process's program."""
        key = id(self.module), tuple(self.python.folders)
        if key not in self._python_names:
            self._python_names[key] = python_names(self.module, self.python.lines)
        return self._python_names[key]

    # --- frames and processes ---

    def frame_index(self, frame: int) -> int:
        """Returns the index, from 0, of a frame of the selected process; raises DebuggerError for none."""
        count = len(self.cursor.process.frames)
        if not -count <= frame < count:
            raise (
                DebuggerError(f"there is no frame {frame}; there are {count}") if count else program_is_done()
            )
        return frame % count

    @property
    def selected_frame(self) -> int:
        """The index of the frame to look at, the innermost after every move; -1 when it is done."""
        innermost = len(self.cursor.process.frames) - 1
        return innermost if self._selected_frame is None else self._selected_frame

    def select_frame(self, index: int | None) -> None:
        """Looks at a frame until the next move; None for the innermost. Raises DebuggerError where there is
        none.
        """
        if index is not None and index < 0 and self.cursor.process.frames:
            raise DebuggerError("there is no frame around the outermost")
        self._selected_frame = None if index is None else self.frame_index(index)

    def require_grid(self) -> None:
        """Raises DebuggerError where there is one process."""
        if not self.in_grid:
            raise DebuggerError("there is one process, and no grid: shlo debug --grid 2x4 starts one")

    def check_process(self, number: int) -> None:
        """Raises DebuggerError where there is no process of a number."""
        size = len(self.cursor.grid.processes)
        if not 0 <= number < size:
            self.require_grid()
            raise DebuggerError(f"there is no process {number}; they are numbered from 0 to {size - 1}")

    # --- commands ---

    @contextmanager
    def command(self) -> Generator[None]:
        """Lets one command run at a time, which a request to stop cancels; an interrupt leaves the session
        between two steps.
        """
        if not self._busy.acquire(blocking=False):
            raise DebuggerError("the session is busy with another command")
        try:
            with self.requests.active():
                yield
        except DebuggerError:
            raise
        except Cancelled:
            raise DebuggerError("stopped on request") from None
        except BaseException:
            self.cursor.repair()
            raise
        finally:
            self.requests.clear()
            self._busy.release()
