"""Magics that run functions or show them, such as `%run` and `%cost`."""

from __future__ import annotations

import re
import time
from argparse import ArgumentTypeError
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct
from msgspec.structs import asdict, replace

from shlo.command_line.options import byte_count
from shlo.costs.analysis import cost
from shlo.costs.report import cost_with_text
from shlo.interpreter.spmd.wait_for_graph import GridError
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.source import Source, Span
from shlo.runner.arguments.grid import GridCall
from shlo.runner.errors import RequestError, quoted
from shlo.runner.profile import RunProfile
from shlo.syntax.lexer.strings import readable_symbol
from shlo.text.numbers import plural
from shlo.text.suggest import did_you_mean
from shlo_kernel.cells.calls import (
    FunctionCall,
    called_function,
    check_names,
    read_call,
    read_grid_call,
    read_names,
)
from shlo_kernel.cells.errors import grid_error, mime_of_grid
from shlo_kernel.cells.session import LAST, RunSettings
from shlo_kernel.magics.magic import Magic
from shlo_kernel.magics.options import (
    ENGINE,
    LIMITS,
    Options,
    read_options,
    runner_in,
    selection_in,
)
from shlo_kernel.mime.bundle import HTML, TEXT, CellValue, mime_of, mime_of_graph
from shlo_kernel.mime.grid import mime_of_results
from shlo_kernel.mime.markup import render

if TYPE_CHECKING:
    from shlo_kernel.notebook import NotebookSession


def _run(notebook: NotebookSession, argument: str, body: str | None) -> None:
    options, argument = read_options(argument, _RUN_OPTIONS)
    runner, lines = runner_in(options)
    settings = _limits(notebook, options)
    names, text = read_names(argument)
    call = read_call(notebook.session, text)
    execute = notebook.session.execute_program if runner is None else runner.execute
    with _lines_behind(notebook, lines):
        run_options = notebook.session.options(call.function.name, None, settings)
        results = execute(call.module, call.arguments, run_options)
    _keep(notebook, call, names, results)


@contextmanager
def _lines_behind(notebook: NotebookSession, lines: Callable[[], Iterable[str]]) -> Generator[None]:
    """Writes lines about a run behind it, also where it fails, with the places of cells in them."""
    try:
        yield
    finally:
        text = "".join(f"{notebook.session.state.definitions.place(line)}\n" for line in lines())
        if text:
            notebook.screen.write(text)


def _limits(notebook: NotebookSession, options: Options) -> RunSettings:
    """Returns the settings with the limits that options set; raises RequestError."""
    settings = notebook.session.state.settings
    for name in LIMITS:
        if name in options:
            settings = with_setting(settings, name.replace("-", "_"), options[name])
    return settings


def with_setting(settings: RunSettings, name: str, text: str) -> RunSettings:
    """Returns settings with one more of a text; raises RequestError."""
    if name == "progress" and text in ("on", "off"):
        return replace(settings, progress=text == "on")
    if name == "max_steps" and (text == "none" or _NATURAL.fullmatch(text)):
        return replace(settings, max_steps=None if text == "none" else int(text))
    if name == "max_bytes":
        with suppress(ArgumentTypeError):
            return replace(settings, max_bytes=None if text == "none" else byte_count(text))
    expected = {"progress": "on or off", "max_steps": "a number or none", "max_bytes": "a size or none"}
    if name not in expected:
        hint = did_you_mean(name, expected, "{}", f"there are {', '.join(expected)}")
        raise RequestError(f"there is no setting {quoted(name)}", hint)
    raise RequestError(f"expected {expected[name]} for {name}, got {quoted(text)}")


def _config(notebook: NotebookSession, argument: str, body: str | None) -> None:
    session, words = notebook.session, argument.replace("=", " ").split()
    if len(words) > 2:
        raise RequestError(
            f"expected a setting and its value, got {quoted(argument)}", "write %config max_steps 1000"
        )
    if len(words) == 2:
        settings = with_setting(session.state.settings, *words)
        session.state = replace(session.state, settings=settings)
    shown = asdict(session.state.settings)
    forms = {"None": "none", "True": "on", "False": "off"}
    for name, value in shown.items():
        if not words or words[0] == name:
            notebook.screen.write(f"{name} {forms.get(str(value), value)}\n")


class _ProfiledRun(Struct, frozen=True):
    """A call that was run, the names for its results, and what its operations took."""

    names: Sequence[str]
    call: FunctionCall
    results: tuple[Any, ...]
    profile: RunProfile
    seconds: float


def _profiled(notebook: NotebookSession, argument: str) -> _ProfiledRun:
    """Runs the call that an argument writes, and measures it."""
    options, argument = read_options(argument, LIMITS)
    settings = _limits(notebook, options)
    names, text = read_names(argument)
    call, profile = read_call(notebook.session, text), RunProfile()
    started = time.perf_counter()
    run_options = notebook.session.options(call.function.name, profile, settings)
    results = notebook.session.execute_program(call.module, call.arguments, run_options)
    return _ProfiledRun(names, call, results, profile, time.perf_counter() - started)


def _profile(notebook: NotebookSession, argument: str, body: str | None) -> None:
    run = _profiled(notebook, argument)
    check_names(run.names, run.call.function.name, len(run.results))
    profile, seconds = run.profile, run.seconds
    rows = [
        (entry.name, entry.count, f"{entry.seconds * 1e3:,.3f}", 100 * entry.seconds / (seconds or 1))
        for entry in profile.costs
    ]
    table = render("profile", rows=rows, total=f"{seconds * 1e3:,.3f}")
    notebook.screen.show({TEXT: profile.table(seconds), HTML: table})


def _keep(
    notebook: NotebookSession, call: FunctionCall, names: Sequence[str], results: tuple[Any, ...]
) -> None:
    """Keeps and shows the results under names that the user gave, or as the last ones."""
    types = call.function.type.results
    check_names(names, call.function.name, len(results))
    if not names:
        names = [LAST] if len(results) == 1 else [f"{LAST}#{index}" for index in range(len(results))]
    values = {name: CellValue(type_, result) for name, type_, result in zip(names, types, results)}
    notebook.session.set_values(values)
    for number, (name, value) in enumerate(values.items(), 1):
        show = notebook.screen.show_result if number == len(values) else notebook.screen.show
        show(mime_of(name, *value))


def _time(notebook: NotebookSession, argument: str, body: str | None) -> None:
    if body is not None:
        wall, processor = time.perf_counter(), time.process_time()
        notebook.run_body(body)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        notebook.screen.write(f"{wall * 1e3:.3f} ms ({processor * 1e3:.3f} ms of the processor)\n")
        return
    run = _profiled(notebook, argument)
    _keep(notebook, run.call, run.names, run.results)
    notebook.screen.write(run.profile.table(run.seconds) + "\n")


def _test(notebook: NotebookSession, argument: str, body: str | None) -> None:
    from shlo.interpreter import RunOptions
    from shlo.runner.test_programs import is_test, run_module

    session = notebook.session
    definitions = session.state.definitions
    options = RunOptions(semantics=session.semantics)
    chosen, argument = read_options(argument, _TEST_OPTIONS)
    selection, execute = selection_in(chosen), None
    if selection is not None:
        from shlo.sanitizer.run import execute_strictly

        execute = partial(execute_strictly, selection=selection)
    outcomes = [
        replace(outcome, name=f"{module}.{name}" if module else name)
        for module, program in definitions.programs
        for outcome in run_module("session", program, argument.strip(), options, execute)
        for name in [outcome.name.partition("::")[2]]
    ]
    for outcome in outcomes:
        location = f" ({definitions.place(outcome.place)})" if outcome.place else ""
        message = f": {definitions.place(outcome.message)}{location}" if outcome.message else ""
        notebook.screen.write(f"{outcome.verdict} {readable_symbol(outcome.name)}{message}\n")
    bad = sum(outcome.verdict != "passed" for outcome in outcomes)
    if not outcomes:
        total = sum(
            is_test(function)
            for _, program in definitions.programs
            for function in program.functions.values()
        )
        if total:
            raise RequestError(
                f"the filter {quoted(argument.strip())} matches none of {plural(total, 'test')}"
            )
        raise RequestError("there are no tests", "a test is a public function without arguments")
    notebook.screen.write(f"{len(outcomes) - bad} passed, {bad} failed\n")
    if bad:
        raise RequestError(f"{bad} of {len(outcomes)} tests failed")


def _step(notebook: NotebookSession, argument: str, body: str | None) -> None:
    from shlo.debugger.session import Session, session_for
    from shlo_kernel.widgets.stepper import Stepper

    options, text = read_options(argument, _STEP_OPTIONS)
    semantics = notebook.session.semantics
    if "grid" in options:
        names, grid = read_grid_call(notebook.session, f"{options['grid']} {text}")
        if names:
            raise RequestError("the results of what is stepped through get no names", f"write %step {_STEPS}")
        session = Session(grid.modules, grid.inputs, semantics=semantics, **grid.keywords())
    else:
        call = read_call(notebook.session, text)
        session = session_for(call.module, call.arguments, entry=call.function.name, semantics=semantics)
    stepper = Stepper(session)
    notebook.keep_widget(stepper)
    notebook.screen.show(stepper.mime_bundle())


def _graph(notebook: NotebookSession, argument: str, body: str | None) -> None:
    module, function = called_function(notebook.session, argument.strip())
    notebook.screen.show(mime_of_graph(module, function.name))


def _cost(notebook: NotebookSession, argument: str, body: str | None) -> None:
    module, function = called_function(notebook.session, argument.strip())
    notebook.screen.write(f"{cost_with_text(cost(module, function.name))}\n")


def _grid(notebook: NotebookSession, argument: str, body: str | None) -> None:
    options, written = read_options(argument, _GRID_OPTIONS)
    runner, lines = runner_in(options)
    names, call = read_grid_call(notebook.session, written)
    count = max(len(function.type.results) for function in call.functions)
    check_names(names, call.functions[0].name, count)
    names = names or ([LAST] if count == 1 else [f"{LAST}{index}" for index in range(count)])
    processes = _run_grid(notebook, argument, call, runner, lines)
    results: dict[str, dict[int, CellValue]] = {name: {} for name in names}
    for process, (function, values) in enumerate(zip(call.functions, processes)):
        for name, type_, value in zip(names, function.type.results, values):
            results[name][process] = CellValue(type_, value)
    for name, values in results.items():
        notebook.session.set_values({f"{name}#{process}": value for process, value in values.items()})
        notebook.screen.show(mime_of_results(name, GridShape(call.replicas, call.partitions), values))
    if not results:
        notebook.screen.write(f"all {len(call.places):,} processes are done; they have no results\n")


def _run_grid(
    notebook: NotebookSession,
    argument: str,
    call: GridCall,
    runner: Any,
    lines: Callable[[], Iterable[str]],
) -> list[tuple[Any, ...]]:
    """Returns the results of each process; raises CellError where the grid cannot go on."""
    from shlo.interpreter import RunOptions

    session = notebook.session
    try:
        with _lines_behind(notebook, lines):
            if runner is None:
                return session.execute_grid(call, session.semantics)
            options = RunOptions(semantics=session.semantics, **call.keywords())
            return runner.execute_grid(call.modules, call.inputs, options)
    except GridError as error:
        definitions = notebook.session.state.definitions
        notebook.screen.show(mime_of_grid(definitions, error))
        line = f"%grid {argument}"
        raise grid_error(definitions, error, Source(line, notebook.label), Span(0, len(line))) from None


def _semantics(notebook: NotebookSession, argument: str, body: str | None) -> None:
    from shlo.interpreter.semantics import SEMANTICS

    word = argument.strip()
    if word and word not in SEMANTICS:
        raise RequestError(f"expected {' or '.join(SEMANTICS)}, got {quoted(word)}")
    session = notebook.session
    for semantics in SEMANTICS:
        if semantics == word:
            session.state = replace(session.state, semantics=semantics)
    notebook.screen.write(f"{session.semantics}\n")


_NATURAL: Final = re.compile(r"[0-9]{1,18}", re.ASCII)
DETAILS: Final = """2x4 are 2 replicas of 4 partitions. Arguments are those of %run, the same for all, unless
--split 0:1 splits argument 0 along dimension 1 (0 unless that is said) into a part for each, or they have
{process}, {replica} or {partition} in them, the numbers of each process:
  x{process}.npy, random {process}, %x#{process} of values %x#0, %x#1, ...; also @stage_{partition}(...)
The results of process 3 are kept as %_#3 or %y#3."""
_RUN_OPTIONS: Final = (*LIMITS, *ENGINE, "sanitize", "shadow")
_GRID_OPTIONS: Final = ("sanitize", *ENGINE)
_TEST_OPTIONS: Final = ("sanitize",)
_STEP_OPTIONS: Final = ("grid",)
_GENERATED: Final = ("random", "zeros", "--random", "--zeros")
_KEYWORDS: Final = ("--split", "{process}", "{replica}", "{partition}")

_CALL: Final = "@f(%x, 2.0, x.npy, random)"
_STEPS: Final = "[--grid 2x4] @f(%x, 2.0)"


def _written(options: Iterable[str]) -> list[str]:
    """Returns options as they are written."""
    return [f"--{name}" for name in options]


RUNNING: Final = (
    Magic(
        "run",
        f"[--max-steps N] [--engine xla] [--sanitize] [--shadow f64] [%y =] {_CALL}",
        "run a function; its results are shown, and kept as %_ or %y",
        _run,
        details="--engine xla [--platform gpu] [--devices N] runs it with XLA, so does %grid; "
        "--engine-command 'CMD' with your own back end. "
        "--sanitize tells what the specification leaves open (docs/sanitizer.md), --shadow f64 which "
        "operations lose digits (docs/shadow.md). Options may be in any order, behind the call, too. "
        "@f(random) or @f() --random 0 makes all arguments up; @f(data.npz) takes them by name",
        words=lambda: (*_GENERATED, *_written(_RUN_OPTIONS)),
        defines="named",
    ),
    Magic(
        "time",
        _CALL,
        "run it and tell what the time went into; %%time times a cell",
        _time,
        takes_cell=True,
        words=lambda: (*_GENERATED, *_written(LIMITS)),
        defines="named",
    ),
    Magic(
        "step",
        _STEPS,
        "go through it step by step, both ways",
        _step,
        details="--grid takes what %grid does: the processes of a grid, all of them or one",
        words=lambda: (*_written(_STEP_OPTIONS), *_KEYWORDS, *_GENERATED),
    ),
    Magic("cost", "@f", "what a run costs, without running: FLOPs, bytes, memory", _cost),
    Magic("graph", "@f", "draw its program: scopes that open, values on edges, costs as colours", _graph),
    Magic(
        "semantics",
        "[spec|xla]",
        "what runs follow: the specification, or XLA where it departs from it",
        _semantics,
        words=lambda: ("spec", "xla"),
    ),
    Magic(
        "config",
        "[max_steps N | max_bytes 2G | progress off]",
        "limits of runs, and whether long ones show how far they are",
        _config,
        words=lambda: RunSettings.__struct_fields__,
    ),
    Magic(
        "profile",
        _CALL,
        "run it and show the time by kind of operation, as bars",
        _profile,
        words=lambda: (*_GENERATED, *_written(LIMITS)),
        defines="named",
    ),
    Magic(
        "test",
        "[--sanitize] [WORD]",
        "run functions without arguments, which check their own results",
        _test,
        details="With --sanitize, one in which the specification leaves something open fails.",
        words=lambda: _written(_TEST_OPTIONS),
    ),
    Magic(
        "grid",
        "[--sanitize] 2x4 [%y =] @f(%x, ...)",
        "run a function in a grid of processes, side by side; %help grid tells more",
        _grid,
        details=DETAILS,
        words=lambda: (*_written(_GRID_OPTIONS), *_KEYWORDS, *_GENERATED),
        defines="named",
    ),
)
