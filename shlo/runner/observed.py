"""A run that is looked at on its way: a summary of the last value that each operation gave."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from shlo.interpreter import RunOptions, execute, make_process
from shlo.interpreter.engine.stepper import Process, Step
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.ir.operations import Module
from shlo.runner.statistics import has_infinity, has_nan, statistics_of, tensor_of
from shlo.text.statistics import summary_line

MAX_OBSERVED: Final = 20_000
"""How many operations have their values kept."""

MAX_ELEMENTS: Final = 4_000_000
"""How many elements a value may have to be looked at."""


@dataclass(slots=True)
class Observed:
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
    """Returns the results of a run, as `execute` does, and looks at values for its first seconds.

    `observations` holds what was seen also where the run fails. A program that runs in a grid is not looked
    at. Raises ExecutionError.
    """
    if legacy_partitions(module, options.entries[0], options.semantics) > 1:
        return execute(module, arguments, options)
    process = make_process(module, arguments, options)
    deadline = time.perf_counter() + seconds
    while process.status == "ready" and time.perf_counter() < deadline:
        _observe(process, process.step(), observations)
    while process.status == "ready":
        process.advance()
        if process.status == "ready":
            process.step()
    return process.results


def _observe(process: Process, step: Step, observations: Observations) -> None:
    """Looks at the first result of a step. It may be that of the control flow that the step ends: then it is
    bound where the innermost frame is now."""
    if not step.results or not process.frames:
        return
    (register, value), code = step.results[0], process.frames[-1].code
    index = code.defined_at.get(register, -1)
    key = id(code), index
    known = observations.get(key)
    array = tensor_of(value)
    if array is None or array.size > MAX_ELEMENTS or index < 0:
        return
    if known is None and len(observations) >= MAX_OBSERVED:
        return
    statistics = statistics_of(array)
    text = summary_line(statistics) if statistics else ""
    if known is None:
        known = observations[key] = Observed(code.span(index).start, text)
    else:
        known.text, known.count = text, known.count + 1
    if known.nonfinite != "NaN":
        values = [each for _, each in step.results]
        if any(map(has_nan, values)):
            known.nonfinite = "NaN"
        elif any(map(has_infinity, values)):
            known.nonfinite = "Inf"
