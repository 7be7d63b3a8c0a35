"""XLA in a child process, so that its end is an error: XLA aborts where it cannot do something."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from shlo.engines.engine import EngineError, Placement
from shlo.engines.xla import runtime
from shlo.engines.xla.engine import (
    INTERPRETER_MAY_RUN_IT,
    XlaEngine,
    marshalled,
    one_function,
    refuse_unsupported,
)
from shlo.engines.xla.host_calls import Answers, answers_of
from shlo.engines.xla.programs import tensors_of, with_tokens
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module, once_per_module
from shlo.support.isolation import trusted_path
from shlo.support.processes import end_group, ending, last_words, leave_with, start_group
from shlo.syntax import parse

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions


_START: Final = (
    "import json, sys; job = json.loads(sys.argv[1]); sys.path[:] = job['path']; "
    "from shlo.engines.xla.separate import serve; serve(job)"
)


class SeparateXlaEngine:
    """Runs programs with XLA in a child process, which is started when it is needed, again after XLA has
    ended it, and ended with this object. May be used from several threads, one after the other.
    `compiler_options`, which may be replaced, are what XLA is told as it compiles the programs from now on.
    """

    name = "xla"

    def __init__(self, placement: Placement) -> None:
        runtime.require_jax()
        self._placement = placement
        self.compiler_options = placement.compiler_options
        self._child: _Child | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Starts the child process, and JAX in it; raises EngineError."""
        with self._lock:
            self._started().wait_until_ready()

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of all processes: the child runs them."""
        return range(count)

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function on one device, a sharded one on as many as its mesh has."""
        return self._run(module, [arguments], options, is_grid=False)[0]

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs a function on a device for each process."""
        return self._run(one_function(modules, options), inputs, options, is_grid=True)

    def _run(
        self, module: Module, inputs: Sequence[Sequence[Any]], options: RunOptions, is_grid: bool
    ) -> list[tuple[Any, ...]]:
        refuse_unsupported(options)
        values = [marshalled(module, options.entries[0], arguments) for arguments in inputs]
        answers = answers_of(module, options)
        with self._lock:
            child = self._started()
            try:
                return child.run(module, values, options, is_grid, answers, self.compiler_options)
            except (OSError, ChannelClosed):
                self._child = None
                error = ExecutionError(f"XLA ended its process on the program: {child.last_words()}")
                error.add_note(INTERPRETER_MAY_RUN_IT)
                raise error from None
            except (ExecutionError, EngineError):
                raise
            except BaseException:  # an interrupt: what the child still writes would be taken for an answer
                child.end()
                self._child = None
                raise

    def _started(self) -> _Child:
        if self._child is None:
            self._child = _Child(self._placement)
        return self._child


class _Child:
    """A child process, and the programs that it was sent."""

    def __init__(self, placement: Placement) -> None:
        job = {"path": trusted_path(), "placement": [placement.platform, placement.devices]}
        self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the child
        self._process = start_group(
            [sys.executable, "-I", "-c", _START, json.dumps(job)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
        )
        self.end = weakref.finalize(self, _end, self._process)
        self._sent: set[int] = set()
        self._is_ready = False

    def run(
        self,
        module: Module,
        inputs: Sequence[Sequence[Array]],
        options: RunOptions,
        is_grid: bool,
        answers: Answers | None,
        compiler_options: Sequence[tuple[str, str]],
    ) -> list[tuple[Any, ...]]:
        """Returns the results of each process; raises what the engine does, and OSError or ChannelClosed
        where the child has ended.
        """
        self.wait_until_ready()
        number = _number(module)
        header = {
            "program": number,
            "text": None if number in self._sent else module.to_text(),
            "entry": options.entries[0],
            "replicas": options.replicas,
            "partitions": options.partitions,
            "counts": [len(arguments) for arguments in inputs],
            "is_grid": is_grid,
            "compiler_options": compiler_options,
            "targets": [] if answers is None else sorted(answers.targets),
        }
        answer, results = self._ask(header, inputs, answers)
        if answer.get("unknown"):
            answer, results = self._ask({**header, "text": module.to_text()}, inputs, answers)
        self._sent.add(number)
        _require_no_engine_error(answer)
        raise_error_of(answer)
        types = module.functions[options.entries[0]].type.results
        rows = [[results.pop(0) for _ in range(count)] for count in answer["counts"]]
        return [with_tokens(types, row) for row in rows]

    def wait_until_ready(self) -> None:
        """Returns when JAX has started; raises EngineError where it cannot."""
        if self._is_ready:
            return
        assert self._process.stdout
        try:
            answer, _ = receive(self._process.stdout)
        except ChannelClosed:
            raise EngineError(f"XLA ended its process as it started: {self.last_words()}") from None
        _require_no_engine_error(answer)
        self._is_ready = True

    def last_words(self) -> str:
        """Returns how the process ended, and the end of what it wrote."""
        how = ending(self._process.wait())
        printed = last_words(self._errors, runtime.MOST_CHARACTERS)
        return f"{how}, {printed}" if printed else how

    def _ask(
        self, header: dict[str, Any], inputs: Sequence[Sequence[Array]], answers: Answers | None
    ) -> tuple[dict[str, Any], list[Array]]:
        """Returns the child's answer; what it asks until then, for the results of custom calls, is answered
        here.
        """
        assert self._process.stdin
        assert self._process.stdout
        send(self._process.stdin, header, [array for arguments in inputs for array in arguments])
        while True:
            answer, arrays = receive(self._process.stdout)
            if answers is None or "call" not in answer:
                return answer, arrays
            try:
                send(self._process.stdin, {}, answers.answer(answer["call"], arrays))
            except ExecutionError as error:
                send(self._process.stdin, error_header(error))


def _require_no_engine_error(answer: dict[str, Any]) -> None:
    if "engine_error" in answer:
        raise EngineError(answer["engine_error"], answer["hint"])


_numbers = itertools.count()


@once_per_module
def _number(module: Module) -> int:
    """Returns a number that no other program has."""
    return next(_numbers)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends a child process, and gives its pipes back."""
    end_group(process)
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()


# --- Messages between a process and its child that runs XLA: a header in JSON, then the bytes of arrays -----


_LENGTH_BYTES: Final = 8


class ChannelClosed(Exception):
    """The other process has ended."""


def send(stream: IO[bytes], header: dict[str, Any], arrays: Sequence[Array] = ()) -> None:
    """Writes a message; raises OSError where the other process has ended."""
    whole = [np.ascontiguousarray(array).reshape(array.shape) for array in arrays]
    layouts = [(array.dtype.name, array.shape) for array in whole]
    head = json.dumps({**header, "arrays": layouts}).encode()
    stream.write(len(head).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(head)
    for array in whole:
        stream.write(array.reshape(-1).view(np.uint8).data)
    stream.flush()


def error_header(error: ExecutionError) -> dict[str, Any]:
    """Returns the message that a run has failed."""
    return {"error": error.message, "place": error.place, "notes": getattr(error, "__notes__", [])}


def raise_error_of(header: dict[str, Any]) -> None:
    """Raises ExecutionError where a message says that a run has failed."""
    if "error" not in header:
        return
    error = ExecutionError(header["error"], None, header["place"])
    for note in header["notes"]:
        error.add_note(note)
    raise error


def receive(stream: IO[bytes]) -> tuple[dict[str, Any], list[Array]]:
    """Returns the next message, whose arrays are new; raises ChannelClosed."""
    length = int.from_bytes(_exactly(stream, _LENGTH_BYTES), "little")
    header = json.loads(_exactly(stream, length))
    return header, [_array(stream, name, shape) for name, shape in header.pop("arrays")]


def _array(stream: IO[bytes], name: str, shape: Sequence[int]) -> Array:
    import ml_dtypes

    array = np.empty(tuple(shape), np.dtype(getattr(ml_dtypes, name, name)))
    view = array.reshape(-1).view(np.uint8).data
    reader: Any = stream  # a buffered one: IO has no readinto
    done = 0
    while done < len(view):
        count = reader.readinto(view[done:])
        if not count:
            raise ChannelClosed
        done += count
    return array


def _exactly(stream: IO[bytes], count: int) -> bytes:
    data = stream.read(count)
    if len(data) < count:
        raise ChannelClosed
    return data


# --- Main function of the child process that runs XLA: programs and arguments in, results out ---------------


MOST_PROGRAMS: Final = 1024
"""How many programs are kept, with their executables; the text of others is requested again."""


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
                output, {"counts": [len(row) for row in results]}, [array for row in results for array in row]
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
    inputs = [with_tokens(kind.inputs, row) for row in tensors]
    answers = asked if asked.targets else None
    engine = engine.told([(name, value) for name, value in header["compiler_options"]])
    if header["is_grid"]:
        results = engine.execute_grid([module], inputs, options, answers)
    else:
        results = [engine.execute(module, inputs[0], options, answers)]
    return [tensors_of(kind.results, row) for row in results]
