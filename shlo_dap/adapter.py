"""The adapter: one thread reads requests, another one owns the session and answers them in their order."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable

from shlo.debugger.adapter.clients.connection import Connection, Job
from shlo.debugger.adapter.clients.transport import Message, Reader, TransportError
from shlo_dap.launch import Launcher
from shlo_dap.relay import Relay


class Adapter:
    """A debug adapter for one client; `send` gets the messages to it, from any thread."""

    def __init__(self, source: Reader, send: Callable[[Message], None]) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._launcher = Launcher()
        self._connection = Connection(source, send, self._launcher.requests, self._jobs.put)
        self._relay = Relay(send, self._connection.conversation)

    def serve(self) -> int:
        """Serves the client until it disconnects or is gone; returns the exit code."""
        worker = threading.Thread(target=self._work, name="session", daemon=True)
        worker.start()
        code = 0
        try:
            self._connection.serve(self._relay.take)
        except TransportError as error:
            print(f"shlo dap: {error}", file=sys.stderr)
            code = 2
        self._relay.close()
        self._jobs.put(None)
        worker.join(10)
        return code

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        self._launcher.close(self._connection.debuggee)
