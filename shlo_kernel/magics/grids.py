"""Magics about grids of processes: `%grid`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.source import Source, Span
from shlo.runner.arguments.grid_calls import GridCall
from shlo_kernel.cells.calls import check_names
from shlo_kernel.cells.grid_calls import read_grid_call
from shlo_kernel.cells.grid_errors import grid_error, mime_of_grid
from shlo_kernel.cells.session import LAST
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.mime.bundle import Value
from shlo_kernel.mime.grid_results import mime_of_results

Results = Mapping[str, Mapping[int, Value]]
"""Results by name and process."""


def _grid(notebook: Notebook, argument: str, body: str | None) -> None:
    names, call = read_grid_call(notebook.session, argument)
    names = _names(names, call)
    results = _by_name(names, call, _run(notebook, argument, call))
    for name, values in results.items():
        notebook.session.set_values({f"{name}#{process}": value for process, value in values.items()})
        notebook.screen.show(mime_of_results(name, GridShape(call.replicas, call.partitions), values))
    if not results:
        notebook.screen.write(f"all {len(call.places):,} processes are done; they have no results\n")


def _names(given: Sequence[str], call: GridCall) -> list[str]:
    """Returns the names that the results get: those that the user gave, `_`, or `_0`, `_1`, ... for
    several."""
    count = max(len(function.type.results) for function in call.functions)
    check_names(given, call.functions[0].name, count)
    return list(given) or ([LAST] if count == 1 else [f"{LAST}{index}" for index in range(count)])


def _run(notebook: Notebook, argument: str, call: GridCall) -> list[tuple[Any, ...]]:
    from shlo.interpreter import RunOptions, make_grid

    try:
        options = RunOptions(semantics=notebook.session.semantics, **call.keywords())
        return make_grid(call.modules, call.inputs, options).run()
    except GridError as error:
        definitions = notebook.session.state.definitions
        notebook.screen.show(mime_of_grid(definitions, error))
        line = f"%grid {argument}"
        raise grid_error(definitions, error, Source(line, notebook.label), Span(0, len(line))) from None


def _by_name(names: Sequence[str], call: GridCall, results: Sequence[Sequence[Any]]) -> Results:
    """Returns the results of each name in those processes whose function has them."""
    found: dict[str, dict[int, Value]] = {name: {} for name in names}
    for process, (function, values) in enumerate(zip(call.functions, results)):
        for name, type_, value in zip(names, function.type.results, values):
            found[name][process] = Value(type_, value)
    return found


DETAILS: Final = """2x4 are 2 replicas of 4 partitions. Arguments are those of %run, the same for all, unless
--split 0:1 splits argument 0 along dimension 1 (0 unless that is said) into a part for each, or they have
{process}, {replica} or {partition} in them, the numbers of each process:
  x{process}.npy, random {process}, %x#{process} of values %x#0, %x#1, ...; also @stage_{partition}(...)
The results of process 3 are kept as %_#3 or %y#3."""
KEYWORDS: Final = ("--split", "{process}", "{replica}", "{partition}")

GRIDS: Final = (
    Magic(
        "grid",
        "2x4 [%y =] @f(%x, ...)",
        "run a function in a grid of processes, side by side; %help grid tells more",
        _grid,
        details=DETAILS,
        words=KEYWORDS,
    ),
)
