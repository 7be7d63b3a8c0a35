"""Conversation: the requests of one client about one session, answered in their order."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any, Final

from shlo.debugger.adapter.debuggee import Client, Debuggee, EventName
from shlo.debugger.adapter.handles import StaleError
from shlo.debugger.adapter.protocol import ARGUMENTS, Capabilities, InitializeRequestArguments
from shlo.debugger.adapter.requests import REQUESTS, Request
from shlo.debugger.adapter.validation import check
from shlo.debugger.adapter.views import VIEWS
from shlo.debugger.errors import DebuggerError
from shlo.ir.diagnostics import ExecutionError, ShloError
from shlo.runner.errors import RequestError

Message = dict[str, Any]

ENDING: Final = ("terminate", "disconnect")
"""Requests that are answered once the session has ended."""


class Conversation:
    """The requests of one client, answered by the thread that owns the session. `send` gets every message to
    the client, without its number; it may be called by any thread. `requests` are those of the front
    end beside REQUESTS, or in their place.
    """

    def __init__(
        self, send: Callable[[Message], None], requests: Mapping[str, Request] | None = None
    ) -> None:
        self._send = send
        self.requests: Final[Mapping[str, Request]] = {
            "initialize": Request(self._initialize),
            **REQUESTS,
            **VIEWS,
            **(requests or {}),
        }
        self.debuggee = Debuggee(self.event)

    def event(self, name: EventName, body: Mapping[str, Any]) -> None:
        """Tells the client what happened."""
        self._send({"type": "event", "event": name, "body": body})

    def respond(self, message: Message, body: Any = None) -> None:
        """Answers a request."""
        self._send({**_response(message), "success": True, "body": body or {}})

    def refuse(self, message: Message, text: str, is_shown: bool = True) -> None:
        """Answers that a request is not carried out, and why; people are shown that unless it says."""
        error = {"id": 1, "format": "{text}", "variables": {"text": text}, "showUser": is_shown}
        self._send({**_response(message), "success": False, "message": text, "body": {"error": error}})

    def answer(self, message: Message) -> None:
        """Answers a request, and does what is to be done then."""
        try:
            then = self._answer(message)
        except Exception as error:
            traceback.print_exc()
            return self.refuse(message, f"internal error: {error!r}")
        try:
            if then is not None:
                then()
        except Exception as error:  # the request has its answer
            traceback.print_exc()
            self.debuggee.tell_failure(f"internal error: {error!r}")

    def _answer(self, message: Message) -> Callable[[], None] | None:
        """Answers a request; returns what is to be done then."""
        debuggee, name = self.debuggee, message.get("command")
        request = self.requests.get(name) if isinstance(name, str) else None
        if request is None:
            return self.refuse(message, f"the request {name!r} is none of this adapter's")
        if debuggee.is_cancelled:
            return self.refuse(message, "cancelled", is_shown=False)
        if debuggee.has_ended and name not in ENDING:
            return self.refuse(message, "the session has ended", is_shown=False)
        debuggee.then = None
        try:
            arguments = message.get("arguments")
            request_body: Any = {} if arguments is None else arguments
            check(request_body, request.arguments or ARGUMENTS.get(str(name), Any))
            body = request.answer(debuggee, request_body)
        except (DebuggerError, RequestError, ExecutionError, ShloError) as error:
            text = "cancelled" if debuggee.is_cancelled else error.with_hint
            is_quiet = request.is_quiet or debuggee.is_cancelled or isinstance(error, StaleError)
            return self.refuse(message, text, not is_quiet)
        self.respond(message, body)
        return debuggee.then

    def _initialize(self, debuggee: Debuggee, arguments: InitializeRequestArguments) -> Capabilities:
        """Returns what the front end can do."""
        debuggee.client = Client.of(arguments)
        return capabilities_of(self.requests)


def capabilities_of(requests: Mapping[str, Request]) -> Capabilities:
    """Returns the capabilities that requests bring."""
    capabilities = Capabilities()
    for request in requests.values():
        capabilities.update(request.capabilities)
    return capabilities


def _response(message: Message) -> Message:
    return {"type": "response", "request_seq": message.get("seq", 0), "command": message.get("command", "")}
