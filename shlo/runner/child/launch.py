"""Child process with limits that runs a function of an untrusted program.

The process starts in an empty folder, isolated from the environment and from the folder of the program, and
ends in time, with all processes that it started. Its memory is limited by the system on Linux; elsewhere,
where systems do not enforce such a limit, what its tensors take is counted.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from typing import IO, Literal

from msgspec import Struct, ValidationError, convert, to_builtins

from shlo.support.isolation import trusted_path
from shlo.support.processes import end_group, ending, last_words, start_group

Status = Literal["done", "failed", "time limit", "memory limit", "crashed", "stopped"]
_START = (
    "import json, sys; job = json.loads(sys.stdin.buffer.readline()); sys.path[:] = job.pop('path'); "
    "from shlo.runner.child.worker import work; work(job)"
)
_SAID_AT_MOST = 2_000
"""Characters of what a crashed process wrote to standard error that its outcome repeats."""


class ChildLimits(Struct, frozen=True):
    """What a run may take: seconds from its start, and bytes beside those of Python and the interpreter."""

    seconds: float = 10.0
    bytes: int = 2 << 30


class ShownResult(Struct, frozen=True):
    """A result for people: its type, its elements (of a large tensor the outer ones), a summary; and the
    element type (as NumPy calls it) of the array that was saved, None where none was."""

    type: str
    text: str
    summary: str | None
    dtype: str | None = None


class LineValue(Struct, frozen=True):
    """What an operation gave last: a summary, how many values it gave, its line and column (from 1)."""

    place: tuple[int, int]
    text: str
    count: int


class RunOutcome(Struct, frozen=True):
    """What became of a run.

    `message` says why it has no results, `place` is the line and column (code points, from 1) where it
    failed, `seconds` what it took, `grid` the grid of processes (`1x8`) that the program is for, where one
    process will not do, `values` what operations gave while the run was looked at.
    """

    status: Status
    seconds: float
    results: tuple[ShownResult, ...] = ()
    message: str = ""
    place: tuple[int, int] | None = None
    grid: str | None = None
    values: tuple[LineValue, ...] = ()


class Inputs(Struct, frozen=True):
    """The arguments of a run as `shlo run` takes them: files, with their whole paths, and literals. What is
    missing is filled as `filling` says, random ones from `seed`. `engine` is the name of what runs it."""

    arguments: tuple[str, ...] = ()
    filling: Literal["zeros", "random"] | None = None
    seed: int = 0
    engine: str = "interpreter"


class Job(Struct, frozen=True):
    """What the process is told: the program and its function, what it may take in `bytes`, for how many
    seconds values on the way are looked at, the folder to save results in.
    """

    text: str
    name: str
    function: str
    inputs: Inputs
    bytes: int
    observe: float
    save_folder: str | None


class Child:
    """A run of a function, whose values are looked at for its first `observe` seconds. Where there is a
    `save_folder`, results are saved in it as `0.npy`, `1.npy`, ..., those that fit into SAVED_AT_MOST bytes.

    One thread waits for its outcome, any other may stop it.
    """

    def __init__(
        self,
        text: str,
        function: str,
        limits: ChildLimits | None = None,
        name: str = "<text>",
        inputs: Inputs | None = None,
        observe: float = 0.0,
        save_folder: str | None = None,
    ) -> None:
        self._limits = limits or ChildLimits()
        self._job = Job(text, name, function, inputs or Inputs(), self._limits.bytes, observe, save_folder)
        self._process: subprocess.Popen[bytes] | None = None
        self._ended_for: Status | None = None
        self._lock = threading.Lock()

    def stop(self) -> None:
        """Ends the run, whether it has begun or not."""
        self._end("stopped")

    def outcome(self) -> RunOutcome:
        """Runs the function and waits for what becomes of it; never raises for what the program does."""
        started = time.perf_counter()
        with (
            tempfile.TemporaryDirectory(prefix="shlo-run-", ignore_cleanup_errors=True) as folder,
            tempfile.TemporaryFile() as errors,
        ):
            outcome = self._talk(folder, errors)
            return outcome or self._interrupted(time.perf_counter() - started, errors)

    def _talk(self, folder: str, errors: IO[bytes]) -> RunOutcome | None:
        """Starts the process, gives it the job and reads what it says until it ends, None where that is no
        outcome.
        """
        process = self._start(folder, errors)
        if process is None:
            return None
        timer = threading.Timer(self._limits.seconds, self._end, ("time limit",))
        timer.daemon = True
        timer.start()
        try:
            return self._said(process)
        finally:
            process.wait()
            timer.cancel()
            end_group(process)

    def _start(self, folder: str, errors: IO[bytes]) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if self._ended_for is None:
                self._process = start_group(
                    [sys.executable, "-I", "-c", _START],
                    cwd=folder,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                )
            return self._process

    def _said(self, process: subprocess.Popen[bytes]) -> RunOutcome | None:
        assert process.stdin
        assert process.stdout
        job = {**to_builtins(self._job), "path": trusted_path()}
        said = b""
        with suppress(OSError), process.stdout, process.stdin:  # it may end before it has read the job
            process.stdin.write(json.dumps(job).encode() + b"\n")
            process.stdin.flush()
            said = process.stdout.read()
        with suppress(ValueError, ValidationError):
            return convert(json.loads(said), RunOutcome)
        return None

    def _end(self, why: Status) -> None:
        with self._lock:
            self._ended_for = self._ended_for or why
            if self._process is not None and self._process.poll() is None:
                end_group(self._process)

    def _interrupted(self, seconds: float, errors: IO[bytes]) -> RunOutcome:
        """Returns what became of a run that could not say it."""
        if self._ended_for == "stopped":
            return RunOutcome("stopped", seconds, message="the run was stopped")
        if self._ended_for == "time limit":
            return RunOutcome("time limit", seconds, message=f"it took more than {self._limits.seconds:g} s")
        return RunOutcome("crashed", seconds, message=self._last_words(errors))

    def _last_words(self, errors: IO[bytes]) -> str:
        """Returns how a process ended that could not say it."""
        code = self._process.returncode if self._process else None
        how = "no exit code" if code is None else ending(code)
        printed = last_words(errors, _SAID_AT_MOST)
        return f"the process ended with {how}" + (f": {printed}" if printed else "")
