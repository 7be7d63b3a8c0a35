"""Faults of the machine, for soaks: what a command has to do when memory, files, disk, processes or the clock fail.

Whatever fails, a command ends in time with an exit code of its own and without a traceback, and its output is whole or
not there.
"""

from __future__ import annotations

import compileall
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
LIMIT_S: Final = 120.0
"""How long a command may take, on a busy machine."""
MIB: Final = 1 << 20

LOOP: Final = """func.func @main() -> tensor<i32> {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.constant dense<3000> : tensor<i32>
  %r = stablehlo.while(%i = %0) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.add %i, %1 : tensor<i32>
    stablehlo.return %j : tensor<i32>
  }
  stablehlo.custom_call @check.expect_eq(%r, %n) : (tensor<i32>, tensor<i32>) -> ()
  return %r : tensor<i32>
}
"""
DIVERGING: Final = str(EXAMPLES / "diverging.mlir")
COMMANDS: Final[tuple[tuple[str, ...], ...]] = (
    ("check", "{loop}"),
    ("cost", "{loop}"),
    ("graph", "{loop}", "-o", "{out}.html"),
    ("inspect", "{bytecode}"),
    ("list", "{folder}"),
    ("ops", "add"),
    ("run", "{loop}"),
    ("run", "{distance}", "--random", "0", "--save", "{out}.npz"),
    ("run", "{distance}", "--zeros", "--record", "{out}.shlorec"),
    ("run", "{loop}", "--engine", "xla"),
    ("why", DIVERGING),
    ("diff", "{loop}", "{loop}"),
    ("test", "{loop}", "--junit", "{out}.xml"),
    ("convert", "{loop}", "--emit", "bytecode", "-o", "{out}.mlirbc"),
    ("fmt", "{loop}"),
    ("fold", "{loop}", "-o", "{out}.mlir"),
    ("opt", "{loop}", "--pass", "stablehlo-aggressive-folder"),
    ("debug", "{loop}", "--script", "{script}"),
    ("conform", "--ops", "add", "--level", "smoke"),
    ("fuzz", "--count", "2"),
    ("reduce", DIVERGING, "--nan", "-o", "{out}.mlir"),
    ("split", "{distance}", "--zeros", "-o", "{out}"),
    ("lsp",),
    ("dap",),
    ("mcp",),
)
"""Commands, which read and write all kinds of files."""


class Row(NamedTuple):
    """What a soak has done: how often, and what was lost, which is to be nothing."""

    count: int
    lost: list[str]


class Ended(NamedTuple):
    """How a command ended."""

    code: int
    said: str
    is_hanging: bool = False


@contextmanager
def folder_of_programs() -> Iterator[dict[str, str]]:
    """Yields what the words of COMMANDS stand for, in a folder of its own."""
    import shlo
    import shlo_bytecode

    with tempfile.TemporaryDirectory() as folder:
        loop, script, code = (Path(folder, name) for name in ("loop.mlir", "script.txt", "loop.mlirbc"))
        loop.write_text(LOOP)
        script.write_text("next 5\nprint %0\nback\ncontinue\n")
        code.write_bytes(shlo_bytecode.write(shlo.parse(LOOP)))
        Path(folder, "out").mkdir()
        yield {
            "folder": folder,
            "loop": str(loop),
            "script": str(script),
            "bytecode": str(code),
            "distance": str(EXAMPLES / "distance.mlir"),
            "out": os.path.join(folder, "out", "o"),
        }


def carried_out(
    words: tuple[str, ...],
    places: dict[str, str],
    limit: Callable[[], None] | None = None,
    interrupt_after: float | None = None,
    code: str = "from shlo.cli import main; import sys; sys.exit(main(sys.argv[1:]))",
) -> Ended:
    """Runs a command under a limit, with an interrupt after so many seconds; standard input is empty."""
    line = [sys.executable, "-c", code, *(word.format(**places) for word in words)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        options: Any = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
        process = subprocess.Popen(
            line, cwd=places["folder"], start_new_session=True, preexec_fn=limit, **options
        )
        is_hanging = False
        try:
            if interrupt_after is not None:
                time.sleep(interrupt_after)
                process.send_signal(signal.SIGINT)
            process.wait(LIMIT_S)
        except subprocess.TimeoutExpired:
            is_hanging = True
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        err.seek(0)
        return Ended(process.returncode, err.read().decode("utf-8", "replace"), is_hanging)


def fault_of(words: tuple[str, ...], ended: Ended, places: dict[str, str], codes: tuple[int, ...]) -> str:
    """Returns what is wrong with the end of a command, and removes its outputs; empty where nothing is."""
    name = " ".join(words)
    left = [path for path in Path(places["out"]).parent.rglob("*") if path.is_file()]
    halves = [path.name for path in left if path.name.startswith(".") or not _is_whole(path)]
    for path in left:
        path.unlink()
    if ended.is_hanging:
        return f"{name}: does not end"
    if ended.code not in codes:
        return f"{name}: exit code {ended.code}: {ended.said[-300:]}"
    if "Traceback" in ended.said or "internal error" in ended.said:
        return f"{name}: {ended.said[-400:]}"
    return f"{name}: {halves} is no whole file" if halves else ""


def _is_whole(path: Path) -> bool:
    """Returns whether a file can be read as what its name says."""
    import numpy as np

    import shlo

    try:
        if path.suffix in (".mlir", ".mlirbc"):
            shlo.load(str(path))
        elif path.suffix == ".npz":
            with np.load(path) as archive:
                return all(archive[name].size for name in archive)
        elif path.suffix in (".html", ".xml"):
            return path.read_text("utf-8").rstrip().endswith(">")
    except Exception:
        return False
    return True


def interrupts(count: int, rng: random.Random) -> Row:
    """Control-C at random instants over all commands."""
    lost: list[str] = []
    with folder_of_programs() as places:
        for number in range(count):
            words = COMMANDS[number % len(COMMANDS)]
            ended = carried_out(words, places, interrupt_after=rng.uniform(0.3, 2.5), code=_READY)
            lost += filter(None, [fault_of(words, ended, places, (0, 1, 2, 130, -signal.SIGINT))])
    return Row(count, lost)


_READY: Final = (
    "import signal; before = signal.signal(signal.SIGINT, lambda *_: __import__('os')._exit(130)); "
    "from shlo.cli import main; import sys; signal.signal(signal.SIGINT, before); sys.exit(main(sys.argv[1:]))"
)
"""Before the command has begun, an interrupt is Python's."""


def _under_limits(what: int, sizes: list[int], codes: tuple[int, ...] = (0, 1, 2)) -> Row:
    lost: list[str] = []
    count = 0
    with folder_of_programs() as places:
        for size in sizes:
            for words in COMMANDS:
                ended = carried_out(words, places, lambda: resource.setrlimit(what, (size, size)))  # noqa: B023
                fault = fault_of(words, ended, places, codes)
                lost += [f"{size}: {fault}"] if fault else []
                count += 1
    return Row(count, lost)


def low_memory(count: int, rng: random.Random) -> Row:
    """Less and less memory."""
    sizes = [rng.randrange(400, 1500) * MIB for _ in range(max(count // len(COMMANDS), 1))]
    return _under_limits(resource.RLIMIT_AS, sizes)


def few_files(count: int, rng: random.Random) -> Row:
    """Few files may be open."""
    sizes = [rng.randrange(12, 40) for _ in range(max(count // len(COMMANDS), 1))]
    return _under_limits(resource.RLIMIT_NOFILE, sizes)


def full_disk(count: int, rng: random.Random) -> Row:
    """Files end after some bytes, as on a disk that is full."""
    for package in ("shlo", "shlo_dap", "shlo_lsp", "shlo_mcp", "bytecode"):
        compileall.compile_dir(
            str(EXAMPLES.parent / package), quiet=2
        )  # Python itself would leave half of these
    sizes = [rng.choice((0, 1, 100, 500, 2000)) for _ in range(max(count // len(COMMANDS), 1))]
    return _under_limits(resource.RLIMIT_FSIZE, sizes)


_FORK: Final = """
import errno, os, random, subprocess, sys
rng = random.Random(int(sys.argv.pop(1)))
def failing(real):
    def fork(*args):
        if rng.random() < 0.7:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))
        return real(*args)
    return fork
os.fork, subprocess._fork_exec = failing(os.fork), failing(subprocess._fork_exec)
from shlo.cli import main
sys.exit(main(sys.argv[1:]))
"""
_CLOCK: Final = """
import random, sys, time
rng, real = random.Random(int(sys.argv.pop(1))), time.time
time.time = lambda: max(real() + rng.uniform(-4e8, 4e8), 0.0)
from shlo.cli import main
sys.exit(main(sys.argv[1:]))
"""


def _with_code(code: str, count: int, rng: random.Random) -> Row:
    lost: list[str] = []
    with folder_of_programs() as places:
        for number in range(count):
            words = COMMANDS[number % len(COMMANDS)]
            ended = carried_out((str(rng.randrange(1 << 30)), *words), places, code=code)
            lost += filter(None, [fault_of(words, ended, places, (0, 1, 2))])
    return Row(count, lost)


def failing_forks(count: int, rng: random.Random) -> Row:
    """Processes cannot be started, most of the time."""
    return _with_code(_FORK, count, rng)


def jumping_clock(count: int, rng: random.Random) -> Row:
    """The time of day jumps by years at each look."""
    return _with_code(_CLOCK, count, rng)


def side_by_side(count: int, rng: random.Random) -> Row:
    """Commands at the same time, on the same files."""
    with folder_of_programs() as places:
        line = [sys.executable, "-m", "shlo", "run", places["loop"]]
        running = [
            subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for _ in range(count)
        ]
        said = [process.communicate(timeout=60 * LIMIT_S)[0] for process in running]
    return Row(count, [text for text in said if text.split() != ["result", "0:", "tensor<i32>", "3000"]])
