"""Calls of tools: checked programs and arguments; a command of shlo in a process of its own, with limits."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from msgspec import Struct

from shlo.runner.arguments.grid import has_placeholder
from shlo.runner.errors import quoted
from shlo.runner.files import reason
from shlo.support.processes import end_group, start_group
from shlo.support.suffixes import ARRAY_SUFFIXES, PROGRAM_SUFFIXES, has_suffix

MOST_OUTPUT: Final = 100_000
"""Characters of what a command prints that an answer holds."""
_MOST_BYTES: Final = 4 * MOST_OUTPUT
"""Bytes that hold as many characters in any case."""
_DRAINED_S: Final = 5
"""Seconds that what an ended process has printed is waited for."""
_LITERAL: Final = re.compile(r"(?:dense<|\[|[-+]?(?:\.?\d|inf\b|nan\b)|true\b|false\b)[^\0]*")
_NAME: Final = re.compile(r"[\w.$-]+")
_CHILD: Final = (
    "import sys; from shlo.support.memory import limit_memory; "
    "from shlo.support.processes import leave_with; leave_with(int(sys.argv[1])); "
    "limit_memory(int(sys.argv[2])); from shlo.cli import main; sys.exit(main(sys.argv[3:]))"
)


class CallError(Exception):
    """What a tool cannot do: the agent reads why."""


class Limits(Struct, frozen=True):
    """What a call may take: seconds of time, operations of a run, bytes of memory; and how many calls are
    carried out at a time.
    """

    seconds: float = 60.0
    max_steps: int = 10_000_000
    memory_bytes: int = 4 << 30
    calls: int = 4


class Answer(Struct, frozen=True):
    """What a command printed on standard output and standard error, and its exit code: 0 fine, 1 the program
    has faults, 2 it could not be done.
    """

    output: str
    messages: str
    code: int


class Calls:
    """Carries out commands on programs that agents name or send.

    Files are read below `folders` alone: a path is resolved first, so that neither `..` nor a symbolic link
    leads out of them.
    """

    def __init__(self, folders: Sequence[Path], limits: Limits) -> None:
        self.folders = tuple(folder.resolve() for folder in folders)
        self.limits = limits
        self._processes = set[subprocess.Popen[bytes]]()
        self._scratch = set[str]()
        self._turns = threading.Semaphore(limits.calls)
        self._is_over = False

    def end(self) -> None:
        """Ends what is under way and removes its files; nothing is begun any more. Takes no lock: a handler
        of a signal may call it.
        """
        self._is_over = True
        for process in tuple(self._processes):
            end_group(process)
        for folder in tuple(self._scratch):
            shutil.rmtree(folder, ignore_errors=True)

    def file(self, path: str, suffixes: Sequence[str]) -> str:
        """Returns the resolved path of a file. Raises CallError where tools may not read it."""
        for folder in self.folders:
            resolved = _file_below(folder, path)
            if resolved is None:
                continue
            if not has_suffix(resolved, *suffixes):
                raise CallError(
                    f"expected a file that ends with one of {', '.join(suffixes)}, got {quoted(path)}"
                )
            if has_placeholder(resolved):
                raise CallError(f"expected a file that is the same for each process, got {quoted(path)}")
            return resolved
        allowed = ", ".join(map(str, self.folders)) or "none: start shlo mcp with --allow DIR"
        raise CallError(f"expected a file below the allowed folders ({allowed}), got {quoted(path)}")

    def arguments(self, arguments: Sequence[str]) -> list[str]:
        """Returns arguments of a run, literals and paths of arrays. Raises CallError for what is neither."""
        return [self._argument(argument) for argument in arguments]

    def _argument(self, argument: str) -> str:
        if has_suffix(argument, *ARRAY_SUFFIXES):
            return self.file(argument, ARRAY_SUFFIXES)
        if not _LITERAL.fullmatch(argument):
            raise CallError(
                f"expected a literal such as [1.5, 2] or a .npy or .npz file, got {argument[:80]!r}"
            )
        return argument

    def run(
        self,
        command: str,
        programs: Sequence[str],
        *words: str,
        script: str | None = None,
        result: bool = False,
    ) -> Answer:
        """Runs a command of shlo on programs.

        Args:
            command: its name.
            programs: texts, or paths of files: what holds a line break or a brace is a text, and what holds
                a blank and has no suffix of programs.
            words: what follows the programs.
            script: what goes to standard input.
            result: whether the command is given `-o FILE`, whose content is then the output.

        Raises:
            CallError: a program may not be read, a word cannot be given to a process, the time is up, or as
                many calls as are carried out at a time took as long.
        """
        with self._turn(), self._scratch_folder() as folder:
            files = [self._program(program, number, folder) for number, program in enumerate(programs)]
            written = Path(folder, "result.mlir")
            output_words = ["-o", str(written)] if result else []
            answer = self._carry_out([command, *files, *words, *output_words], folder, script or "")
            if result and written.exists():
                with written.open("rb") as file:
                    shown = _clipped(file.read(_MOST_BYTES), written.stat().st_size)
                answer = Answer(shown, answer.messages, answer.code)
            output, messages = (
                printed_text.replace(f"{folder}{os.sep}", "")
                for printed_text in (answer.output, answer.messages)
            )
            return Answer(output, messages, answer.code)

    def _program(self, program: str, number: int, folder: str) -> str:
        if _is_path(program):
            return self.file(program, PROGRAM_SUFFIXES)
        path = Path(folder, f"program{number or ''}.mlir")
        path.write_bytes(program.encode("utf-8", "surrogatepass"))
        return str(path)

    @contextmanager
    def _turn(self) -> Generator[None]:
        """Waits until fewer calls are under way than may be. Raises CallError where that takes too long."""
        if not self._turns.acquire(timeout=self.limits.seconds):
            raise CallError(
                f"{self.limits.calls} calls are under way, as many as may be, for {self.limits.seconds:g} s"
            )
        try:
            yield
        finally:
            self._turns.release()

    @contextmanager
    def _scratch_folder(self) -> Generator[str]:
        """Makes a folder for the files of one call, which is removed in the end."""
        with tempfile.TemporaryDirectory(prefix="shlo-mcp-", ignore_cleanup_errors=True) as folder:
            self._scratch.add(folder)
            try:
                yield folder
            finally:
                self._scratch.discard(folder)

    def _carry_out(self, words: Sequence[str], folder: str, script: str) -> Answer:
        commands = Path(folder, "commands.txt")
        commands.write_text(script, "utf-8", newline="\n")
        with commands.open("rb") as stdin:
            process = self._start(words, folder, stdin)
        self._processes.add(process)
        if self._is_over:
            end_group(process)
        assert process.stdout
        assert process.stderr
        printed = _Drain(process.stdout), _Drain(process.stderr)
        try:
            process.wait(self.limits.seconds)
        except subprocess.TimeoutExpired:
            raise CallError(f"not done after {self.limits.seconds:g} s, which a call may take") from None
        finally:
            if process.poll() is None:
                end_group(process)
                process.wait()
            self._processes.discard(process)
        output, messages = (file.text() for file in printed)
        return Answer(output, messages, process.returncode)

    def _start(self, words: Sequence[str], folder: str, stdin: IO[bytes]) -> subprocess.Popen[bytes]:
        """Starts a command of shlo; raises CallError where no process can be given the words."""
        environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
        limits_of_child = str(os.getpid()), str(self.limits.memory_bytes)
        try:
            return start_group(
                [sys.executable, "-P", "-c", _CHILD, *limits_of_child, *words],
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=folder,
                env=environment,
            )
        except (OSError, ValueError) as error:
            size = sum(map(len, words))
            raise CallError(
                f"expected words that a process can be given, got {size:,} characters: {reason(error)}"
            ) from None


class _Drain:
    """Reads what a process prints, to its end, and keeps the beginning."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._kept, self._size = stream, bytearray(), 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._stream as stream:
            while part := os.read(stream.fileno(), 1 << 16):
                self._kept += part[: _MOST_BYTES - len(self._kept)]
                self._size += len(part)

    def text(self) -> str:
        """Returns what was printed, clipped, after the process has ended."""
        self._thread.join(_DRAINED_S)  # a process that it has started may have the stream and go on
        return _clipped(bytes(self._kept), self._size)


def entry_words(entry: str) -> list[str]:
    """Returns the option for the function to run. Raises CallError for what is no name."""
    if not _NAME.fullmatch(entry):
        raise CallError(f"expected the name of a function, got {entry[:80]!r}")
    return [f"--entry={entry}"]


def _is_path(program: str) -> bool:
    """Returns whether a program is named, and not written out."""
    if any(mark in program for mark in "\n{"):
        return False
    return " " not in program or has_suffix(program, *PROGRAM_SUFFIXES)


def _file_below(folder: Path, path: str) -> str | None:
    """Returns the path of a file, links followed, None where there is none below the folder."""
    try:
        resolved = (folder / path).resolve()
        return str(resolved) if resolved.is_relative_to(folder) and resolved.is_file() else None
    except (OSError, ValueError, RuntimeError):  # too long, with a NUL, a loop of links
        return None


def _clipped(data: bytes, size: int) -> str:
    """Returns the beginning of `size` bytes as text of at most MOST_OUTPUT characters, and a note."""
    text = data.decode("utf-8", "replace")
    if len(text) <= MOST_OUTPUT and size <= len(data):
        return text
    return f"{text[:MOST_OUTPUT]}\n... of {size:,} bytes, the rest is left out"
