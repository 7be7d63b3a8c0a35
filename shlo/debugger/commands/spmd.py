"""Commands about the processes of a grid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shlo.debugger.commands.breakpoints import read_process
from shlo.debugger.commands.inspect import read_name
from shlo.debugger.commands.registry import Action, DebuggerCommand
from shlo.debugger.commands.stepping import repeated
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.snapshots import GridView
from shlo.debugger.session import Session
from shlo.debugger.text.format import where_text
from shlo.debugger.text.format_spmd import (
    channels_text,
    comparison_text,
    process_text,
    processes_text,
    wait_graph_text,
)

STATUSES: Final = ("ready", "waiting", "done", "failed")


def grid_of(session: Session) -> GridView:
    """Returns all processes; raises DebuggerError where there is one."""
    if session.grid is None:
        raise DebuggerError("there is one process, and no grid: shlo debug --grid 2x4 starts one")
    return session.grid


def _telling(tell: Callable[[GridView], str]) -> Action:
    """Returns a command that tells of all processes."""

    def act(session: Session, text: str) -> str:
        if text:
            raise DebuggerError(f"nothing can follow here, and {text!r} does")
        return tell(grid_of(session))

    return act


def _processes(session: Session, text: str) -> str:
    if text and text not in STATUSES:
        raise DebuggerError(f"write processes, or one of {', '.join(STATUSES)} behind it")
    return processes_text(grid_of(session), text)


def _process(session: Session, text: str) -> str:
    grid = grid_of(session)
    if not text:
        return process_text(grid)
    snapshot = session.select_process(read_process(session, text))
    where = where_text(session)
    return f"{where}\n{process_text(grid_of(session))}" if snapshot.status == "waiting" else where


def _compare(session: Session, text: str) -> str:
    return comparison_text(grid_of(session), session.inspector.compare(read_name(text)))


GRID_COMMANDS: Final = (
    DebuggerCommand(
        ("processes", "ps"), "[STATUS]", "tell what each process does, and for whom it waits", _processes
    ),
    DebuggerCommand(
        ("process", "pr"),
        "N | REPLICA,PARTITION | AXIS=N,...",
        "look at another process; without one, tell which it is",
        _process,
        "process",
    ),
    DebuggerCommand(
        ("sync", "m"),
        "[COUNT]",
        "go on in all processes to their next synchronisation point",
        repeated(Session.run_to_sync),
    ),
    DebuggerCommand(
        ("reverse-sync", "rm"),
        "[COUNT]",
        "go back to where all had arrived at their synchronisation points before",
        repeated(Session.reverse_to_sync),
    ),
    DebuggerCommand(("waits",), "", "tell who waits for whom", _telling(wait_graph_text)),
    DebuggerCommand(("channels",), "", "tell which messages are under way", _telling(channels_text)),
    DebuggerCommand(("compare",), "%NAME", "show a value side by side in all processes", _compare, "value"),
)
