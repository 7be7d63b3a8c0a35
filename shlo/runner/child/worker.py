"""Main function of the child process: reads a job, runs it, and reports the outcome as JSON.

The parent keeps standard input open; its end tells that the parent is gone, and the child goes too. Whatever
a handler of a custom call prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

from msgspec import convert, to_builtins
from msgspec.structs import replace

from shlo.engines import DEFAULT
from shlo.ir.diagnostics import ExecutionError, ParseError, ShloError
from shlo.ir.dtypes import saveable
from shlo.ir.source import Source
from shlo.runner.child.launch import Job, LineValue, RunOutcome, ShownResult
from shlo.support.memory import limit_memory

if TYPE_CHECKING:
    from shlo.engines import Engine
    from shlo.runner.observed import Observations

MAX_RESULTS = 100
"""How many results are shown."""
SAVED_AT_MOST = 64 << 20
"""Bytes of the results that are saved, together."""
DEVICES = 8
"""How many devices a program may be for that another engine than the interpreter runs."""


def work(told: Mapping[str, Any]) -> None:
    """Runs the `Job` that the process was told, and reports its `RunOutcome`."""
    output = _own_output()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    output.write(json.dumps(to_builtins(_outcome(convert(told, Job)))))
    output.flush()
    os._exit(0)  # nothing is left to tidy, and a thread waits for the parent


def _own_output() -> TextIO:
    """Standard output for this protocol alone; what else is written there goes to standard error."""
    output = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)
    return output


def _leave_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


def _outcome(job: Job) -> RunOutcome:
    import_module("shlo.interpreter")  # before the clock starts
    source, grids = Source(job.text, job.name), list[str]()
    observations: Observations = {}
    started = time.perf_counter()
    try:
        results = _results(source, job, grids, observations)
        seconds = time.perf_counter() - started
        outcome = RunOutcome("done", seconds, tuple(results()))
    except BaseException as error:
        outcome = replace(_failure(source, error), seconds=time.perf_counter() - started)
    values = (
        LineValue(source.position(observed.offset), observed.text, observed.count)
        for observed in observations.values()
    )
    return replace(outcome, grid=grids[0] if grids else None, values=tuple(values))


def _results(
    source: Source, job: Job, grids: list[str], observations: Observations
) -> Callable[[], Iterator[ShownResult]]:
    """Runs the function; what it gives shows the results. `grids` gets the one that it needs, if one;
    `observations` the values on the way, of the first seconds that the job says.
    """
    import numpy as np

    from shlo.interpreter import RunOptions
    from shlo.interpreter.spmd.needed_grid import needed_grid
    from shlo.runner.arguments.call import ArgumentTexts, entry_function, load_arguments
    from shlo.runner.display import array_text, summary
    from shlo.runner.equality import tensor_of
    from shlo.runner.observed import observed_run
    from shlo.runner.validity import valid_program

    engine = _engine(job.inputs.engine)
    max_bytes = None if limit_memory(job.bytes) or engine is not None else job.bytes
    module = valid_program(source)
    function = entry_function(module, job.function)
    if grid := needed_grid(module, function.name):
        grids.append(f"{grid.replicas}x{grid.partitions}")
    given = job.inputs
    inputs = load_arguments(function, ArgumentTexts(given.arguments, given.filling, given.seed))
    options = RunOptions(entry=function.name, max_bytes=max_bytes, probe_folder=os.getcwd())
    if engine is None:
        values = observed_run(module, inputs, options, job.observe, observations)
    else:
        values = engine.execute(module, inputs, options)

    def shown() -> Iterator[ShownResult]:
        left = SAVED_AT_MOST
        for number, (type_, value) in enumerate(list(zip(function.type.results, values))[:MAX_RESULTS]):
            dtype = None
            if job.save_folder and (array := tensor_of(value)) is not None and array.nbytes <= left:
                left -= array.nbytes
                np.save(os.path.join(job.save_folder, f"{number}.npy"), saveable(array), allow_pickle=False)
                dtype = array.dtype.name
            yield ShownResult(str(type_), array_text(value), summary(value), dtype)

    return shown


def _engine(name: str) -> Engine | None:
    """Returns an engine that has started, so that what it reserves does not count as memory of the run; None
    for the interpreter, whose runs can be looked at.
    """
    from shlo.engines import Placement, engine_of

    if name == DEFAULT:
        return None
    engine = engine_of(name, Placement(devices=DEVICES))
    engine.start()
    return engine


def _failure(source: Source, error: BaseException) -> RunOutcome:
    if isinstance(error, ParseError):
        first = next(diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error")
        return RunOutcome("failed", 0.0, message=first.message, place=source.position(first.span.start))
    status = "memory limit" if _is_for_memory(error) else "failed"
    if isinstance(error, ExecutionError):
        return RunOutcome(status, 0.0, message=error.message, place=_place(error))
    if isinstance(error, ShloError):
        return RunOutcome(status, 0.0, message=error.with_hint)
    status = status if isinstance(error, MemoryError) else "crashed"
    return RunOutcome(status, 0.0, message=f"{type(error).__name__}: {error}")


def _is_for_memory(error: BaseException | None) -> bool:
    from shlo.interpreter.runtime.limits import OutOfBytes

    while error is not None:
        if isinstance(error, (MemoryError, OutOfBytes)):
            return True
        error = error.__cause__
    return False


def _place(error: ExecutionError) -> tuple[int, int] | None:
    """Returns line and column from the `file:line:column` of an error."""
    numbers = error.place.rsplit(":", 2)[1:] if error.place else []
    return (
        (int(numbers[0]), int(numbers[1])) if len(numbers) == 2 and all(map(str.isdigit, numbers)) else None
    )
