"""The debugger's screen under test: opened on a program, driven by keys, asked what it shows."""

from __future__ import annotations

import asyncio
import os
from argparse import ArgumentParser
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import textual.app
import textual.pilot
from textual._compositor import Compositor
from textual._context import active_app
from textual.pilot import Pilot

from shlo.command_line.debugging import open_for_debugging
from shlo.debugger.adapter.clients.listener import Listener
from shlo.ir.diagnostics import ParseError
from shlo_tui.app.app import DebuggerApp, app_on
from shlo_tui.app.layout import DebuggedProgram
from shlo_tui.command import configure
from shlo_tui.theme import Appearance
from shlo_tui.widgets.values import FindingsPane

EXAMPLES = Path(__file__).parents[2] / "examples"
TRANSFORMER = (EXAMPLES / "transformer.mlir", EXAMPLES / "transformer.npz")
DIVERGING = (EXAMPLES / "diverging.mlir",)
TRAINING = (EXAMPLES / "training.mlir", EXAMPLES / "training.npz")
BROKEN = (EXAMPLES / "broken.mlir",)

WAIT = 20.0
"""Seconds after which a session counts as hung."""

# NO_COLOR of whoever runs the tests must not decide what they see.
os.environ.pop("NO_COLOR", None)


def app_of(
    file: Path,
    *arguments: Path | str,
    appearance: Appearance | None = None,
    listener: Listener | None = None,
    **options: Any,
) -> DebuggerApp:
    """Returns the screen that `shlo debug FILE ARG...` opens; `options` are those of the command, as it has
    read them, `listener` is the port of --listen.
    """
    parser = ArgumentParser()
    configure(parser)
    given = parser.parse_args([str(file), *map(str, arguments)])
    vars(given).update(options)
    try:
        return app_on(open_for_debugging(given), appearance, listener)
    except ParseError as error:
        return DebuggerApp(DebuggedProgram(error.source, error=error), appearance)


class Driver:
    """Presses keys and waits until what they do is done."""

    def __init__(self, app: DebuggerApp, pilot: Pilot[Any]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        """Presses keys; waits for the session behind each."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str, end: str = "enter") -> None:
        """Writes a text, and ends it with a key."""
        await self.pilot.press(*text, end)
        await self.settle()

    async def settle(self) -> None:
        """Waits until the session's thread has nothing to do and everything is shown."""
        await settle(self.pilot)

    @property
    def position(self) -> int:
        assert self.app.model
        return self.app.model.snapshot.position

    @property
    def line(self) -> int | None:
        """The line of the source that the program is at."""
        assert self.app.model
        return self.app.model.frame.line if self.app.model.frame else None

    @property
    def text(self) -> str:
        """All that can be read on the screen."""
        return screen_text(self.app)


async def settle(pilot: Pilot[Any], wait: float = WAIT) -> None:
    """Waits until the session's thread has nothing to do and everything is shown, so many seconds at most."""
    app = pilot.app
    assert isinstance(app, DebuggerApp)
    async with asyncio.timeout(wait):
        is_quiet = app.return_value is not None
        while not is_quiet:
            while app.thread and app.thread.is_busy:
                await asyncio.sleep(0.002)
            await asyncio.sleep(0)  # what the thread sent is in the app's queue
            pumps = [app, app.screen, *app.screen.query("*")]
            for pump in reversed(pumps):  # messages go from the panes up to the app
                if pump.message_queue_size:
                    await _passed(pump.call_later)
            await _passed(app.call_later)
            await _passed(app.call_after_refresh)
            is_quiet = not (app.thread and app.thread.is_busy) and not any(
                pump.message_queue_size for pump in pumps
            )
        if app.return_value is None:
            _draw(app.screen._compositor, screen_stack=app._background_screens)


async def _is_shown(min_sleep: float = 0, max_sleep: float = 1) -> None:
    """Waits, in the place of Textual's `wait_for_idle`, until messages that were sent are dealt with and shown.

    Textual waits until this process has done nothing for 20 ms, twice for each key; that is most of the time
    that keys take, and the longer the busier the machine is.
    """
    for _ in range(4):
        await asyncio.sleep(0)  # messages are sent by tasks of their own
    app = active_app.get()
    with suppress(TimeoutError):  # it has ended
        async with asyncio.timeout(max_sleep):
            for pump in (app, app.screen) * 2:
                await _passed(pump.call_after_refresh)


textual.app.wait_for_idle = textual.pilot.wait_for_idle = _is_shown  # type: ignore[attr-defined]


_draw = Compositor.render_update


def _drawn_later(compositor: Compositor, full: bool = False, *args: Any, **options: Any) -> Any:
    """Draws pictures alone, in the place of the compositor's own function, and leaves what changed to `settle`:
    Textual draws three times for each key, for a terminal that is not there.
    """
    return _draw(compositor, full, *args, **options) if full else None


Compositor.render_update = _drawn_later  # type: ignore[method-assign]


async def opened(pilot: Pilot[Any], wait: float = WAIT) -> None:
    """Waits until the first screen is there; that of a program that cannot be run has the findings chosen."""
    await settle(pilot, wait)
    async with asyncio.timeout(wait):
        while any(not pane.has_focus for pane in pilot.app.query(FindingsPane)):
            await asyncio.sleep(0.002)
    await settle(pilot, wait)


async def _passed(schedule: Callable[[Callable[[], None]], bool]) -> None:
    """Waits until what is scheduled is called; what has ended schedules nothing."""
    done = asyncio.Event()
    if schedule(done.set):
        await done.wait()


def screen_text(app: DebuggerApp) -> str:
    """Returns what stands on the screen, line by line."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


@pytest.fixture
def drive() -> Callable[..., AbstractAsyncContextManager[Driver]]:
    """Yields a function that opens the debugger; gives a Driver once the first screen is there."""

    @asynccontextmanager
    async def open_debugger(
        *command: Any, size: tuple[int, int] = (100, 30), appearance: Appearance | None = None, **options: Any
    ) -> AsyncIterator[Driver]:
        app = app_of(*command, appearance=appearance, **options)
        async with app.run_test(size=size) as pilot:
            driver = Driver(app, pilot)
            await opened(pilot)
            yield driver

    return open_debugger


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Returns a function that writes a program's text to a file."""

    def write_text(text: str) -> Path:
        path = tmp_path / "program.mlir"
        path.write_text(text, encoding="utf-8")
        return path

    return write_text


def keys(presses: Iterable[str]) -> Callable[[Pilot[Any]], Any]:
    """Returns what a snapshot test does before the picture is taken: keys, each waited for."""

    async def press(pilot: Pilot[Any]) -> None:
        await opened(pilot)
        for key in presses:
            await pilot.press(key)
            await settle(pilot)
        await pilot.pause()

    return press
