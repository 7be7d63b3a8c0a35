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
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, Final

from shlo.engines.engine import EngineError, Placement
from shlo.engines.xla import runtime
from shlo.engines.xla.engine import INTERPRETER_MAY_RUN_IT, marshalled, one_function, refuse_unsupported
from shlo.engines.xla.host_calls import Answers, answers_of
from shlo.engines.xla.messages import ChannelClosed, error_header, raise_error_of, receive, send
from shlo.engines.xla.programs import with_tokens
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module, once_per_module
from shlo.support.isolation import trusted_path
from shlo.support.processes import end_group, ending, start_group

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions

_START: Final = (
    "import json, sys; job = json.loads(sys.argv[1]); sys.path[:] = job['path']; "
    "from shlo.engines.xla.served import serve; serve(job)"
)


class SeparateXlaEngine:
    """Runs programs with XLA in a child process, which is started when it is needed, again after XLA has
    ended it, and ended with this object. May be used from several threads, one after the other.
    """

    name = "xla"

    def __init__(self, placement: Placement) -> None:
        runtime.require_jax()
        self._placement = placement
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
        values = [marshalled(module, options.entries[0], each) for each in inputs]
        answers = answers_of(module, options)
        with self._lock:
            child = self._started()
            try:
                return child.run(module, values, options, is_grid, answers)
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
            "counts": [len(each) for each in inputs],
            "is_grid": is_grid,
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
        self._errors.seek(max(self._errors.seek(0, os.SEEK_END) - runtime.MOST_CHARACTERS, 0))
        said = self._errors.read().decode("utf-8", "replace").strip()
        return f"{how}, {said}" if said else how

    def _ask(
        self, header: dict[str, Any], inputs: Sequence[Sequence[Array]], answers: Answers | None
    ) -> tuple[dict[str, Any], list[Array]]:
        """Returns the child's answer; what it asks until then, for the results of custom calls, is answered
        here.
        """
        assert self._process.stdin
        assert self._process.stdout
        send(self._process.stdin, header, [array for each in inputs for array in each])
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
