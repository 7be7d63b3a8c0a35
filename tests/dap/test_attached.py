"""Clients that attach to a session, over TCP, and the adapter that listens."""

from __future__ import annotations

import os
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shlo.debugger.adapter.clients.listener import Listener
from shlo.debugger.adapter.clients.tokens import kept_token
from shlo.runner.errors import RequestError
from shlo.support.files import cache_folder
from tests.dap.client import Client, Failure
from tests.dap.conftest import LISTENING, Call, Write, address_of, attached
from tests.dap.programs import FOREVER, SQUARES, line_of


def squares() -> tuple[Any, ...]:
    return SQUARES, np.int32(20)


@pytest.mark.parametrize("through", ["port", "adapter"])
def test_a_client_attaches_moves_and_leaves_the_session_where_it_is(
    call: Callable[..., Call], through: str
) -> None:
    debugged = call(*squares())
    with attached(debugged, through) as client:
        source, line = {"path": str(SQUARES)}, line_of(SQUARES, "%square =")
        client.request("setBreakpoints", source=source, breakpoints=[{"line": line}])
        assert client.move("continue")["reason"] == "breakpoint"
        assert client.place()[1] == line
        with pytest.raises(Failure, match="attached already"):
            client.request("attach", port=debugged.port)
        client.request("disconnect")
    assert debugged.is_alive()
    with attached(debugged, through) as client:
        assert client.place()[1] == line
        assert client.move("continue")["description"].startswith(
            "The program has ended"
        )  # no breakpoint is left
        client.move("stepBack")
        assert client.move("restart")["reason"] == "goto"
        assert client.place()[1] == line_of(SQUARES, "%zero =")


def test_each_client_is_told_of_the_moves_of_the_others(call: Callable[..., Call]) -> None:
    debugged = call(*squares())
    with attached(debugged) as one, attached(debugged, "adapter") as other:
        one.move("next")
        assert other.event("continued")["allThreadsContinued"]
        assert other.event("stopped")["reason"] == "step"
        assert other.place() == one.place()
        other.move("stepBack")
        assert one.event("stopped")["reason"] == "step"
        assert one.events.empty()
        assert one.place()[1] == line_of(SQUARES, "%zero =")


def test_a_client_pauses_what_another_one_runs(call: Callable[..., Call], program: Write) -> None:
    debugged = call(program(FOREVER))
    with attached(debugged) as one, attached(debugged) as other:
        one.request("continue", threadId=1)
        other.event("continued")
        other.request("pause", threadId=1)
        assert one.event("stopped")["reason"] == "pause"
        assert other.event("stopped")["reason"] == "pause"


def test_breakpoints_of_another_client_stay(call: Callable[..., Call]) -> None:
    debugged = call(*squares())
    source, line = {"path": str(SQUARES)}, line_of(SQUARES, "%square =")
    with attached(debugged) as one:
        one.request("setBreakpoints", source=source, breakpoints=[{"line": line}])
        with attached(debugged) as other:
            other.request("setBreakpoints", source=source, breakpoints=[{"line": line}])
            other.request("disconnect")
        assert one.move("continue")["reason"] == "breakpoint"


def test_who_looks_at_another_frame_leaves_the_one_that_others_look_at(call: Callable[..., Call]) -> None:
    debugged = call(*squares())
    with attached(debugged) as client:
        client.move("next")
        client.move("next")
        client.move("stepIn")
        outer = client.frames()[1]["id"]
        assert client.evaluate("%n", frameId=outer) == "20"
        assert "%more" in client.evaluate("where", "repl").splitlines()[-1]


@pytest.mark.parametrize("through", ["port", "adapter"])
@pytest.mark.parametrize("how", ["terminate", "disconnect"])
def test_a_client_ends_the_program_and_all_are_told(
    call: Callable[..., Call], program: Write, through: str, how: str
) -> None:
    debugged = call(program(FOREVER))
    with attached(debugged) as other, attached(debugged, through) as client:
        assert client.capabilities["supportTerminateDebuggee"]
        client.request("continue", threadId=1)
        client.request(how, **({"terminateDebuggee": True} if how == "disconnect" else {}))
        other.event("terminated")
        debugged.join(60)
    assert debugged.has_returned


def test_a_client_that_is_gone_stops_what_it_ran(call: Callable[..., Call], program: Write) -> None:
    debugged = call(program(FOREVER))
    with attached(debugged) as client:
        client.request("continue", threadId=1)
    with attached(debugged) as client:
        assert client.move("next")["reason"] == "step"


def test_a_client_that_reads_nothing_stops_no_other(call: Callable[..., Call]) -> None:
    debugged = call(*squares())
    deaf = socket.create_connection(("127.0.0.1", debugged.port))
    with attached(debugged) as client:
        assert client.move("next")["reason"] == "step"
    deaf.close()


def test_a_launch_is_refused_where_a_program_is_debugged(call: Callable[..., Call]) -> None:
    debugged = call(*squares())
    client = Client(address=("127.0.0.1", debugged.port))
    client.initialize()
    with pytest.raises(Failure, match="expected attach, got launch"):
        client.request("launch", program=str(SQUARES), token=debugged.token)
    with pytest.raises(Failure, match="expected attach before"):
        client.request("configurationDone")
    client.close()


@pytest.mark.parametrize(
    ("command", "token"),
    [
        ("attach", {}),
        ("attach", {"token": "wrong"}),
        ("attach", {"token": None}),
        ("pause", {}),
        ("terminate", {}),
    ],
)
def test_a_client_without_the_token_is_refused(
    call: Callable[..., Call], command: str, token: dict[str, Any]
) -> None:
    debugged = call(*squares())
    client = Client(address=("127.0.0.1", debugged.port))
    client.initialize()
    with pytest.raises(Failure, match="expected the token that the listener has printed"):
        client.request(command, threadId=1, **token)
    client.close()
    assert "refused a client: a client without the token" in debugged.stderr.getvalue()


def test_the_token_is_kept_for_its_user_alone_as_long_as_it_is_listened() -> None:
    listener = Listener("127.0.0.1:0")
    (path,) = (file for file in (cache_folder() / "listeners").iterdir() if file.name == str(listener.port))
    assert kept_token(listener.port) == listener.token
    if os.name == "posix":
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    listener.close()
    assert kept_token(listener.port) == ""


@pytest.mark.parametrize(
    "first_lines",
    [b"POST / HTTP/1.1\r\nHost: attacker.example\r\n", b"GET / HTTP/1.1\r\nUpgrade: websocket\r\n"],
)
def test_requests_of_web_pages_are_refused_without_an_answer(
    call: Callable[..., Call], first_lines: bytes
) -> None:
    debugged = call(*squares())
    body = b'{"seq": 1, "type": "request", "command": "terminate"}'
    with socket.create_connection(("127.0.0.1", debugged.port)) as connected:
        connected.sendall(first_lines + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        assert connected.recv(4096) == b""
    assert "refused a client: expected a header of the debug adapter protocol" in debugged.stderr.getvalue()
    assert debugged.is_alive()


@pytest.mark.parametrize("address", ["0.0.0.0:0", "192.0.2.1:80", "example.org:1", "127.0.0.1:x", "::1", ""])
def test_only_ports_of_the_loopback_interface_are_listened_on(address: str) -> None:
    with pytest.raises(RequestError, match="expected HOST:PORT of the loopback interface"):
        Listener(address)


@contextmanager
def listening() -> Iterator[tuple[subprocess.Popen[str], int, str]]:
    """Yields a process that serves clients, its port and its token."""
    command = [sys.executable, "-m", "shlo", "dap", "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.startswith(LISTENING)
        try:
            yield process, *address_of(line)
        finally:
            process.kill()


def test_every_connection_to_a_listening_adapter_has_a_session_of_its_own(tmp_path: Path) -> None:
    with listening() as (process, port, token):
        clients = [Client(address=("127.0.0.1", port)) for _ in range(2)]
        for client in clients:
            client.launch(SQUARES, "4", token=token)
        clients[0].move("next")
        assert clients[0].place() != clients[1].place()
        clients[0].request("disconnect")
        clients[0].close()
        assert clients[1].move("next")["reason"] == "step"
        clients[1].close()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_a_killed_client_of_a_listening_adapter_leaves_it_to_others(program: Write) -> None:
    with listening() as (_, port, token):
        client = Client(address=("127.0.0.1", port))
        client.launch(program(FOREVER), token=token)
        client.request("continue", threadId=1)
        client.close()
        other = Client(address=("127.0.0.1", port))
        other.launch(SQUARES, "4", token=token)
        assert other.move("next")["reason"] == "step"
        other.close()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_ends_a_call_that_waits() -> None:
    code = f"import shlo, numpy; shlo.debug({str(SQUARES)!r}, numpy.int32(3), listen='127.0.0.1:0')"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert LISTENING in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) != 0
