"""A small client of the Debug Adapter Protocol, to an adapter in a thread of its own or in a process."""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args, get_type_hints, is_typeddict

from docs.dap_messages import BODIES, EVENTS
from shlo.debugger.adapter.clients.transport import Writer
from shlo.debugger.adapter.validation import check
from shlo_dap.adapter import Adapter

Message = dict[str, Any]
PATIENCE = 60
"""Seconds that an answer may take."""


class Failure(Exception):
    """A request that the adapter refused."""


class Client:
    """A session with an adapter. Every message that it sends is held against the protocol's types. `events` are
    those that were not waited for yet.
    """

    def __init__(
        self,
        in_process: bool = False,
        environment: Mapping[str, str] | None = None,
        address: tuple[str, int] | None = None,
    ) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.socket: socket.socket | None = None
        self.code: int | None = None
        if in_process:
            command = [sys.executable, "-m", "shlo", "dap"]
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
            assert self.process.stdin is not None
            assert self.process.stdout is not None
            self.input, self.output = self.process.stdin, self.process.stdout
        elif address is not None:
            self.socket = socket.create_connection(address)
            self.input, self.output = self.socket.makefile("wb"), self.socket.makefile("rb")
        else:
            (read, mine), (its, write) = os.pipe(), os.pipe()
            self.input, self.output = os.fdopen(mine, "wb"), os.fdopen(its, "rb")
            self._serving = threading.Thread(target=self._serve, args=(read, write), daemon=True)
            self._serving.start()
        self._number = 0
        self.answers: queue.Queue[Message] = queue.Queue()
        self.events: queue.Queue[Message] = queue.Queue()
        self.faults: list[str] = []
        self._reading = threading.Thread(target=self._read, daemon=True)
        self._reading.start()

    def _serve(self, read: int, write: int) -> None:
        with os.fdopen(read, "rb", buffering=0) as source, os.fdopen(write, "wb") as output:
            self.code = Adapter(source, Writer(output).send).serve()

    def _read(self) -> None:
        stream = self.output
        while header := stream.readline():
            length = int(header.split(b":")[1])
            assert stream.readline() == b"\r\n"
            message = json.loads(stream.read(length))
            is_event = message["type"] == "event"
            name = message["event" if is_event else "command"]
            type_ = EVENTS[name] if is_event else BODIES.get(name) if message["success"] else BODIES["error"]
            if type_ is not None:
                self._hold(name, message["body"], type_)
            (self.events if is_event else self.answers).put(message)

    def _hold(self, name: str, body: Any, type_: Any) -> None:
        try:
            check(body, type_)
        except Exception as error:
            self.faults.append(f"{name}: {error}")
        self.faults += [f"{name}: {key} is no key of the protocol" for key in unknown_keys(body, type_)]

    def send(self, command: str, **arguments: Any) -> int:
        """Sends a request, without waiting for the answer; returns its number."""
        return self.send_with(command, arguments)

    def send_with(self, command: str, arguments: Any) -> int:
        """Sends a request with arguments of any kind."""
        self._number += 1
        message = {"seq": self._number, "type": "request", "command": command, "arguments": arguments}
        self.raw(json.dumps(message).encode())
        return self._number

    def raw(self, data: bytes) -> None:
        """Sends bytes as the content of a message."""
        self.input.write(b"Content-Length: %d\r\n\r\n%s" % (len(data), data))
        self.input.flush()

    def answer(self) -> Message:
        """Returns the next answer."""
        return self.answers.get(timeout=PATIENCE)

    def request(self, command: str, **arguments: Any) -> Message:
        """Returns the body of the answer to a request; raises Failure."""
        number = self.send(command, **arguments)
        answer = self.answer()
        assert (answer["request_seq"], answer["command"]) == (number, command)
        if not answer["success"]:
            raise Failure(answer["message"])
        return answer["body"]

    def event(self, name: str) -> Message:
        """Returns the body of the next event of a name; those before it are dropped."""
        while True:
            event = self.events.get(timeout=PATIENCE)
            if event["event"] == name:
                return event["body"]

    def initialize(self, **client: Any) -> Message:
        """Says what the client can do; returns what the adapter can."""
        self.capabilities = self.request("initialize", adapterID="shlo", **client)
        return self.capabilities

    def launch(
        self,
        program: Path,
        *arguments: str,
        lines: Any = (),
        filters: Any = ("failure", "deadlock"),
        **more: Any,
    ) -> Message:
        """Starts a program with breakpoints; returns where it stopped first."""
        self.initialize()
        self.request("launch", program=str(program), args=list(arguments), **more)
        self.event("initialized")
        self.request("setBreakpoints", source={"path": str(program)}, breakpoints=list(lines))
        self.request("setExceptionBreakpoints", filters=list(filters))
        self.request("configurationDone")
        return self.event("stopped")

    def move(self, command: str, **arguments: Any) -> Message:
        """Makes a move; returns where it led."""
        self.request(command, **{"threadId": 1, **arguments})
        return self.event("stopped")

    def frames(self, thread: int = 1) -> list[Message]:
        """Returns the frames of a thread."""
        return self.request("stackTrace", threadId=thread)["stackFrames"]

    def place(self, thread: int = 1) -> tuple[str, int]:
        """Returns the innermost frame's name and line."""
        frame = self.frames(thread)[0]
        return frame["name"], frame["line"]

    def scope(self, name: str, frame: int = 0) -> int:
        """Returns the reference of the variables of a scope of a frame."""
        scopes = self.request("scopes", frameId=self.frames()[frame]["id"])["scopes"]
        return next(each["variablesReference"] for each in scopes if each["name"] == name)

    def variables(self, reference: int, **some: Any) -> dict[str, Message]:
        """Returns variables by name."""
        found = self.request("variables", variablesReference=reference, **some)["variables"]
        return {each["name"]: each for each in found}

    def evaluate(self, expression: str, context: str = "watch", **more: Any) -> str:
        """Returns what an expression is."""
        return self.request("evaluate", expression=expression, context=context, **more)["result"]

    def close(self) -> None:
        """Ends the adapter, whatever it does; no message of it was out of order."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)
            self.socket.close()
        with suppress(OSError):
            self.input.close()
        self._reading.join(PATIENCE)
        self.output.close()
        assert not self.faults


def unknown_keys(value: Any, type_: Any) -> list[str]:
    """Returns the keys of objects that their types do not have."""
    if is_typeddict(type_) and isinstance(value, Mapping):
        hints = get_type_hints(type_)
        own = [key for key in value if key not in hints]
        return own + [
            key for name, each in value.items() if name in hints for key in unknown_keys(each, hints[name])
        ]
    if isinstance(value, list) and get_args(type_):
        return [key for each in value for key in unknown_keys(each, get_args(type_)[0])]
    return []
