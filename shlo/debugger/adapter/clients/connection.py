"""Connection: the requests of one client, read in one thread and answered in the one that owns the session.

What ends or stops a command that runs (`pause`, `cancel`, `disconnect`, `terminate`) takes effect at once.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from shlo.debugger.adapter.clients.tokens import take_token
from shlo.debugger.adapter.clients.transport import TransportError, messages
from shlo.debugger.adapter.conversation import Conversation, Message
from shlo.debugger.adapter.debuggee import Debuggee
from shlo.debugger.adapter.protocol import CancelArguments, Empty, PauseArguments
from shlo.debugger.adapter.requests import Request
from shlo.debugger.adapter.validation import check
from shlo.debugger.errors import DebuggerError
from shlo.support.framing import ByteReader

INTERRUPTING: Final = (
    "setBreakpoints",
    "setFunctionBreakpoints",
    "setInstructionBreakpoints",
    "setDataBreakpoints",
    "setExceptionBreakpoints",
)
"""Requests for which a move makes way: breakpoints are set while the program runs."""

Job = Callable[[], None]


def _done(debuggee: Debuggee, _: Empty) -> None:
    """Answers that it is done: the thread that reads requests has done what is to be done."""


READ: Final[Mapping[str, Request]] = {
    "pause": Request(_done),
    "cancel": Request(_done, {"supportsCancelRequest": True}),
}
"""Requests that the thread which reads them carries out."""


class Connection:
    """One client. `send` gets the messages to it, from any thread; `submit` has a job carried out by the
    thread that owns the session, after those that were submitted before. With a `token`, nothing but
    `initialize` is answered until `launch` or `attach` has brought it.
    """

    def __init__(
        self,
        source: ByteReader,
        send: Callable[[Message], None],
        requests: Mapping[str, Request],
        submit: Callable[[Job], None],
        token: str = "",
    ) -> None:
        self._source = source
        self._submit = submit
        self._token = token
        self.conversation = Conversation(send, requests)
        self.debuggee = self.conversation.debuggee
        self._lock = threading.Lock()
        self._waiting: dict[Any, bool] = {}
        """Requests that are not answered yet, by number: whether they were cancelled."""
        self._pending = 0
        self._current: Any = None

    def serve(self, divert: Callable[[Message], bool] = lambda message: False) -> None:
        """Reads requests until the client disconnects or is gone; `divert` takes those that another session
        answers. Raises TransportError for what is no message.
        """
        number = 0
        try:
            for number, message in enumerate(messages(self._source)):
                if message.get("type") != "request":
                    continue
                self._admit(message)
                if not divert(message):
                    self._take(number, message)
                if message.get("command") == "disconnect":
                    break
        finally:
            self.debuggee.stop_before = number + 1  # a client that is gone waits for no command

    def _admit(self, message: Message) -> None:
        """Raises TransportError for the request of a client that has to bring the token, and did not."""
        if not self._token or message.get("command") == "initialize":
            return
        opens = message.get("command") in ("launch", "attach")
        if not opens or not take_token(message.get("arguments"), self._token):
            self.conversation.refuse(message, "expected the token that the listener has printed, in `token`")
            raise TransportError("a client without the token")
        self._token = ""

    def _take(self, number: int, message: Message) -> None:
        command, debuggee = message.get("command"), self.debuggee
        if command == "pause":
            return self._pause(number, message)
        if command == "cancel":
            return self._cancel(number, message)
        if command in ("disconnect", "terminate"):
            debuggee.stop_before = number
        if command in INTERRUPTING:
            debuggee.interrupt_before = number
        with self._lock:
            self._waiting[_key(message)] = False
            self._pending += 1
        return self._submit(lambda: self._answer(number, message))

    def _pause(self, number: int, message: Message) -> None:
        """Ends what runs, behind the answer: a client is told that it has stopped after that."""
        try:
            check(message.get("arguments"), PauseArguments)
        except DebuggerError as error:
            return self.conversation.refuse(message, str(error))
        self.conversation.respond(message)
        self.debuggee.stop_before = number
        return self.pause()

    def pause(self) -> None:
        """Ends what others run in the session, where it has others."""

    def _cancel(self, number: int, message: Message) -> None:
        """Ends the request of a number, or the move whose progress was reported, behind the answer: a client
        gets that before the answer of what it ends.
        """
        debuggee, arguments = self.debuggee, message.get("arguments")
        try:
            check(arguments, CancelArguments)
        except DebuggerError as error:
            self.conversation.refuse(message, str(error))
            return
        self.conversation.respond(message)
        cancelled = cast(CancelArguments, arguments)
        if "progressId" in cancelled and debuggee.reports(cancelled["progressId"]):
            debuggee.stop_before = number
        with self._lock:
            request = cancelled.get("requestId")
            if request in self._waiting:
                self._waiting[request] = True
                debuggee.is_cancelled = debuggee.is_cancelled or request == self._current

    def _answer(self, number: int, message: Message) -> None:
        """Answers a request, and goes on with a move that made way for it if it is the last one."""
        debuggee, key = self.debuggee, _key(message)
        debuggee.number = number
        with self._lock:
            self._current = key
            debuggee.is_cancelled = self._waiting.get(key, False)
        self.answer(message)
        with self._lock:
            self._waiting.pop(key, None)
            self._pending -= 1
            self._current = None
            debuggee.is_cancelled = False
            is_last = not self._pending
        if is_last and debuggee.interrupted is not None:
            debuggee.interrupted()

    def answer(self, message: Message) -> None:
        """Answers a request, in the thread that owns the session."""
        self.conversation.answer(message)


def _key(message: Message) -> Any:
    """Returns the number of a request; nothing that names another one where it has none."""
    number = message.get("seq")
    return number if isinstance(number, int) else None
