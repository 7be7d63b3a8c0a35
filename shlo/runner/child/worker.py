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
from pathlib import Path
from typing import Any, TextIO

from shlo.ir.diagnostics import ExecutionError, ParseError, ShloError
from shlo.ir.source import Source

MAX_RESULTS = 100
"""How many results are shown."""
Line = dict[str, Any]


def work(job: Mapping[str, Any]) -> None:
    """Runs a job: `text`, its `name`, the `function`, `filling` of its inputs, `bytes` that it may take."""
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
    try:
        results = _results(source, job)
        seconds = time.perf_counter() - started
        yield from ({"result": result} for result in results())
        yield {"status": "done", "seconds": seconds}
    except BaseException as error:
        yield {**_failure(source, error), "seconds": time.perf_counter() - started}


def _results(source: Source, job: Mapping[str, Any]) -> Callable[[], Iterator[Line]]:
    """Runs the function; what it gives shows the results."""
    from shlo.interpreter import RunOptions, execute
    from shlo.runner.arguments.call import entry_function, load_arguments
    from shlo.runner.display import array_text, summary
    from shlo.runner.validity import valid_program

    max_bytes = None if limit_memory(job["bytes"]) else job["bytes"]
    module = valid_program(source)
    function = entry_function(module, job["function"])
    inputs = load_arguments(function, [], job["filling"], seed=0)
    options = RunOptions(entry=function.name, max_bytes=max_bytes, probe_folder=os.getcwd())
    values = execute(module, inputs, options)

    def shown() -> Iterator[Line]:
        for type_, value in list(zip(function.type.results, values))[:MAX_RESULTS]:
            yield {"type": str(type_), "text": array_text(value), "summary": summary(value)}

    return shown


def limit_memory(size: int) -> bool:
    """Lets this process take that many bytes more than it has, and says whether that can be had: the system
    is Linux. Elsewhere the tensors alone are counted.
    """
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except (ImportError, OSError):
        return False
    limit = pages * resource.getpagesize() + size
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    return True


def _failure(source: Source, error: BaseException) -> Line:
    if isinstance(error, ParseError):
        first = next(each for each in error.diagnostics if each.severity == "error")
        place = source.position(first.span.start)
        return {"status": "failed", "message": first.message, "place": place}
    status = "memory limit" if _is_for_memory(error) else "failed"
    if isinstance(error, ExecutionError):
        return {"status": status, "message": error.message, "place": _place(error)}
    if isinstance(error, ShloError):
        return {"status": status, "message": str(error)}
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
