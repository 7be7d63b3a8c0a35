"""Main function of the child process that runs XLA: programs and arguments in, results out."""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Sequence
from threading import Lock
from typing import IO, Any, Final

from shlo.engines.engine import EngineError, Placement
from shlo.engines.xla.engine import XlaEngine
from shlo.engines.xla.messages import ChannelClosed, error_header, raise_error_of, receive, send
from shlo.engines.xla.programs import tensors_of, with_tokens
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.support.processes import leave_with
from shlo.syntax import parse

MOST_PROGRAMS: Final = 1024
"""How many programs are kept, with their executables; of others the text is asked for again."""


def serve(job: dict[str, Any]) -> None:
    """Answers messages on standard input on what was standard output, until the parent ends.

    A message names a program by a number, and has its text where the child does not know it; the answer has
    the results, an error, or `unknown`. The first answer is to no message: it says that JAX has started. What
    XLA writes to standard output goes to standard error.
    """
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    source = os.fdopen(0, "rb", closefd=False)
    leave_with()
    programs: OrderedDict[int, Module] = OrderedDict()
    engine = XlaEngine(Placement(*job["placement"]))
    try:
        engine.start()
    except EngineError as error:
        send(output, {"engine_error": str(error), "hint": error.hint})
    else:
        send(output, {"ready": True})
    while True:
        try:
            header, arrays = receive(source)
        except ChannelClosed:
            os._exit(0)  # nothing is left to tidy
        asked = AskedAnswers(frozenset(header["targets"]), source, output)
        try:
            results = _answer(engine, programs, header, arrays, asked)
        except EngineError as error:
            send(output, {"engine_error": str(error), "hint": error.hint})
        except ExecutionError as error:
            send(output, error_header(error))
        except KeyError:
            send(output, {"unknown": True})
        else:
            send(
                output, {"counts": [len(each) for each in results]}, [each for row in results for each in row]
            )


class AskedAnswers:
    """Asks the parent for the results of custom calls, one after the other."""

    def __init__(self, targets: frozenset[str], source: IO[bytes], output: IO[bytes]) -> None:
        self.targets = targets
        self._source, self._output = source, output
        self._lock = Lock()

    def answer(self, number: int, operands: Sequence[Array]) -> list[Array]:
        """Returns what the parent answers; raises ExecutionError where it cannot."""
        with self._lock:
            send(self._output, {"call": number}, operands)
            header, results = receive(self._source)
        raise_error_of(header)
        return results


def _answer(
    engine: XlaEngine,
    programs: OrderedDict[int, Module],
    header: dict[str, Any],
    arrays: list[Array],
    asked: AskedAnswers,
) -> list[list[Array]]:
    """Returns the tensors among the results of each process; raises KeyError for an unknown program."""
    number = header["program"]
    if header.get("text") is not None:
        programs[number] = parse(header["text"])[0]
        if len(programs) > MOST_PROGRAMS:
            programs.popitem(last=False)
    module = programs[number]
    programs.move_to_end(number)
    options = RunOptions(entry=header["entry"], replicas=header["replicas"], partitions=header["partitions"])
    kind = module.functions[header["entry"]].type
    tensors = [[arrays.pop(0) for _ in range(count)] for count in header["counts"]]
    inputs = [with_tokens(kind.inputs, each) for each in tensors]
    answers = asked if asked.targets else None
    if header["is_grid"]:
        results = engine.execute_grid([module], inputs, options, answers)
    else:
        results = [engine.execute(module, inputs[0], options, answers)]
    return [tensors_of(kind.results, each) for each in results]
