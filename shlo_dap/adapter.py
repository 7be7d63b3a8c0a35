"""The adapter: one thread reads requests, another one owns the session and answers them in their order."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable
from time import monotonic
from typing import Final

from shlo.debugger.adapter.clients.connection import Connection, Job
from shlo.debugger.adapter.clients.transport import Message, TransportError
from shlo.support.framing import ByteReader
from shlo_dap.launch import Launcher
from shlo_dap.relay import Relay

PATIENCE_S: Final = 10.0
"""How long the end of a session may take once its client is gone."""

POLL_S: Final = 0.05


class Adapter:
    """A debug adapter for one client, which has to bring the `token` if there is one; `send` gets the
    messages to it, from any thread.
    """

    def __init__(self, source: ByteReader, send: Callable[[Message], None], token: str = "") -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._launcher = Launcher()
        self._connection = Connection(source, send, self._launcher.requests, self._jobs.put, token)
        self._relay = Relay(send, self._connection.conversation)

    def serve(self) -> int:
        """Serves the client until it disconnects or is gone; returns the exit code."""
        worker = threading.Thread(target=self._work, name="session", daemon=True)
        worker.start()
        code = 0
        try:
            self._connection.serve(self._relay.take)
        except TransportError as error:
            print(f"shlo dap: {error}", file=sys.stderr, flush=True)
            code = 2
        self._relay.close()
        self._jobs.put(None)
        self._wait_for(worker)
        return code

    def _wait_for(self, worker: threading.Thread) -> None:
        """Waits until the session has ended its recording and what it started; not for a program that is
        read, of which nothing is left.
        """
        patience = monotonic() + PATIENCE_S
        while worker.is_alive() and not self._launcher.is_reading and monotonic() < patience:
            worker.join(POLL_S)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()
        self._launcher.close(self._connection.debuggee)
