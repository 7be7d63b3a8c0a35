"""Relay: a client that attaches to a debugger which runs already speaks with that one."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from typing import Any, Final, cast

from shlo.debugger.adapter.clients.listener import AttachedClient, loopback_address
from shlo.debugger.adapter.clients.shared import AttachArguments
from shlo.debugger.adapter.clients.tokens import kept_token
from shlo.debugger.adapter.clients.transport import Message, TransportError, messages
from shlo.debugger.adapter.conversation import Conversation
from shlo.debugger.adapter.validation import check
from shlo.debugger.errors import DebuggerError
from shlo.runner.errors import RequestError

PATIENCE_S: Final = 10.0
"""How long connecting, and the last answer, may take."""


class Relay:
    """What a client sends once it attaches, and what it is answered. `take` is called by the thread that
    reads its requests.
    """

    def __init__(self, send: Callable[[Message], None], conversation: Conversation) -> None:
        self._send = send
        self._conversation = conversation
        self._greeting: Message | None = None
        self._debugger: AttachedClient | None = None
        self._reading: threading.Thread | None = None
        self._has_ended = False

    def take(self, message: Message) -> bool:
        """Passes a request on to the debugger that the client is attached to; returns whether it did."""
        command = message.get("command")
        if self._debugger is not None:
            self._debugger.send(message)
            return True
        if command == "initialize":
            self._greeting = message
        if command != "attach" or self._conversation.debuggee.is_open:
            return False
        try:
            self._attach(message)
        except (DebuggerError, RequestError) as error:
            self._conversation.refuse(message, error.with_hint)
        return True

    def _attach(self, message: Message) -> None:
        """Connects to the debugger that the client names; raises DebuggerError and RequestError."""
        options: Any = message.get("arguments") or {}
        check(options, AttachArguments)
        arguments = cast(AttachArguments, options)
        if "port" not in arguments:
            raise DebuggerError("expected port, got none: `shlo debug --listen` says which it is")
        host = arguments.get("host", "127.0.0.1")
        address = loopback_address(f"{host}:{arguments['port']}")
        try:
            connected = socket.create_connection(address, PATIENCE_S)
        except OSError as error:
            raise DebuggerError(
                f"no debugger listens on {host}:{address[1]}: {error.strerror or error}"
            ) from None
        connected.settimeout(None)
        self._debugger = AttachedClient(connected)
        bring = {"token": kept_token(address[1]), **options}
        for outgoing in (self._greeting, {**message, "arguments": bring}):
            if outgoing is not None:
                self._debugger.send(outgoing)
        self._reading = threading.Thread(target=self._read, name="debugger", daemon=True)
        self._reading.start()

    def _read(self) -> None:
        """Passes on what the debugger sends, but its answer to a greeting that was answered."""
        assert self._debugger is not None
        try:
            for message in messages(self._debugger.source):
                if (message.get("type"), message.get("command")) != ("response", "initialize"):
                    self._pass_on(message)
        except (TransportError, OSError):
            pass  # it is gone
        if not self._has_ended:
            self._send({"type": "event", "event": "terminated", "body": {}})

    def _pass_on(self, message: Message) -> None:
        self._has_ended = self._has_ended or message.get("event") == "terminated"
        rest: dict[str, Any] = {name: member for name, member in message.items() if name != "seq"}
        self._send(rest)

    def close(self) -> None:
        """Ends the connection, once the debugger has answered what it was sent."""
        if self._debugger is not None and self._reading is not None:
            self._has_ended = True
            self._debugger.end()
            self._reading.join(PATIENCE_S)
            self._debugger.close()
