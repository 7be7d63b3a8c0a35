"""A client that attaches to the session of the screen: moves of both are seen by both."""

from __future__ import annotations

import asyncio

import pytest

from shlo.debugger.adapter.clients.listener import Listener
from tests.dap.client import Client
from tests.dap.programs import SQUARES, line_of

from .test_worker import until

pytestmark = pytest.mark.asyncio


async def attach(listener: Listener) -> Client:
    """Returns a client that is attached to the screen's session."""

    def connect() -> Client:
        host, _, port = listener.address.rpartition(":")
        client = Client(address=(host, int(port)))
        client.initialize()
        client.request("attach", token=listener.token)
        client.event("initialized")
        client.request("configurationDone")
        client.event("stopped")
        return client

    return await asyncio.to_thread(connect)


async def test_the_screen_and_a_client_move_one_session(drive):
    listener = Listener("127.0.0.1:0")
    async with drive(SQUARES, "20", listener=listener) as debugger:
        assert f"listening on {listener.address}" in debugger.text
        client = await attach(listener)
        await debugger.press("n")
        await asyncio.to_thread(client.event, "stopped")
        place = await asyncio.to_thread(client.place)
        assert place[1] == debugger.app.model.frame.line
        line = line_of(SQUARES, "%square =")
        source = {"path": str(SQUARES)}
        request = {"source": source, "breakpoints": [{"line": line}]}
        await asyncio.to_thread(lambda: client.request("setBreakpoints", **request))
        await asyncio.to_thread(client.move, "continue")
        await until(lambda: debugger.app.model.frame.line == line)
        assert debugger.app.model.breakpoint_on(line) is not None
        await asyncio.to_thread(client.request, "disconnect")
        await asyncio.to_thread(client.close)
        await until(lambda: debugger.app.model.breakpoint_on(line) is None)
        await debugger.press("n")
        assert debugger.app.model.frame.line != line


async def test_a_client_ends_the_screen(drive):
    listener = Listener("127.0.0.1:0")
    async with drive(SQUARES, "20", listener=listener) as debugger:
        client = await attach(listener)
        await asyncio.to_thread(client.request, "terminate")
        await asyncio.to_thread(client.event, "terminated")
        await asyncio.to_thread(client.close)
        await until(lambda: not debugger.app.is_running)
    assert debugger.app.return_value == 0
