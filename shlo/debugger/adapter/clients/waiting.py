"""Session without a front end of its own: a thread that does what clients ask for."""

from __future__ import annotations

import sys
from collections.abc import Callable
from queue import SimpleQueue

from shlo.debugger.adapter.clients.listener import Listener
from shlo.debugger.adapter.clients.shared import SharedSession
from shlo.debugger.launch import Launch
from shlo.debugger.session import Session


class _Waiting:
    """The thread that has called `serve_clients`."""

    def __init__(self) -> None:
        self.jobs: SimpleQueue[Callable[[Session], None] | None] = SimpleQueue()

    def submit(self, job: Callable[[Session], None]) -> None:
        self.jobs.put(job)

    def stop(self) -> None:
        """Runs nothing of its own."""

    def show(self, session: Session) -> None:
        """Shows nothing."""

    def end(self) -> None:
        self.jobs.put(None)

    def warn(self, text: str) -> None:
        print(f"shlo.debug: {text}", file=sys.stderr, flush=True)


def serve_clients(launch: Launch, address: str) -> None:
    """Waits for clients of the debug adapter protocol at a port of the loopback interface, which is said on
    standard error, and carries out what they ask for, until one terminates the program. A client that
    disconnects leaves the session where it is.

    Raises RequestError where the port cannot be taken.
    """
    listener = Listener(address)
    waiting = _Waiting()
    shared = SharedSession(launch.sources, listener, waiting)
    try:
        session = launch.start(shared.should_stop)
        print(f"shlo.debug: {listener.greeting}", file=sys.stderr, flush=True)
        shared.start()
        while (job := waiting.jobs.get()) is not None:
            job(session)
    finally:
        shared.close()
        launch.close()
