"""Main function of the child process: reads a job, runs it, and reports the outcome in lines of JSON.

A line for each result, then one with the status. The parent keeps standard input open; its end tells that
the parent is gone, and the child goes too. Whatever a handler of a custom call prints goes to standard error.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, TextIO

from shlo.engines import DEFAULT
from shlo.ir.diagnostics import ExecutionError, ParseError, ShloError
from shlo.ir.dtypes import saveable
from shlo.ir.source import Source
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
Line = dict[str, Any]


def work(job: Mapping[str, Any]) -> None:
    """Runs a job: `text`, its `name`, the `function`, its `arguments`, `filling` and `seed` of those that
    are missing, the `engine`, `bytes` that it may take, `observe`: for how many seconds values on the way are
    looked at,
    the folder to `save` results in, or None.
    """
    output = _own_output()
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    for line in _lines(job):
        output.write(json.dumps(line) + "\n")
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


def _lines(job: Mapping[str, Any]) -> Iterator[Line]:
    import_module("shlo.interpreter")  # before the clock starts

    source = Source(job["text"], job["name"])
    started = time.perf_counter()
    facts: Line = {}
    observations: Observations = {}
    try:
        results = _results(source, job, facts, observations)
        seconds = time.perf_counter() - started
        yield from ({"result": result} for result in results())
        yield from _values(source, observations)
        yield {**facts, "status": "done", "seconds": seconds}
    except BaseException as error:
        yield from _values(source, observations)
        yield {**facts, **_failure(source, error), "seconds": time.perf_counter() - started}


def _values(source: Source, observations: Observations) -> Iterator[Line]:
    for observed in observations.values():
        yield {
            "value": {
                "place": source.position(observed.offset),
                "text": observed.text,
                "count": observed.count,
            }
        }


def _results(
    source: Source, job: Mapping[str, Any], facts: Line, observations: Observations
) -> Callable[[], Iterator[Line]]:
    """Runs the function; what it gives shows the results. `facts` gets the `grid` that it needs, if one;
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

    engine = _engine(job.get("engine", DEFAULT))
    max_bytes = None if limit_memory(job["bytes"]) or engine is not None else job["bytes"]
    module = valid_program(source)
    function = entry_function(module, job["function"])
    if grid := needed_grid(module, function.name):
        facts["grid"] = f"{grid.replicas}x{grid.partitions}"
    inputs = load_arguments(function, ArgumentTexts(job["arguments"], job["filling"], job["seed"]))
    options = RunOptions(entry=function.name, max_bytes=max_bytes, probe_folder=os.getcwd())
    if engine is None:
        values = observed_run(module, inputs, options, job["observe"], observations)
    else:
        values = engine.execute(module, inputs, options)

    def shown() -> Iterator[Line]:
        left = SAVED_AT_MOST
        for number, (type_, value) in enumerate(list(zip(function.type.results, values))[:MAX_RESULTS]):
            line = {"type": str(type_), "text": array_text(value), "summary": summary(value)}
            if job.get("save") and (array := tensor_of(value)) is not None and array.nbytes <= left:
                left -= array.nbytes
                np.save(os.path.join(job["save"], f"{number}.npy"), saveable(array), allow_pickle=False)
                line["dtype"] = array.dtype.name
            yield line

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


def _failure(source: Source, error: BaseException) -> Line:
    if isinstance(error, ParseError):
        first = next(diagnostic for diagnostic in error.diagnostics if diagnostic.severity == "error")
        position = source.position(first.span.start)
        return {"status": "failed", "message": first.message, "place": position}
    status = "memory limit" if _is_for_memory(error) else "failed"
    if isinstance(error, ExecutionError):
        return {"status": status, "message": error.message, "place": _place(error)}
    if isinstance(error, ShloError):
        return {"status": status, "message": error.with_hint}
    status = status if isinstance(error, MemoryError) else "crashed"
    return {"status": status, "message": f"{type(error).__name__}: {error}"}


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
