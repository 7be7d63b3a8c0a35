"""Magics that run functions: `%run`, `%time`, `%test`, `%step`."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any, Final

from shlo.runner.errors import RequestError
from shlo.runner.profile import Profile
from shlo_kernel.calls import Call, read_call
from shlo_kernel.display import mime_of
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.session import LAST, Value

_ASSIGNMENT: Final = re.compile(r"(?P<names>%[\w$.-]+(?:\s*,\s*%[\w$.-]+)*)\s*=(?P<call>.*)\Z", re.DOTALL)


def _run(notebook: Notebook, argument: str, body: str | None) -> None:
    names, text = _names(argument)
    call = read_call(notebook.session, text)
    _keep(notebook, call, names, _results(call))


def _names(argument: str) -> tuple[list[str], str]:
    """The names that a call's results get, none where the text gives none, and the call."""
    match = _ASSIGNMENT.match(argument.strip())
    if match is None:
        return [], argument
    return [name.strip().removeprefix("%") for name in match["names"].split(",")], match["call"]


def _results(call: Call, profile: Profile | None = None) -> tuple[Any, ...]:
    from shlo import interpreter

    return interpreter.run(call.module, *call.arguments, entry=call.function.name, profile=profile)


def _keep(notebook: Notebook, call: Call, names: Sequence[str], results: tuple[Any, ...]) -> None:
    """Keeps and shows the results under names that the user gave, or as the last ones."""
    types = call.function.type.results
    if names and len(names) != len(results):
        found = f"{len(results)} result{'' if len(results) == 1 else 's'}"
        raise RequestError(f"@{call.function.name} gives {found}, {len(names)} names are given")
    if not names:
        names = [LAST] if len(results) == 1 else [f"{LAST}#{index}" for index in range(len(results))]
    kept = {name: Value(type_, result) for name, type_, result in zip(names, types, results)}
    notebook.session.set_values(kept)
    for name, value in kept.items():
        notebook.screen.show(mime_of(name, *value))


def _time(notebook: Notebook, argument: str, body: str | None) -> None:
    if body is not None:
        return _time_cell(notebook, body)
    names, text = _names(argument)
    call, profile = read_call(notebook.session, text), Profile()
    started = time.perf_counter()
    results = _results(call, profile)
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
    from shlo.runner.test_programs import run_module

    library = notebook.session.state.library
    outcomes = list(run_module("session", notebook.session.module, argument.strip()))
    for outcome in outcomes:
        name = outcome.name.partition("::")[2]
        place = f" ({library.place(outcome.place)})" if outcome.place else ""
        message = f": {outcome.message}{place}" if outcome.message else ""
        notebook.screen.write(f"{outcome.verdict} @{name}{message}\n")
    bad = sum(outcome.verdict != "passed" for outcome in outcomes)
    if not outcomes:
        raise RequestError("there are no tests", "a test is a public function without arguments")
    notebook.screen.write(f"{len(outcomes) - bad} passed, {bad} failed\n")
    if bad:
        raise RequestError(f"{bad} of {len(outcomes)} tests failed")


def _step(notebook: Notebook, argument: str, body: str | None) -> None:
    from shlo.debugger import Session
    from shlo_kernel import stepper

    call = read_call(notebook.session, argument)
    session = Session(call.module, call.arguments, entry=call.function.name)
    notebook.screen.show(stepper.show(session)._repr_mimebundle_() or {})


_CALL: Final = "@f(%x, 2.0, x.npy, random)"
RUNNING: Final = (
    Magic("run", f"[%y =] {_CALL}", "run a function; its results are shown, and kept as %_ or %y", _run),
    Magic("time", _CALL, "run it and tell what the time went into; %%time times a cell", _time, True),
    Magic("step", _CALL, "go through it step by step, both ways", _step),
    Magic("test", "[WORD]", "run functions without arguments, which check their own results", _test),
)
