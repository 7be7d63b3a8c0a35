"""The terminal as a front end of Python programs: `shlo.debug(f, *args)` in a script or a shell."""

from __future__ import annotations

from shlo.command_line.console import Console
from shlo.debugger.launch import Launch
from shlo_tui.command import NO_TERMINAL, check_terminal, show


def debug(launch: Launch) -> None:
    """Opens the screen on what is debugged, until it is left. Raises RequestError where there is no
    terminal.
    """
    console = Console()
    check_terminal(console, NO_TERMINAL)
    show(launch, console)
