"""Messages that come when the server has ended already."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

import pytest

from shlo.support.cancellation import Urgent
from shlo_lsp.transport import serve

MESSAGE = b"Content-Length: 2\r\n\r\n{}"


class Stream:
    """A stream that has one message, and others once `goes_on` is set."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self._left = [MESSAGE, MESSAGE * 3, b""]

    def read(self, size: int) -> bytes:
        if len(self._left) < 3:
            assert self.goes_on.wait(60)
        return self._left.pop(0)


def test_messages_behind_exit_are_passed_over_without_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    stream, raised = Stream(), list[Any]()
    monkeypatch.setattr(threading, "excepthook", raised.append)

    def leave(message: Any) -> None:
        raise SystemExit(0)

    with pytest.raises(SystemExit):
        asyncio.run(serve(stream, leave, Urgent()))
    [reader] = [thread for thread in threading.enumerate() if thread.name == "messages"]
    stream.goes_on.set()
    reader.join(60)
    assert not reader.is_alive()
    assert not raised
