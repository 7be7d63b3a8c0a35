"""Commands in a sandbox: a child carries them out, and its parent writes the outputs where they are to be."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT
from shlo.command_line.outputs import OutputOption, written_outputs
from shlo.ir.diagnostics import ShloError
from shlo.runner.errors import RequestError
from shlo.support.files import write_atomically
from shlo.support.forking import fork_and_wait
from shlo.support.processes import ending
from shlo.support.sandbox import SECONDS, SandboxError, enter_sandbox, why_no_sandbox

WITHOUT: Final = "without --sandbox the command has all the rights that you have"
NO_PROCESS: Final = (
    "in a sandbox there is no engine by a command, and no function of Python: "
    "shlo convert FILE.py:FUNCTION -o program.mlir makes a program of one"
)
NO_FILE: Final = f"in a sandbox only files are written that options such as -o name; {WITHOUT}"

REPLACING: Final = {"in_place": "--in-place", "fix": "--fix"}
"""Options by which inputs are replaced, unless `--diff` shows what would change."""


def run_in_sandbox(options: Namespace, console: Console, run: Callable[[Namespace], int]) -> int:
    """Carries out a command in a sandbox; returns its exit code, in the sandbox and in this process.

    Raises RequestError where there is none, and for outputs that are not one new file each.
    """
    reason = why_no_sandbox()
    if reason:
        raise RequestError(reason, WITHOUT)
    for dest, flag in REPLACING.items():
        if getattr(options, dest, False) and not getattr(options, "diff", False):
            raise RequestError(f"a sandbox does not let the command replace files, as {flag} does", NO_FILE)
    outputs = written_outputs(options)
    for output, path in outputs:
        _refuse(options, output, path)
    folder = tempfile.mkdtemp(prefix="shlo-")
    staged = {path: _staged(folder, number, path) for number, (_, path) in enumerate(outputs)}
    code = fork_and_wait(lambda: _enter(folder))
    if code is None:
        inside = {output.dest: staged[path] for output, path in outputs}
        return _run(Namespace(**{**vars(options), **inside}), run)
    try:
        for path, file in staged.items():
            _take_out(file, path)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if code >= 0:
        return code
    console.message("error", f"a signal has ended the command in the sandbox: {ending(code)}")
    console.message("hint", f"it may take {SECONDS} s of processor time")
    return COULD_NOT


def _refuse(options: Namespace, output: OutputOption, path: str) -> None:
    kind = output.kind(options)
    if kind == "folder" or "{" in path:
        raise RequestError(f"expected {output.flag} to name one file, got {path}", "so it is in a sandbox")
    if kind == "recording" and os.path.exists(path):
        raise RequestError(f"expected {output.flag} to name a new file, got {path}")


def _staged(folder: str, number: int, path: str) -> str:
    """Returns where the child writes a file: a name of the same suffix, in a folder of its own."""
    own = Path(folder, str(number))
    own.mkdir()
    return str(own / Path(path).name)


def _enter(folder: str) -> None:
    tempfile.tempdir = folder
    try:
        enter_sandbox(folder)
    except SandboxError as error:
        raise RequestError(f"there is no sandbox: {error}") from None


def _run(options: Namespace, run: Callable[[Namespace], int]) -> int:
    try:
        return run(options)
    except PermissionError as error:
        needed = f"write {error.filename}" if error.filename else "start a process or connect"
        raise RequestError(f"a sandbox does not let the command {needed}", _hint(error)) from None
    except ShloError as error:
        refusal = error.__context__
        if isinstance(refusal, PermissionError):
            error.hint = _hint(refusal)
        raise


def _hint(error: PermissionError) -> str:
    """Returns what to do where the system refused: Landlock does with EACCES, seccomp with EPERM."""
    return NO_PROCESS if error.errno == errno.EPERM else NO_FILE


def _take_out(file: str, path: str) -> None:
    """Writes what the child has made, if it is a file, where it is to be."""
    if os.path.isfile(file) and not os.path.islink(file):
        with open(file, "rb") as staged:
            write_atomically(path, lambda written: shutil.copyfileobj(staged, written))
