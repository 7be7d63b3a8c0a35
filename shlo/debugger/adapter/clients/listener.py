"""Listener: a port of the loopback interface, and a thread for each client that connects to it."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Final

from shlo.debugger.adapter.clients.tokens import forget_token, keep_token, new_token
from shlo.debugger.adapter.clients.transport import Message, Writer
from shlo.runner.errors import RequestError
from shlo.support.framing import ByteReader

MOST_CLIENTS: Final = 16
PATIENCE_S: Final = 2.0
"""How long a client may take to read the last messages."""
MOST_UNSENT: Final = 20_000
"""Messages that wait for a client at most; one that reads none is given up."""


def loopback_address(text: str) -> tuple[str, int]:
    """Returns host and port of `HOST:PORT`, `:PORT` or `PORT`; raises RequestError for what is no port of the
    loopback interface.
    """
    host, _, port = text.rpartition(":")
    host = host.strip("[]") or "127.0.0.1"
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
        number = int(port) if port.isdecimal() else -1
    except ValueError:
        is_loopback, number = False, -1
    if not is_loopback or not 0 <= number < 1 << 16:
        raise RequestError(
            f"expected HOST:PORT of the loopback interface, got {text!r}",
            "127.0.0.1:0 takes any free port; a debugger can run programs, so no other machine may connect",
        )
    return host, number


class AttachedClient:
    """A client that has connected and has to bring `token`: what it sends is read, what it is sent waits
    until it is written.
    """

    def __init__(self, connected: socket.socket, token: str = "") -> None:
        self.token = token
        with suppress(OSError):  # it has ended
            # The event behind an answer is not to wait for the receipt of that, which takes 40 ms.
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = connected
        self.source: ByteReader = connected.makefile("rb", buffering=0)
        self._unsent: SimpleQueue[Message | None] = SimpleQueue()
        self._writing = threading.Thread(target=self._write, name="client", daemon=True)
        self._writing.start()

    def send(self, message: Message) -> None:
        """Has a message written, without waiting for the client."""
        if self._unsent.qsize() > MOST_UNSENT:
            self.cut()
        else:
            self._unsent.put(message)

    def _write(self) -> None:
        with self._socket.makefile("wb") as stream:
            writer = Writer(stream)
            while (message := self._unsent.get()) is not None:
                writer.send(message)

    def cut(self) -> None:
        """Ends the connection at once: its reader is told that there is no more."""
        with suppress(OSError):  # it has ended
            self._socket.shutdown(socket.SHUT_RDWR)

    def end(self) -> None:
        """Sends nothing more, once everything is sent; what the other side sends is read."""
        self._unsent.put(None)
        self._writing.join(PATIENCE_S)
        with suppress(OSError):  # it has ended
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Ends the connection once everything is sent, or the client does not read."""
        self.end()
        self.cut()
        self._socket.close()


class Listener:
    """Clients that connect to a port of the loopback interface, each served in a thread of its own."""

    def __init__(self, address: str) -> None:
        """Takes the port; raises RequestError where that is not possible."""
        host, port = loopback_address(address)
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        try:
            self._socket = socket.create_server((host, port), family=family)
        except OSError as error:
            raise RequestError(f"cannot listen on {address}: {error.strerror or error}") from None
        name = self._socket.getsockname()
        self.address = f"[{name[0]}]:{name[1]}" if ":" in host else f"{name[0]}:{name[1]}"
        """Host and port, the one that was taken where any would do."""
        self.port: int = name[1]
        self.token = new_token()
        """What a client has to bring, and its user alone can read."""
        self.greeting = f"listening on {self.address}, token {self.token}"
        keep_token(self.port, self.token)
        self._clients: set[AttachedClient] = set()
        self._lock = threading.Lock()

    def start(self, serve: Callable[[AttachedClient], None]) -> None:
        """Accepts clients in a thread of its own; see `accept`."""
        threading.Thread(target=self.accept, args=(serve,), name="listener", daemon=True).start()

    def accept(self, serve: Callable[[AttachedClient], None]) -> None:
        """Accepts clients until the listener is closed; `serve` is called with each, in a thread of its own,
        and its connection ends when that returns.
        """
        while True:
            try:
                connected, _ = self._socket.accept()
            except OSError:
                return
            with self._lock:
                is_too_many = len(self._clients) >= MOST_CLIENTS
            if is_too_many:
                connected.close()
                continue
            client = AttachedClient(connected, self.token)
            with self._lock:
                self._clients.add(client)
            threading.Thread(target=self._serve_one, args=(client, serve), daemon=True).start()

    def _serve_one(self, client: AttachedClient, serve: Callable[[AttachedClient], None]) -> None:
        try:
            serve(client)
        finally:
            client.close()
            with self._lock:
                self._clients.discard(client)

    def close(self) -> None:
        """Takes no more clients, and ends the connections of those that there are once all is sent."""
        with suppress(OSError):  # not on every system
            self._socket.shutdown(socket.SHUT_RDWR)  # wakes the thread that accepts
        self._socket.close()
        forget_token(self.port)
        with self._lock:
            clients = list(self._clients)
        for client in clients:
            client.close()
