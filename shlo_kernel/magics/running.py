"""Magics that run functions: `%run`, `%time`, `%test`, `%step`."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from shlo.runner.errors import RequestError, quoted
from shlo.runner.profile import Profile
from shlo_kernel.cells.calls import Call, check_names, read_call, read_names
from shlo_kernel.cells.grid_calls import read_grid_call
from shlo_kernel.cells.session import LAST
from shlo_kernel.magics.grids import KEYWORDS
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.mime.bundle import Value, mime_of

if TYPE_CHECKING:
    from shlo.debugger import Session


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
    outcomes = list(
        run_module("session", session.module, argument.strip(), RunOptions(semantics=session.semantics))
    )
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
    from shlo_kernel.widgets.stepper import Stepper

    notebook.screen.show(Stepper(_session(notebook, argument))._repr_mimebundle_() or {})


def _session(notebook: Notebook, argument: str) -> Session:
    """Returns the call, or the calls of a grid behind `--grid`, at the beginning."""
    from shlo.debugger import Session

    text = argument.strip()
    if not text.startswith("--grid"):
        call = read_call(notebook.session, text)
        return Session(
            call.module, call.arguments, entry=call.function.name, semantics=notebook.session.semantics
        )
    names, grid = read_grid_call(notebook.session, text.removeprefix("--grid").lstrip(" ="))
    if names:
        raise RequestError("the results of what is stepped through get no names", f"write %step {_STEPS}")
    return Session(grid.modules, grid.inputs, semantics=notebook.session.semantics, **grid.keywords())


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
        words=("--grid", *KEYWORDS),
    ),
    Magic(
        "semantics",
        "[spec|xla]",
        "what runs follow: the specification, or XLA where it departs from it",
        _semantics,
        words=("spec", "xla"),
    ),
    Magic("test", "[WORD]", "run functions without arguments, which check their own results", _test),
)
