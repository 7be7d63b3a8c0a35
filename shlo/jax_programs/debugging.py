"""Front ends where Python runs: what they open on a call, and the programs and arrays that they show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from shlo.debugger.launch import Launch, Stop
from shlo.debugger.session import Session, session_for
from shlo.interpreter.spmd.needed_grid import unasked_grid
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.source import Source
from shlo.jax_programs.python_folders import module_folders
from shlo.runner.errors import RequestError, shown
from shlo.runner.validity import valid_program
from shlo.support.entry_points import entry_points_of
from shlo.text.escape import escaped

if TYPE_CHECKING:
    from shlo.ir.dtypes import Array
    from shlo.jax_programs.program import ProgramCall, PythonProgram
    from shlo.runner.leaves import Leaf

ENTRY_POINT_GROUP: Final = "shlo.front_ends"
"""Front ends for Python programs, "terminal" and "notebook": objects with `debug(launch)`, and the
notebook's with `show_program(program, locations)`, `show_array(array)`, `show_tree(leaves, title)` and
`show_bundle(bundle)`.
"""

Place = Literal["terminal", "notebook"]
FrontEnd = Callable[[Session], Any]
"""Shows a session; what it returns is what `shlo.debug` returns."""


def launch_of(
    call: ProgramCall, options: Mapping[str, Any], move: Callable[[Session], object] | None = None
) -> Launch:
    """Returns what a front end opens: a session on a call, which `move` brings where it begins.

    Raises ParseError of a program that is not valid.
    """
    module = call.program.module
    if module.source is None:  # the text of bytecode is the one that MLIR would print
        module = valid_program(Source(module.to_text(locations=True), "<program>"))
    assert module.source is not None
    entry = options.get("entry", "main")
    needed = unasked_grid(module, entry)
    keywords: Any = {"callbacks": call.program.callbacks, **options}

    def start(stop: Stop) -> Session:
        session = session_for(module, call.inputs, stop=stop, **keywords)
        if move is not None:
            move(session)
        return session

    if needed is None:
        return Launch((module.source,), start, source_roots=module_folders())
    shape = GridShape(needed.replicas, needed.partitions)
    sources = (module.source,) * shape.size
    return Launch(sources, start, shape=shape, grid_text=str(needed), source_roots=module_folders())


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
    """Returns where Python runs: in a notebook of Jupyter or marimo, or else at a terminal."""
    ipython, marimo = (sys.modules.get(name) for name in ("IPython", "marimo"))
    shell = ipython.get_ipython() if ipython is not None else None
    is_notebook = getattr(shell, "kernel", None) is not None or (
        marimo is not None and marimo.running_in_notebook()
    )
    return "notebook" if is_notebook else "terminal"


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


def show_program(program: PythonProgram, locations: bool) -> None:
    """Displays or prints a program, with the locations of its operations or without them.

    A text without locations is printed as it is written.
    """
    if where() == "notebook":
        front_end_here().show_program(program, locations)
        return
    text = program.text
    print(escaped(text if locations or "loc(" not in text else program.module.to_text()).rstrip("\n"))


def show_array(array: Array) -> None:
    """Displays or prints an array: its type, statistics, and numbers."""
    if where() == "notebook":
        front_end_here().show_array(array)
        return
    from shlo.pages.tensor import tensor_text

    print(tensor_text(array))


def show_tree(leaves: Sequence[Leaf], title: str) -> None:
    """Displays or prints a pytree: its leaves, those with NaN and infinities first."""
    if where() == "notebook":
        front_end_here().show_tree(leaves, title)
        return
    from shlo.pages.tree import tree_text

    print(tree_text(leaves, title))


def show_bundle(bundle: Mapping[str, str]) -> None:
    """Displays what there is by MIME type, or prints the text of it."""
    if where() == "notebook":
        front_end_here().show_bundle(bundle)
        return
    print(bundle["text/plain"])
