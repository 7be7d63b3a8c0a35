"""Magics that run functions: `%run`, `%time`, `%test`, `%step`, `%grid`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.source import Source, Span
from shlo.runner.arguments.grid_calls import GridCall
from shlo.runner.errors import RequestError, quoted
from shlo.runner.profile import Profile
from shlo_kernel.cells.calls import Call, check_names, read_call, read_grid_call, read_names
from shlo_kernel.cells.errors import grid_error, mime_of_grid
from shlo_kernel.cells.session import LAST
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.mime.bundle import Value, mime_of
from shlo_kernel.mime.grid_results import mime_of_results


def _run(notebook: Notebook, argument: str, body: str | None) -> None:
    names, text = read_names(argument)
    call = read_call(notebook.session, text)
    _keep(notebook, call, names, _results(notebook, call))


def _results(notebook: Notebook, call: Call, profile: Profile | None = None) -> tuple[Any, ...]:
    from shlo.interpreter import RunOptions, execute

    options = RunOptions(entry=call.function.name, profile=profile, semantics=notebook.session.semantics)
    return execute(call.module, call.arguments, options)


def _keep(notebook: Notebook, call: Call, names: Sequence[str], results: tuple[Any, ...]) -> None:
    """Keeps and shows the results under names that the user gave, or as the last ones."""
    types = call.function.type.results
    check_names(names, call.function.name, len(results))
    if not names:
        names = [LAST] if len(results) == 1 else [f"{LAST}#{index}" for index in range(len(results))]
    kept = {name: Value(type_, result) for name, type_, result in zip(names, types, results)}
    notebook.session.set_values(kept)
    for name, value in kept.items():
        notebook.screen.show(mime_of(name, *value))


def _time(notebook: Notebook, argument: str, body: str | None) -> None:
    if body is not None:
        return _time_cell(notebook, body)
    names, text = read_names(argument)
    call, profile = read_call(notebook.session, text), Profile()
    started = time.perf_counter()
    results = _results(notebook, call, profile)
    seconds = time.perf_counter() - started
    _keep(notebook, call, names, results)
    notebook.screen.write(profile.table(seconds) + "\n")
    return None


def _time_cell(notebook: Notebook, body: str) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    notebook.run(body, notebook.label)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    notebook.screen.write(f"{wall * 1e3:.3f} ms ({processor * 1e3:.3f} ms of the processor)\n")


def _test(notebook: Notebook, argument: str, body: str | None) -> None:
    from shlo.interpreter import RunOptions
    from shlo.runner.test_programs import run_module

    session = notebook.session
    definitions = session.state.definitions
    options = RunOptions(semantics=session.semantics)
    outcomes = list(run_module("session", session.module, argument.strip(), options))
    for outcome in outcomes:
        name = outcome.name.partition("::")[2]
        place = f" ({definitions.place(outcome.place)})" if outcome.place else ""
        message = f": {outcome.message}{place}" if outcome.message else ""
        notebook.screen.write(f"{outcome.verdict} @{name}{message}\n")
    bad = sum(outcome.verdict != "passed" for outcome in outcomes)
    if not outcomes:
        raise RequestError("there are no tests", "a test is a public function without arguments")
    notebook.screen.write(f"{len(outcomes) - bad} passed, {bad} failed\n")
    if bad:
        raise RequestError(f"{bad} of {len(outcomes)} tests failed")


def _step(notebook: Notebook, argument: str, body: str | None) -> None:
    from shlo.debugger.session import Session, session_for
    from shlo_kernel.widgets.stepper import Stepper

    text, semantics = argument.strip(), notebook.session.semantics
    if text.startswith("--grid"):
        names, grid = read_grid_call(notebook.session, text.removeprefix("--grid").lstrip(" ="))
        if names:
            raise RequestError("the results of what is stepped through get no names", f"write %step {_STEPS}")
        session = Session(grid.modules, grid.inputs, semantics=semantics, **grid.keywords())
    else:
        call = read_call(notebook.session, text)
        session = session_for(call.module, call.arguments, entry=call.function.name, semantics=semantics)
    notebook.screen.show(Stepper(session).mime_bundle())


def _grid(notebook: Notebook, argument: str, body: str | None) -> None:
    names, call = read_grid_call(notebook.session, argument)
    names = _result_names(names, call)
    results = _by_name(names, call, _run_grid(notebook, argument, call))
    for name, values in results.items():
        notebook.session.set_values({f"{name}#{process}": value for process, value in values.items()})
        notebook.screen.show(mime_of_results(name, GridShape(call.replicas, call.partitions), values))
    if not results:
        notebook.screen.write(f"all {len(call.places):,} processes are done; they have no results\n")


def _result_names(given: Sequence[str], call: GridCall) -> list[str]:
    """Returns the names that the results get: those that the user gave, `_`, or `_0`, `_1`, ... for
    several."""
    count = max(len(function.type.results) for function in call.functions)
    check_names(given, call.functions[0].name, count)
    return list(given) or ([LAST] if count == 1 else [f"{LAST}{index}" for index in range(count)])


def _run_grid(notebook: Notebook, argument: str, call: GridCall) -> list[tuple[Any, ...]]:
    from shlo.interpreter import RunOptions, make_grid

    try:
        options = RunOptions(semantics=notebook.session.semantics, **call.keywords())
        return make_grid(call.modules, call.inputs, options).run()
    except GridError as error:
        definitions = notebook.session.state.definitions
        notebook.screen.show(mime_of_grid(definitions, error))
        line = f"%grid {argument}"
        raise grid_error(definitions, error, Source(line, notebook.label), Span(0, len(line))) from None


def _by_name(
    names: Sequence[str], call: GridCall, results: Sequence[Sequence[Any]]
) -> dict[str, dict[int, Value]]:
    """Returns the results of each name in those processes whose function has them."""
    found: dict[str, dict[int, Value]] = {name: {} for name in names}
    for process, (function, values) in enumerate(zip(call.functions, results)):
        for name, type_, value in zip(names, function.type.results, values):
            found[name][process] = Value(type_, value)
    return found


def _semantics(notebook: Notebook, argument: str, body: str | None) -> None:
    from shlo.interpreter.semantics import SEMANTICS

    word = argument.strip()
    if word and word not in SEMANTICS:
        raise RequestError(f"expected {' or '.join(SEMANTICS)}, got {quoted(word)}")
    session = notebook.session
    for semantics in SEMANTICS:
        if semantics == word:
            session.state = replace(session.state, semantics=semantics)
    notebook.screen.write(f"{session.semantics}\n")


DETAILS: Final = """2x4 are 2 replicas of 4 partitions. Arguments are those of %run, the same for all, unless
--split 0:1 splits argument 0 along dimension 1 (0 unless that is said) into a part for each, or they have
{process}, {replica} or {partition} in them, the numbers of each process:
  x{process}.npy, random {process}, %x#{process} of values %x#0, %x#1, ...; also @stage_{partition}(...)
The results of process 3 are kept as %_#3 or %y#3."""
_KEYWORDS: Final = ("--split", "{process}", "{replica}", "{partition}")

_CALL: Final = "@f(%x, 2.0, x.npy, random)"
_STEPS: Final = "[--grid 2x4] @f(%x, 2.0)"
RUNNING: Final = (
    Magic("run", f"[%y =] {_CALL}", "run a function; its results are shown, and kept as %_ or %y", _run),
    Magic("time", _CALL, "run it and tell what the time went into; %%time times a cell", _time, True),
    Magic(
        "step",
        _STEPS,
        "go through it step by step, both ways",
        _step,
        details="--grid takes what %grid does: the processes of a grid, all of them or one",
        words=("--grid", *_KEYWORDS),
    ),
    Magic(
        "semantics",
        "[spec|xla]",
        "what runs follow: the specification, or XLA where it departs from it",
        _semantics,
        words=("spec", "xla"),
    ),
    Magic("test", "[WORD]", "run functions without arguments, which check their own results", _test),
    Magic(
        "grid",
        "2x4 [%y =] @f(%x, ...)",
        "run a function in a grid of processes, side by side; %help grid tells more",
        _grid,
        details=DETAILS,
        words=_KEYWORDS,
    ),
)
