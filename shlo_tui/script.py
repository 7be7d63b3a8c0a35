"""`shlo debug --script`: commands without a screen, and what they answer."""

from __future__ import annotations

from argparse import Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.debugger.commands.table import Entry, run_script
from shlo.debugger.errors import RecordingError
from shlo.ir.diagnostics import ExecutionError
from shlo.runner.errors import RequestError
from shlo.runner.files import read_bytes
from shlo.runner.interrupts import interruptible
from shlo.text.diagnostics import failure_lines
from shlo_tui.launch import Launch, open_for_debugging

PROMPT = "(shlo) "


def run_script_file(options: Namespace, console: Console) -> int:
    """Carries out the commands of a file. The exit code is 1 where the program fails on the way, 2 where a
    command cannot be carried out; what prevents the session from starting raises as for `shlo run`.
    """
    if options.file == options.script == "-":
        raise RequestError("standard input cannot hold the program and the script")
    launch = open_for_debugging(options)
    lines = read_bytes(options.script).decode("utf-8", "replace").splitlines()
    try:
        return interruptible(lambda: _run(launch, lines, console))
    except ExecutionError as error:
        console.report(failure_lines(launch.source_of(error.place), error))
        return FINDINGS
    except RecordingError as error:
        raise RequestError(str(error)) from None
    finally:
        launch.close()


def _run(launch: Launch, lines: list[str], console: Console) -> int:
    code = FINE
    for entry in run_script(launch.start(), lines):
        code = max(code, _print(entry, console))
    return code


def _print(entry: Entry, console: Console) -> int:
    """Prints a command and its answer; gives the exit code that it asks for."""
    console.print(f"{PROMPT}{entry.line}")
    if entry.failed:
        console.message("error", entry.reply.text)
        return COULD_NOT
    if entry.reply.text:
        console.print(entry.reply.text)
    return FINDINGS if entry.reply.snapshot.error else FINE
