"""A command as an engine."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from shlo.engines.command.tensor_files import (
    TensorFileError,
    read_folder,
    read_npz,
    write_folder,
    write_npz,
)
from shlo.engines.engine import EngineError, EngineFailure, Outcome, Placement
from shlo.interpreter.runtime.marshal import marshal_arguments
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Module
from shlo.ir.types import RankedTensorType, Type, element_type_of
from shlo.support.json_objects import json_object
from shlo.support.processes import end_group, ending, start_group

if TYPE_CHECKING:
    from shlo.interpreter.options import RunOptions

PLACEHOLDER: Final = re.compile(r"\{(program|bytecode|artifact|arguments|results|entry)(?::([\w.]+))?\}")
TIMEOUT_S: Final = 120.0
MOST_MESSAGE: Final = 2000
"""Characters of what a command prints that an error repeats."""
MOST_ANSWER_BYTES: Final = 1 << 20


class CommandEngine:
    """Runs each program by a command, or asks one that runs on (without placeholders) line by line.

    Args:
        command: words with placeholders `{program}` (text), `{bytecode}`, `{artifact}` or `{artifact:1.9.0}`,
            `{arguments}` and `{results}` (`.npz`; `:raw` a folder), `{entry}`.
        timeout_s: how long a program may take, to be compiled and run.
    """

    def __init__(self, command: str, placement: Placement, timeout_s: float = TIMEOUT_S) -> None:
        if placement.devices is not None or placement.cluster is not None:
            raise EngineError("expected no devices and no other processes for a command")
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise EngineError(f"expected a command, got {command!r}: {error}") from error
        if not self._words:
            raise EngineError(
                "expected a command, got nothing", "such as './my-backend {program} {arguments} {results}'"
            )
        used = {match[1] for word in self._words for match in PLACEHOLDER.finditer(word)}
        self._is_served = not used
        if used and not (used & {"program", "bytecode", "artifact"} and "results" in used):
            raise EngineError(
                f"expected {{program}} and {{results}} in the command, got {command!r}",
                "without any placeholder the command answers lines of JSON (docs/engines.md)",
            )
        self.name = f"command:{command}"
        self._timeout_s = timeout_s
        self._server: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Raises EngineError where there is no such command, which is started for each program, or by the
        first one."""
        name = self._words[0]
        if shutil.which(name) is None:
            is_path = os.path.dirname(name) != ""
            problem = "it may not be executed" if os.path.isfile(name) else "there is no such command"
            searched = f"as {os.path.abspath(name)}" if is_path else "in the folders of PATH"
            raise EngineError(f"cannot start {name}: {problem}", f"it was looked for {searched}")

    def own_processes(self, count: int) -> Sequence[int]:
        """Returns the numbers of all processes."""
        return range(count)

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function. Raises EngineFailure where the command refuses the program, crashes, takes too
        long, or its results are not those that the function has."""
        (entry,) = options.entries
        function = module.functions[entry]
        arrays = [np.asarray(value) for value in marshal_arguments(entry, function.type.inputs, arguments)]
        with tempfile.TemporaryDirectory(prefix="shlo-") as name:
            files = _Files(Path(name), module, entry, arrays)
            if self._is_served:
                self._ask(files.job())
            else:
                self._start(
                    [
                        PLACEHOLDER.sub(lambda match: files.path(match[1], match[2]), word)
                        for word in self._words
                    ]
                )
            return tuple(_checked(files.results(function.type.results), function.type.results))

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs a grid of one process; raises EngineError for others."""
        if options.replicas * options.partitions != 1:
            raise EngineError("expected a program of one process: a command has no grid")
        return [self.execute(modules[0], inputs[0], options)]

    def close(self) -> None:
        """Ends a command that runs on."""
        if self._server is not None:
            end_group(self._server)
            self._server.wait()
            self._server = None

    def __del__(self) -> None:
        with suppress(Exception):
            self.close()

    def _start(self, words: Sequence[str]) -> None:
        process = _started(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            _, printed = process.communicate(timeout=self._timeout_s)
        except subprocess.TimeoutExpired:
            raise EngineFailure("timeout", f"the command took longer than {self._timeout_s:g} s") from None
        finally:
            end_group(process)
            process.wait()
        if process.returncode:
            message = printed.decode("utf-8", "replace")[-MOST_MESSAGE:].strip()
            raise _failure_of(process.returncode, message)

    def _ask(self, job: Mapping[str, str]) -> None:
        """Sends a line of JSON to the command that runs on, and takes its answer: `{}`, or `{"error":
        "..."}`."""
        with self._lock:
            if self._server is None or self._server.poll() is not None:
                self._server = _started(self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            server = self._server
            assert server.stdin is not None
            assert server.stdout is not None
            timer = threading.Timer(self._timeout_s, end_group, [server])
            timer.start()
            try:
                server.stdin.write(json.dumps(dict(job)).encode() + b"\n")
                server.stdin.flush()
                line = server.stdout.readline(MOST_ANSWER_BYTES)
            except OSError:
                line = b""
            finally:
                is_late = not timer.is_alive()
                timer.cancel()
            if not line:
                code = server.wait()
                self.close()
                if is_late:
                    raise EngineFailure("timeout", f"the command took longer than {self._timeout_s:g} s")
                raise EngineFailure("crashed", f"the command ended: {ending(code)}")
            answer = json_object(line)
            if answer is None:
                self.close()  # what it prints next would be taken for the answer to the next program
                raise EngineFailure(
                    "wrong results", f"expected an object of JSON on a line, got {line[:80]!r}"
                )
        error = answer.get("error")
        if error is not None:
            raise EngineFailure("refused", str(error)[:MOST_MESSAGE])


def _started(words: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a command; raises EngineError where there is none."""
    try:
        return start_group(words, **options)
    except (OSError, ValueError) as error:
        raise EngineError(f"cannot start {words[0]}: {error}") from error


def _failure_of(code: int, message: str) -> EngineFailure:
    """Returns the failure of a command that ended with a code: a signal is a crash, any other a refusal."""
    last = message.splitlines()[-1] if message else ""
    outcome: Outcome = "crashed" if code < 0 or code > 128 else "refused"
    told = f"{ending(code)}: {last}" if last else ending(code)
    return EngineFailure(outcome, f"the command ended with {told}" if outcome == "crashed" else last or told)


class _Files:
    """The files of one run, written when the command names them."""

    def __init__(self, folder: Path, module: Module, entry: str, arrays: Sequence[Array]) -> None:
        self._folder, self._module, self._entry, self._arrays = folder, module, entry, arrays
        self._is_raw = False

    def path(self, kind: str, form: str | None) -> str:
        """Returns the path of a file, or the name of the function, that a placeholder is for."""
        if kind == "entry":
            return self._entry
        if kind == "results":
            self._is_raw = form == "raw"
            return str(self._results_path())
        path = self._folder / {"program": "program.mlir", "arguments": "arguments"}.get(
            kind, f"program.{kind}"
        )
        if kind == "arguments":
            path = path.with_name("arguments" if form == "raw" else "arguments.npz")
            (write_folder if form == "raw" else write_npz)(path, self._arrays)
        elif kind == "program":
            path.write_text(self._module.to_text(), "utf-8", newline="\n")
        else:
            import shlo_bytecode

            is_plain = kind == "bytecode"
            data = (
                shlo_bytecode.write(self._module)
                if is_plain
                else shlo_bytecode.write_artifact(self._module, form)
            )
            path.write_bytes(data)
        return str(path)

    def job(self) -> dict[str, str]:
        """Returns the paths that a command which runs on is told."""
        paths = {kind: self.path(kind, None) for kind in ("program", "arguments", "results")}
        return {**paths, "entry": self._entry}

    def results(self, types: Sequence[Type]) -> list[Array]:
        """Reads the results; raises EngineFailure."""
        path = self._results_path()
        if not path.exists():
            raise EngineFailure("wrong results", "expected results, but the command wrote none")
        try:
            if self._is_raw:
                shapes = [type_.shape if isinstance(type_, RankedTensorType) else () for type_ in types]
                return read_folder(path, list(zip(map(element_type_of, types), shapes)))
            return read_npz(path)
        except TensorFileError as error:
            raise EngineFailure("wrong results", str(error)) from error

    def _results_path(self) -> Path:
        path = self._folder / ("results" if self._is_raw else "results.npz")
        if self._is_raw:
            path.mkdir(exist_ok=True)
        return path


def _checked(arrays: Sequence[Array], types: Sequence[Type]) -> Sequence[Array]:
    """Returns arrays that are of the types of a function's results; raises EngineFailure."""
    if len(arrays) != len(types):
        raise EngineFailure("wrong results", f"expected {len(types)} results, got {len(arrays)}")
    for number, (array, type_) in enumerate(zip(arrays, types)):
        dtype = dtype_of(element_type_of(type_))
        if array.dtype != dtype:
            raise EngineFailure(
                "wrong results", f"result {number}: expected elements {dtype}, got {array.dtype}"
            )
        sizes = type_.shape if isinstance(type_, RankedTensorType) else ()
        is_as_long = len(sizes) == array.ndim
        if not is_as_long or any(size not in (None, actual) for size, actual in zip(sizes, array.shape)):
            shape = "x".join("?" if size is None else str(size) for size in sizes)
            raise EngineFailure(
                "wrong results", f"result {number}: expected shape {shape}, got {array.shape}"
            )
    return arrays
