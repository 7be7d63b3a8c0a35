"""`shlo debug --screenshot`: the debugger's screen as a picture, without a terminal."""

from __future__ import annotations

import asyncio
from argparse import Namespace
from typing import Any, BinaryIO, Final

from msgspec import field
from msgspec.structs import asdict
from textual.pilot import Pilot

from shlo.command_line.console import Console
from shlo.command_line.debugging import open_for_debugging, run_lines, script_lines
from shlo.command_line.exit_codes import FINDINGS, FINE
from shlo.debugger import Session
from shlo.debugger.launch import Launch, Stop
from shlo.ir.diagnostics import ParseError
from shlo.runner.errors import RequestError
from shlo.runner.files import replace_file
from shlo_tui.app.app import DebuggerApp, app_on
from shlo_tui.app.layout import DebuggedProgram

SIZE: Final = (120, 40)
"""Columns and lines of the screen."""

QUIET_POLLS: Final = 3
"""How often the session must have nothing to do before the picture is taken."""


class _Scripted(Launch):
    """A launch whose session has carried out a script when the screen opens."""

    script: str = ""
    lines: list[str] = field(default_factory=list[str])
    console: Console | None = None
    code: int = FINE

    def start(self, stop: Stop = None) -> Session:
        session = super().start(stop)
        if self.console is not None:
            self.code = run_lines(session, self.script, self.lines, self.console)
        return session


def write_screenshot(options: Namespace, console: Console) -> int:
    """Writes the screen, after a script if there is one; returns the script's exit code."""
    if not options.screenshot.lower().endswith(".svg"):
        raise RequestError(f"cannot write a picture to {options.screenshot}", "give a name that ends in .svg")
    lines = [] if options.script is None else script_lines(options)
    launch = None
    try:
        opened = open_for_debugging(options)
        launch = _Scripted(**asdict(opened), script=options.script or "", lines=lines, console=console)
        app = app_on(launch)
    except ParseError as error:
        app = DebuggerApp(DebuggedProgram(error.source, error=error))
    pictures: list[str] = []

    async def take(pilot: Pilot[Any]) -> None:
        await _settle(app, pilot)
        pictures.append(app.export_screenshot(title="shlo debug"))
        app.exit(FINE)

    app.run(headless=True, size=SIZE, auto_pilot=take)
    if app.crash is not None:
        raise app.crash

    def write(file: BinaryIO) -> None:
        file.write(pictures[0].encode("utf-8"))

    replace_file(options.screenshot, write)
    if launch is None:
        return FINDINGS
    launch.close()
    return launch.code


async def _settle(app: DebuggerApp, pilot: Pilot[Any]) -> None:
    """Waits until the session's thread has nothing to do and everything is shown."""
    quiet = 0
    while quiet < QUIET_POLLS and app.crash is None:
        quiet = 0 if app.thread is not None and app.thread.is_busy else quiet + 1
        await asyncio.sleep(0.02)
        await pilot.pause()
