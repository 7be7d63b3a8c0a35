"""A run whose values are observed: a summary of the last value that each operation gave."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter import RunOptions, make_process
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.execution import grid_of_bodies, make_grid
from shlo.interpreter.kernel_api import Body
from shlo.interpreter.runtime.context import ExecutionContext, GridRunner, Values
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.operations import Module
from shlo.runner.statistics import has_infinity, has_nan, statistics_of, tensor_of
from shlo.text.statistics import summary_line

MAX_OBSERVED: Final = 20_000
"""How many operations have their values kept."""

MAX_ELEMENTS: Final = 4_000_000
"""How many elements a value may have to be looked at."""


class Observed(Struct):
    """The last value of an operation's first result: where the operation starts in the text, a summary, how
    many values it gave, and whether any result ever had a NaN or else an infinity."""

    offset: int
    text: str
    count: int = 1
    nonfinite: Literal["", "NaN", "Inf"] = ""


Observations = dict[tuple[int, int], Observed]
"""By the identity of the code and the number of the instruction."""


def observed_run(
    module: Module,
    arguments: Sequence[Any],
    options: RunOptions,
    seconds: float,
    observations: Observations,
) -> tuple[Any, ...]:
    """Returns the results of a run, as `execute` does, and looks at values for its first seconds, at those of
    all processes where parts of the program run on several devices.

    `observations` holds what was seen also where the run fails. Raises ExecutionError.
    """
    deadline = time.perf_counter() + seconds
    partitions = legacy_partitions(module, options.entries[0], options.semantics)
    if partitions > 1:
        grid = make_grid(module, [arguments], replace(options, partitions=partitions))
        _run_grid(grid, deadline, observations)
        return grid.results[0]
    process = make_process(module, arguments, options)
    process.context.grid_runner = _body_runner(deadline, observations)
    while process.status == "ready" and time.perf_counter() < deadline:
        _observe(process, process.step(), observations)
    while process.status == "ready":
        process.advance()
        if process.status == "ready":
            process.step()
    return process.results


def _body_runner(deadline: float, observations: Observations) -> GridRunner:
    """Returns what runs the bodies of manual computations, and looks at their values."""

    def run(
        bodies: Sequence[Body],
        contexts: Sequence[ExecutionContext],
        shape: GridShape,
        arguments: Sequence[Values],
    ) -> list[Values]:
        grid = grid_of_bodies(bodies, contexts, shape, arguments)
        _run_grid(grid, deadline, observations)
        return [process.returned for process in grid.processes]

    return run


def _run_grid(grid: ProcessGrid, deadline: float, observations: Observations) -> None:
    """Takes all steps of a grid, and looks at those before the deadline."""
    for process in grid.processes:
        process.context.grid_runner = _body_runner(deadline, observations)
    while time.perf_counter() < deadline and (number := grid.next_process) is not None:
        done = grid.step(number)
        for stepped, step in (*done.resumed, *([(number, done.step)] if done.step else ())):
            _observe(grid.processes[stepped], step, observations)
    grid.finish()


def _observe(process: Process, step: Step, observations: Observations) -> None:
    """Looks at the first result of a step. It may be that of the control flow that the step ends: then it is
    bound where the innermost frame is now."""
    if not step.results or not process.frames:
        return
    (register, value), code = step.results[0], process.frames[-1].code
    index = code.defined_at.get(register, -1)
    key = id(code), index
    observed = observations.get(key)
    array = tensor_of(value)
    if array is None or array.size > MAX_ELEMENTS or index < 0:
        return
    if observed is None and len(observations) >= MAX_OBSERVED:
        return
    statistics = statistics_of(array)
    text = summary_line(statistics) if statistics else ""
    if observed is None:
        observed = observations[key] = Observed(code.span(index).start, text)
    else:
        observed.text, observed.count = text, observed.count + 1
    if observed.nonfinite != "NaN":
        values = [result for _, result in step.results]
        if any(map(has_nan, values)):
            observed.nonfinite = "NaN"
        elif any(map(has_infinity, values)):
            observed.nonfinite = "Inf"
