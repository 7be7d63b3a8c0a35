"""The session's thread: the screen answers whatever the program does."""

from __future__ import annotations

import asyncio
import time

import pytest

from shlo_tui.widgets.source import SourcePane

from .conftest import DIVERGING
from .test_keys import LOOP

pytestmark = pytest.mark.asyncio

ENDLESS = LOOP.replace("dense<3>", "dense<2000000000>")


async def until(condition, seconds=20.0):
    """Waits for something that a thread will make true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)


async def test_the_screen_answers_while_a_program_runs_and_control_c_stops_it(drive, write):
    async with drive(write(ENDLESS)) as debugger:
        await debugger.pilot.press("c")
        await until(lambda: "steps so far" in debugger.text)
        cursor = debugger.app.pane(SourcePane).cursor
        await debugger.pilot.press("down", "down")
        assert debugger.app.pane(SourcePane).cursor == cursor + 2
        await debugger.pilot.press("question_mark")
        assert "Forwards, and the same backwards" in debugger.text
        assert debugger.app.thread.is_commanded
        await debugger.pilot.press("escape", "ctrl+c")
        await debugger.settle()
        assert "stopped on request" in debugger.text
        assert debugger.app.model.snapshot.status == "ready"
        stopped = debugger.position
        await debugger.press("S")
        assert debugger.position == stopped - 1


async def test_a_second_control_c_offers_to_quit(drive, write):
    async with drive(write(ENDLESS)) as debugger:
        await debugger.press("ctrl+c")
        assert "quit?" in debugger.text
        await debugger.press("n", "ctrl+c", "y")
    assert debugger.app.return_value == 0


async def test_commands_that_wait_are_forgotten_when_the_program_is_stopped(drive, write):
    async with drive(write(ENDLESS)) as debugger:
        await debugger.pilot.press("c", "N", "N")
        await until(lambda: debugger.app.thread.steps > 100)
        await debugger.pilot.press("ctrl+c")
        await debugger.settle()
        assert debugger.app.model.snapshot.reason == "stopped"


async def test_a_failing_program_shows_where_and_why(drive, write):
    text = """func.func @main(%x: tensor<2xf32>) {
  %0 = stablehlo.negate %x : tensor<2xf32>
  %1 = stablehlo.custom_call @no.such(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return
}"""
    async with drive(write(text), zeros=True) as debugger:
        await debugger.press("c")
        assert "the program fails here" in debugger.text
        assert "no.such" in debugger.text
        await debugger.press("escape")
        assert (debugger.line, debugger.app.model.snapshot.status) == (3, "failed")
        assert "fails here: stablehlo.custom_call" in debugger.text
        await debugger.press("N")
        assert debugger.line == 2


async def test_a_mistake_of_ours_ends_the_debugger_with_its_error(drive):
    def mistake(session):
        raise ZeroDivisionError("ours")

    async with drive(*DIVERGING) as debugger:
        debugger.app.order(mistake)
        await until(lambda: debugger.app.return_value is not None)
    assert debugger.app.return_value == 2
    assert isinstance(debugger.app.crash, ZeroDivisionError)
