"""The thread that owns a Session: commands go in, immutable answers come out.

Commands are carried out in their order. Queries ask for something to show; a newer one on the same topic
replaces one that waits, and a command makes all that wait pointless, as what they ask about is past.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any, Final

from msgspec import Struct

from shlo.debugger import Session
from shlo.debugger.adapter.clients.shared import SharedSession
from shlo.ir.diagnostics import ShloError
from shlo_tui.session.view_model import ViewModel, view_model_of

Start = Callable[[Callable[[], bool]], Session]
"""Makes the session; gets the function that tells whether to stop."""

Command = Callable[[Session], str]
"""Does something to the session and says so in words (or in none)."""

Query = Callable[[Session], Any]
"""Asks the session for something, and gives immutable data."""

MOST_WAITING: Final = 200
"""Commands that wait at most, such as those of a key that is held down; more are left out."""


PATIENCE: Final = 1.0
"""Seconds that closing waits for an operation to end."""


class Arrived(Struct, frozen=True):
    """Commands were carried out: where the session is now, what the last one said, whether it failed."""

    model: ViewModel
    text: str = ""
    failed: bool = False


class Answered(Struct, frozen=True):
    """The answer to a query."""

    topic: str
    answer: Any


class ProgramRefused(Struct, frozen=True):
    """The session could not be started."""

    error: ShloError


class Crashed(Struct, frozen=True):
    """The thread has ended by an internal error."""

    error: BaseException


class Ended(Struct, frozen=True):
    """A client that is attached has ended the program."""


class Warned(Struct, frozen=True):
    """What the user has to know of a client that was refused."""

    text: str


Report = Arrived | Answered | ProgramRefused | Crashed | Ended | Warned


class _Job(Struct, frozen=True):
    """What a client that is attached has asked for."""

    run: Callable[[Session], None]


class Worker:
    """Starts a session in a thread of its own and serves it; `report` is called in that thread. `share` lets
    clients attach to the session, of which this is the owner.
    """

    def __init__(self, start: Start, report: Callable[[Report], object], share: Share | None = None) -> None:
        self._start, self._report = start, report
        self._shared = None if share is None else share(self)
        self._commands: deque[Command | _Job] = deque()
        self._queries: dict[str, Query] = {}
        self._wake = threading.Condition()
        self._stop_requested = self._closed = False
        self._working = self._commanded = True
        self.steps = 0
        self._thread = threading.Thread(target=self._run, name="shlo session", daemon=True)
        self._thread.start()

    @property
    def is_busy(self) -> bool:
        """Whether something is being done or waits."""
        return self._working or bool(self._commands or self._queries)

    @property
    def is_commanded(self) -> bool:
        """Whether a command is being carried out or waits, or the session is being started."""
        return self._commanded or bool(self._commands)

    def command(self, command: Command) -> None:
        """Has a command carried out, after those that wait."""
        with self._wake:
            self._queries.clear()
            if len(self._commands) < MOST_WAITING:
                self._commands.append(command)
            self._wake.notify()

    def submit(self, job: Callable[[Session], None]) -> None:
        """Has what a client asks for carried out, after the commands that wait."""
        with self._wake:
            self._commands.append(_Job(job))
            self._wake.notify()

    def show(self, session: Session) -> None:
        """Shows what a client has changed; called in the thread."""
        self._report(Arrived(view_model_of(session)))

    def end(self) -> None:
        """Says that a client has ended the program; called in the thread."""
        self._report(Ended())

    def warn(self, text: str) -> None:
        """Tells of a client that was refused; called in its thread."""
        self._report(Warned(text))

    def query(self, topic: str, query: Query) -> None:
        """Has something looked up; in place of an earlier query on the topic that waits."""
        with self._wake:
            self._queries.pop(topic, None)
            self._queries[topic] = query
            self._wake.notify()

    def stop(self) -> None:
        """Ends the command that runs between two operations, and forgets those that wait, but for what
        clients have asked for.
        """
        with self._wake:
            self._commands = deque(command for command in self._commands if isinstance(command, _Job))
            self._queries.clear()
            self._stop_requested = True

    def close(self) -> None:
        """Ends the thread after the operation that runs; does not wait long for that."""
        self.stop()
        with self._wake:
            self._closed = True
            self._wake.notify()
        if self._shared is not None:
            self._shared.close()
        self._thread.join(PATIENCE)

    # --- in the thread ---

    def _run(self) -> None:
        try:
            session = self._start(self._should_stop)
            self._report(Arrived(view_model_of(session)))
            if self._shared is not None:
                self._shared.start()
            while (job := self._next()) is not None:
                job(session)
        except ShloError as error:
            self._report(ProgramRefused(error))
        except BaseException as error:
            self._report(Crashed(error))
        finally:
            self._working = self._commanded = False

    def _next(self) -> Callable[[Session], None] | None:
        """Waits for the next command or query; returns None when the thread is to end."""
        with self._wake:
            self._working = self._commanded = False
            while not (self._commands or self._queries or self._closed):
                self._wake.wait()
            self._working = True
            self._stop_requested = False
            if self._closed:
                return None
            if self._commands:
                self._commanded = True
                command = self._commands.popleft()
                return command.run if isinstance(command, _Job) else partial(self._carry_out, command)
            topic = next(iter(self._queries))
            return partial(self._answer, topic, self._queries.pop(topic))

    def _carry_out(self, command: Command, session: Session) -> None:
        self.steps = 0
        commanded = nullcontext() if self._shared is None else self._shared.commanded(session)
        try:
            with commanded:
                text, failed = command(session), False
        except ShloError as error:
            text, failed = str(error), True
        if failed or not self._commands:
            self._report(Arrived(view_model_of(session), text, failed))

    def _answer(self, topic: str, query: Query, session: Session) -> None:
        try:
            answer = query(session)
        except ShloError:
            return  # what was asked about is not there any more
        self._report(Answered(topic, answer))

    def _should_stop(self) -> bool:
        self.steps += 1
        return self._stop_requested or (self._shared is not None and self._shared.should_stop())


Share = Callable[[Worker], SharedSession]
"""Lets clients attach to the session of a thread."""
