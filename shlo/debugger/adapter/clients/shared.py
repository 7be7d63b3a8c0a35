"""Session that clients attach to: one front end's thread owns it, what any of them does all are told."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, NamedTuple, Protocol, TypedDict, cast

from shlo.debugger.adapter import breakpoints
from shlo.debugger.adapter.clients.connection import READ, Connection
from shlo.debugger.adapter.clients.listener import AttachedClient, Listener
from shlo.debugger.adapter.clients.transport import Message, TransportError
from shlo.debugger.adapter.debuggee import Debuggee, program_text
from shlo.debugger.adapter.protocol import DisconnectArguments, Empty
from shlo.debugger.adapter.requests import Request
from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.session import Session
from shlo.ir.source import Source

PATIENCE_S: Final = 0.3
"""After how long a command that one runs is shown to the others as running."""


class AttachArguments(TypedDict, total=False):
    """What a client attaches to: a port of the loopback interface and the token of who listens there."""

    host: str
    port: int
    token: str
    stopOnEntry: bool


class SessionOwner(Protocol):
    """A front end whose thread owns a session."""

    def submit(self, job: Callable[[Session], None]) -> None:
        """Has a job carried out by the thread, after what waits for it."""
        ...

    def stop(self) -> None:
        """Ends the command that the front end runs itself; from any thread."""
        ...

    def show(self, session: Session) -> None:
        """Shows what a client has changed; by the thread."""
        ...

    def end(self) -> None:
        """Ends the front end, as a client has asked for."""
        ...

    def warn(self, text: str) -> None:
        """Tells the user of a client that was refused; from any thread."""
        ...


class _State(NamedTuple):
    """What others are told of when it has changed."""

    position: int
    future: str
    place: tuple[int, int]
    breakpoints: Sequence[Breakpoint]
    watches: int

    @classmethod
    def of(cls, session: Session) -> _State:
        selection = session.cursor.selected, session.selected_frame
        future, watches = session.futures.current.name, len(session.watches)
        return cls(session.position, future, selection, tuple(session.breakpoints), watches)

    def is_at_another(self, before: _State) -> bool:
        return self[:2] != before[:2]


class SharedSession:
    """A session that a front end owns, on a port to which clients attach. `should_stop` is to be asked by its
    commands, and `commanded` to be open around those of the front end itself.
    """

    def __init__(self, sources: Sequence[Source], listener: Listener, owner: SessionOwner) -> None:
        self._sources = sources
        self._listener = listener
        self._owner = owner
        self._attached: dict[Connection, None] = {}
        self._running: Connection | None = None
        self._shown_at = float("inf")
        """When the others are to be told that a command runs."""

    def start(self) -> None:
        """Accepts clients from now on."""
        self._listener.start(self._serve)

    def close(self) -> None:
        """Tells the clients that the session is over, and takes no more."""
        self._finish()
        self._listener.close()

    def _end(self) -> None:
        """Ends the session, as a client has asked for."""
        self._finish()
        self._owner.end()

    def _finish(self) -> None:
        for connection in list(self._attached):
            connection.debuggee.finish()

    # --- the thread that owns the session ---

    def should_stop(self) -> bool:
        """Returns whether the command that a client runs is to end."""
        if time.monotonic() >= self._shown_at:
            self._shown_at = float("inf")
            for connection in self._others(self._running):
                _tell_running(connection)
        return self._running is not None and self._running.debuggee.should_stop()

    @contextmanager
    def commanded(self, session: Session, by: Connection | None = None) -> Generator[None]:
        """Tells everybody but the one by whom it is what a command has changed."""
        before = _State.of(session)
        self._running, self._shown_at = by, time.monotonic() + PATIENCE_S
        try:
            yield
        finally:
            was_shown = self._shown_at == float("inf")
            self._running, self._shown_at = None, float("inf")
            now = _State.of(session)
            if now != before or was_shown:
                self._tell(session, now.is_at_another(before) or was_shown, was_shown, by)

    def _tell(self, session: Session, is_at_another: bool, was_shown: bool, by: Connection | None) -> None:
        for connection in self._others(by):
            if is_at_another:
                if not was_shown:
                    _tell_running(connection)
                connection.debuggee.tell(session.snapshot)
            else:
                connection.debuggee.invalidate()
        if by is not None:
            self._owner.show(session)

    def _others(self, by: Connection | None) -> list[Connection]:
        return [connection for connection in list(self._attached) if connection is not by]

    # --- threads of clients ---

    def _serve(self, client: AttachedClient) -> None:
        """Serves one client until it disconnects or is gone."""
        connection = _Attached(client, self)
        try:
            connection.serve()
        except TransportError as error:
            self._owner.warn(f"refused a client: {error}")
        finally:
            done = threading.Event()
            self._owner.submit(lambda session: connection.detach(session, done))
            done.wait(2)

    def requests(self, connection: _Attached) -> Mapping[str, Request]:
        """Returns what a client that attaches can ask for beside what every front end answers."""

        def attach(debuggee: Debuggee, arguments: AttachArguments) -> None:
            if debuggee.is_open:
                raise DebuggerError("this client is attached already")
            session = connection.session
            debuggee.stops_on_entry = True  # it is stopped
            texts = [program_text(source.name, source.text) for source in self._sources]
            debuggee.open(session, texts)
            body = {"name": texts[0].path, "isLocalProcess": True, "startMethod": "attach"}
            debuggee.event("process", body)
            debuggee.then = lambda: debuggee.event("initialized", {})

        def configured(debuggee: Debuggee, _: Empty) -> None:
            if not debuggee.is_open:
                raise DebuggerError("expected attach before")
            self._attached[connection] = None
            debuggee.then = debuggee.begin

        def launch(debuggee: Debuggee, _: Any) -> None:
            raise DebuggerError("expected attach, got launch: a program is debugged here")

        def restart(debuggee: Debuggee, _: Any) -> None:
            debuggee.session.restart()
            debuggee.then = debuggee.begin

        def terminate(debuggee: Debuggee, _: Any) -> None:
            debuggee.then = self._end

        def disconnect(debuggee: Debuggee, arguments: DisconnectArguments) -> None:
            if arguments.get("terminateDebuggee", False):
                debuggee.then = self._end

        return {
            "attach": Request(attach, arguments=AttachArguments),
            "configurationDone": Request(configured, {"supportsConfigurationDoneRequest": True}),
            "launch": Request(launch),
            "restart": Request(restart, {"supportsRestartRequest": True}),
            "terminate": Request(terminate, {"supportsTerminateRequest": True}),
            "disconnect": Request(disconnect, {"supportTerminateDebuggee": True}),
            **READ,
        }

    def submit(self, connection: _Attached, job: Callable[[], None]) -> None:
        """Has a client's job carried out by the thread that owns the session."""

        def carry_out(session: Session) -> None:
            connection.session = session
            with self.commanded(session, connection):
                job()

        self._owner.submit(carry_out)

    def stop_others(self, connection: Connection) -> None:
        """Ends the command that another client, or the front end itself, runs."""
        running = self._running
        if running is None:
            self._owner.stop()
        elif running is not connection:
            running.debuggee.stop_before = running.debuggee.number + 1

    def forget(self, connection: Connection) -> None:
        """Tells a client nothing any more."""
        self._attached.pop(connection, None)


class _Attached(Connection):
    """A client that is attached to a shared session, or is about to."""

    session: Session

    def __init__(self, client: AttachedClient, shared: SharedSession) -> None:
        self._shared = shared
        requests = shared.requests(self)
        submit = partial(shared.submit, self)
        super().__init__(client.source, client.send, requests, submit, client.token)

    def pause(self) -> None:
        """Ends what others run in the session."""
        self._shared.stop_others(self)

    def answer(self, message: Message) -> None:
        """Answers a request. What only looks leaves what is selected to the others as it was."""
        session = self.session
        selected, frame, position = session.cursor.selected, session.selected_frame, session.position
        super().answer(message)
        arguments: Any = message.get("arguments")
        is_command = isinstance(arguments, dict) and "repl" in cast("dict[str, Any]", arguments).values()
        if is_command or session.position != position:
            return
        if session.cursor.selected != selected:
            session.select_process(selected)
        if session.selected_frame != frame:
            session.select_frame(frame)

    def detach(self, session: Session, done: threading.Event) -> None:
        """Takes the client's breakpoints away; nothing else changes for the others."""
        self._shared.forget(self)
        try:
            if self.debuggee.is_open:
                with self._shared.commanded(session, self):
                    breakpoints.remove_all(self.debuggee)
        finally:
            done.set()


def _tell_running(connection: Connection) -> None:
    body = {"threadId": connection.debuggee.session.cursor.selected + 1, "allThreadsContinued": True}
    connection.debuggee.event("continued", body)
