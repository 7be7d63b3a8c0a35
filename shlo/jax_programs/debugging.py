"""Debugging of a call: what a front end opens, and which front end that is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal

from shlo.debugger.launch import Launch, Stop
from shlo.debugger.session import Session, session_for
from shlo.interpreter.spmd.needed_grid import MOST_UNASKED, needed_grid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.runner.errors import RequestError, shown
from shlo.runner.validity import valid_program
from shlo.support.entry_points import entry_points_of

if TYPE_CHECKING:
    from shlo.jax_programs.program import Call

ENTRY_POINT_GROUP: Final = "shlo.front_ends"
"""Front ends for Python programs, "terminal" and "notebook": objects with `debug(launch)`, and the
notebook's with `show_program(program, locations)` and `show_array(array)`.
"""

Place = Literal["terminal", "notebook"]
FrontEnd = Callable[[Session], Any]
"""Shows a session; what it returns is what `shlo.debug` returns."""


def launch_of(
    call: Call, options: Mapping[str, Any], move: Callable[[Session], object] | None = None
) -> Launch:
    """Returns what a front end opens: a session on a call, which `move` brings where it begins.

    Raises ParseError of a program that is not valid.
    """
    module = _with_source(call.program.module)
    assert module.source is not None
    entry = options.get("entry", "main")
    needed = needed_grid(module, entry)
    given: Any = {"callbacks": call.program.callbacks, **options}

    def start(stop: Stop) -> Session:
        session = session_for(module, call.inputs, stop=stop, **given)
        if move is not None:
            move(session)
        return session

    if needed is None or needed.size > MOST_UNASKED:
        return Launch((module.source,), start)
    shape = GridShape(needed.replicas, needed.partitions)
    return Launch((module.source,) * shape.size, start, shape=shape, grid_text=str(needed))


def open_front_end(launch: Launch, front_end: FrontEnd | None = None, listen: str | None = None) -> Any:
    """Opens a front end: a function that gets the session, clients that attach at a port, else the one for
    where Python runs. Raises RequestError.
    """
    if listen is not None:
        from shlo.debugger.adapter.clients.waiting import serve_clients

        return serve_clients(launch, listen)
    if front_end is not None:
        return front_end(launch.start())
    return front_end_here().debug(launch)


def check_front_end(front_end: FrontEnd | None) -> None:
    """Raises RequestError for a front end that is no function."""
    if front_end is not None and not callable(front_end):
        raise RequestError(
            f"expected a function of a Session for front_end, got {shown(front_end)}",
            "without front_end the debugger of the terminal or notebook is opened",
        )


def where() -> Place:
    """Returns where Python runs: in a notebook's kernel, or else at a terminal."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return "notebook" if getattr(shell, "kernel", None) is not None else "terminal"


def front_end_here() -> Any:
    """Returns the front end for where Python runs; raises RequestError where it is not installed."""
    name = where()
    extra = {"terminal": "tui", "notebook": "kernel"}[name]
    points = entry_points_of(ENTRY_POINT_GROUP).get(name)
    try:
        if points:
            return points[0].load()
    except ImportError as error:
        reason = f": {error}"
    else:
        reason = ""
    raise RequestError(f"the debugger for a {name} is not installed{reason}", f"pip install 'shlo[{extra}]'")


def _with_source(module: Module) -> Module:
    """Returns a program with a text to show; that of bytecode is the one that MLIR would print."""
    return (
        module
        if module.source is not None
        else valid_program(Source(module.to_text(locations=True), "<program>"))
    )
