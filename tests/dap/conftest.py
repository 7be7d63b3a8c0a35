"""Sessions with the adapter, whose programs are examples or small ones of a test."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import shlo
from tests.dap.client import Client

Write = Callable[[str], Path]
LISTENING = "listening on "


def address_of(text: str) -> tuple[int, str]:
    """Returns the port and the token that a listener has printed."""
    address, _, token = text.split(LISTENING)[1].strip().partition(", token ")
    return int(address.rpartition(":")[2]), token


class Call(threading.Thread):
    """A call of `shlo.debug` that waits for clients, in a thread of its own, at a port with a token; `stderr` is
    what it says.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *arguments: Any) -> None:
        super().__init__(daemon=True)
        self._arguments = arguments
        self._said = threading.Event()
        self.has_returned = False
        self.stderr = stream = io.StringIO()
        stream.flush = self._said.set  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stderr", stream)
        self.start()
        assert self._said.wait(60)
        self.port, self.token = address_of(stream.getvalue())

    def run(self) -> None:
        shlo.debug(*self._arguments, listen="127.0.0.1:0")
        self.has_returned = True


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Call]]:
    """Yields what makes a call; it is ended with the test."""
    calls: list[Call] = []

    def make(*arguments: Any) -> Call:
        calls.append(Call(monkeypatch, *arguments))
        return calls[-1]

    yield make
    for each in calls:
        if each.is_alive():
            with attached(each) as client:
                client.request("terminate")
                each.join(60)
        assert each.has_returned


@contextmanager
def attached(call: Call, through: str = "port") -> Iterator[Client]:
    """Yields a client that is attached to a session: directly, with the token, or through an adapter on its
    standard streams, which finds the token.
    """
    client = Client(address=("127.0.0.1", call.port)) if through == "port" else Client()
    token = {"token": call.token} if through == "port" else {}
    try:
        client.initialize()
        client.request("attach", port=call.port, **token)
        client.event("initialized")
        client.request("configurationDone")
        client.event("stopped")
        yield client
    finally:
        client.close()


@pytest.fixture
def client() -> Iterator[Client]:
    """Yields a session; its adapter is gone when the test ends."""
    session = Client()
    yield session
    session.close()


@pytest.fixture
def process() -> Iterator[Client]:
    """Yields a session with an adapter in a process of its own."""
    session = Client(in_process=True)
    yield session
    session.close()


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Returns what writes a program and returns its path."""

    def write(text: str) -> Path:
        path = tmp_path / "program.mlir"
        path.write_text(text, encoding="utf-8")
        return path

    return write
