"""Calls of tools: checked programs and arguments; a command of shlo in a process of its own, with limits."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from shlo.support.processes import end_group
from shlo.support.suffixes import PROGRAM_SUFFIXES

ARRAY_SUFFIXES: Final = (".npy", ".npz")
MOST_OUTPUT: Final = 100_000
"""Characters of what a command prints that an answer holds."""
_LITERAL: Final = re.compile(r"(?:dense<|\[|[-+]?[\d.]|[-+]?inf\b|nan\b|true\b|false\b)[^\0]*")
_NAME: Final = re.compile(r"[\w.$-]+")
_CHILD: Final = (
    "import sys; from shlo.runner.child.worker import limit_memory; limit_memory(int(sys.argv[1])); "
    "from shlo.cli import main; sys.exit(main(sys.argv[2:]))"
)


class CallError(Exception):
    """What a tool cannot do: the agent reads why."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a call may take: seconds of time, operations of a run, bytes of memory."""

    seconds: float = 60.0
    max_steps: int = 10_000_000
    memory_bytes: int = 4 << 30


@dataclass(frozen=True, slots=True)
class Answer:
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

    def file(self, path: str, suffixes: Sequence[str]) -> str:
        """Returns the resolved path of a file. Raises CallError where tools may not read it."""
        for folder in self.folders:
            found = (folder / path).resolve()
            if found.is_relative_to(folder) and found.is_file():
                if not found.name.endswith(tuple(suffixes)):
                    raise CallError(
                        f"expected a file that ends with one of {', '.join(suffixes)}, got {path}"
                    )
                return str(found)
        allowed = ", ".join(map(str, self.folders)) or "none: start shlo mcp with --allow DIR"
        raise CallError(f"expected a file below the allowed folders ({allowed}), got {path}")

    def arguments(self, arguments: Sequence[str]) -> list[str]:
        """Returns arguments of a run, literals and paths of arrays. Raises CallError for what is neither."""
        return [self._argument(each) for each in arguments]

    def _argument(self, argument: str) -> str:
        if argument.endswith(ARRAY_SUFFIXES):
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
            programs: texts, or paths of files: what holds a line break, a blank or a brace is a text.
            words: what follows the programs.
            script: what goes to standard input.
            result: whether the command is given `-o FILE`, whose content is then the output.

        Raises:
            CallError: a program may not be read, or the time is up.
        """
        with tempfile.TemporaryDirectory(prefix="shlo-mcp-") as folder:
            files = [self._program(each, number, folder) for number, each in enumerate(programs)]
            written = Path(folder, "result.mlir")
            own = ["-o", str(written)] if result else []
            answer = self._carry_out([command, *files, *words, *own], folder, script or "")
            if result and written.exists():
                answer = Answer(_clipped(written.read_bytes()), answer.messages, answer.code)
            output, messages = (
                each.replace(f"{folder}{os.sep}", "") for each in (answer.output, answer.messages)
            )
            return Answer(output, messages, answer.code)

    def _program(self, program: str, number: int, folder: str) -> str:
        if not any(mark in program for mark in "\n {"):
            return self.file(program, PROGRAM_SUFFIXES)
        path = Path(folder, f"program{number or ''}.mlir")
        path.write_text(program, "utf-8")
        return str(path)

    def _carry_out(self, words: Sequence[str], folder: str, script: str) -> Answer:
        environment = {**os.environ, "NO_COLOR": "1", "PYTHONUTF8": "1"}
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CHILD, str(self.limits.memory_bytes), *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        try:
            output, messages = process.communicate(script.encode(), timeout=self.limits.seconds)
        except subprocess.TimeoutExpired:
            raise CallError(f"not done after {self.limits.seconds:g} s, which a call may take") from None
        finally:
            if process.poll() is None:
                end_group(process)
                process.communicate()
        return Answer(_clipped(output), _clipped(messages), process.returncode)


def entry_words(entry: str) -> list[str]:
    """Returns the option for the function to run. Raises CallError for what is no name."""
    if not _NAME.fullmatch(entry):
        raise CallError(f"expected the name of a function, got {entry[:80]!r}")
    return [f"--entry={entry}"]


def _clipped(data: bytes) -> str:
    """Returns what was printed, as text of at most MOST_OUTPUT characters and a note."""
    text = data.decode("utf-8", "replace")
    if len(text) <= MOST_OUTPUT:
        return text
    return f"{text[:MOST_OUTPUT]}\n... {len(text) - MOST_OUTPUT:,} characters more are left out"
