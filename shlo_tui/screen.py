"""Which screen what was opened gets."""

from __future__ import annotations

from dataclasses import replace

from shlo.interpreter.topology.groups import GridShape
from shlo_tui.app.app import DebuggerApp
from shlo_tui.app.layout import Program
from shlo_tui.app.spmd import GridApp
from shlo_tui.launch import Opening
from shlo_tui.theme import Look


def app_on(opening: Opening, look: Look | None = None) -> DebuggerApp:
    """The debugger's screen on a program, or on the processes of a grid."""
    program, call = Program(opening.source, opening.start), opening.call
    if call is None:
        return DebuggerApp(program, look)
    sources = tuple(module.source or opening.source for module in call.modules)
    return GridApp(replace(program, grid=GridShape(call.replicas, call.partitions), sources=sources), look)
