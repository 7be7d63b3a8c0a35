"""The way into the `shlo` command: finds the subcommand, and turns whatever goes wrong into one message."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence

from shlo.cli.commands import COMMANDS, SANDBOXED, Command, command_groups, find_command, front_ends
from shlo.command_line.console import Console
from shlo.command_line.exit_codes import BROKEN_PIPE, COULD_NOT, FINDINGS, FINE, INTERRUPTED
from shlo.command_line.options import OptionParser, add_common_options
from shlo.command_line.outputs import refuse_replacing
from shlo.command_line.scripts import scripts_lowered
from shlo.ir.diagnostics import ParseError, PrintError, ShloError
from shlo.support.streams import open_closed_streams
from shlo.text.diagnostics import parse_error_lines

TRACEBACK_VARIABLE = "SHLO_TRACEBACK"
"""Set in the environment, an internal error shows its traceback."""


def dispatch(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and gives its exit code; `arguments` are those after its name."""
    open_closed_streams()
    console = Console()
    try:
        code = _run_words(list(sys.argv[1:] if arguments is None else arguments), console)
        console.stdout.flush()
        return code
    except KeyboardInterrupt:
        console.note("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        _discard_output()
        return BROKEN_PIPE
    except OSError as error:
        _discard_output()
        console.message("error", f"cannot write the output: {error.strerror or error}")
        return COULD_NOT


def _run_words(arguments: list[str], console: Console) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        return _help(arguments[1:], console)
    if arguments[0] in ("-V", "--version"):
        return _version(console)
    name = arguments[0]
    command = _find(name, console)
    if command is None:
        return COULD_NOT
    parser = OptionParser(f"shlo {name}")
    try:
        command.configure(parser)
        add_common_options(parser, name in SANDBOXED)
        options = parser.options_of(arguments[1:])
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else COULD_NOT
    console.color, console.is_quiet = options.color, options.quiet
    return _run_reporting(command, options, console)


def _find(name: str, console: Console) -> Command | None:
    try:
        command = find_command(name)
    except Exception as error:
        console.message("error", f"the command '{name}' could not be loaded: {error}")
        return None
    if command is None:
        from shlo.text.suggest import did_you_mean

        hint = did_you_mean(name, [*COMMANDS, *front_ends(), "--version"], "'{}'")
        text = f"there is no command '{name}'" + (f"; {hint}" if hint else "")
        console.message("error", f"{text} (shlo --help lists them)")
    return command


def _run_reporting(command: Command, options: Namespace, console: Console) -> int:
    """Carries a subcommand out; what it raises ends in one message and an exit code."""
    try:
        refuse_replacing(options)
        if getattr(options, "sandbox", False):
            from shlo.command_line.sandbox import run_in_sandbox

            return run_in_sandbox(options, console, lambda staged: _carry_out(command, staged, console))
        return _carry_out(command, options, console)
    except ParseError as error:
        console.report(parse_error_lines(error))
        return FINDINGS
    except ShloError as error:  # that of a file that cannot be read is an OSError, too
        return _could_not(error, console)
    except OSError:
        raise
    except Exception as error:
        return _could_not(error, console)


def _carry_out(command: Command, options: Namespace, console: Console) -> int:
    with scripts_lowered(options) as lowered:
        if getattr(command, "HAS_EVENT_LOOP", False):
            from shlo.runner.interrupts import plain_interrupts

            with plain_interrupts():
                return command.execute(lowered, console)
        return command.execute(lowered, console)


def _could_not(error: Exception, console: Console) -> int:
    if isinstance(error.__cause__, KeyboardInterrupt):  # raised by `__set_name__`, before Python 3.12
        raise error.__cause__
    from shlo.dialects.extensions import ExtensionError
    from shlo.engines.engine import EngineError
    from shlo.runner.errors import RequestError

    if isinstance(error, (RequestError, EngineError, PrintError, ExtensionError)):
        console.message("error", str(error))
        if error.hint:
            console.message("hint", error.hint)
    elif isinstance(error, MemoryError):
        console.message("error", f"there is not enough memory: {error}".removesuffix(": "))
    elif console.environment.get(TRACEBACK_VARIABLE):
        raise error
    else:
        console.message("error", f"internal error: {type(error).__name__}: {error}")
        console.message("hint", f"please report it, with what {TRACEBACK_VARIABLE}=1 shows")
    return COULD_NOT


def _help(arguments: list[str], console: Console) -> int:
    if arguments:
        return _run_words([arguments[0], "--help"], console)
    console.print("usage: shlo COMMAND ...\n\nTools for StableHLO programs.")
    groups = command_groups()
    width = max(len(name) for commands in groups.values() for name in commands)
    for group, commands in groups.items():
        console.print(f"\n{group}:")
        for name, summary in commands.items():
            console.print(f"  {name:{width}}  {summary}")
    console.print("\noptions:\n  -h, --help     this help; shlo COMMAND --help tells about a command")
    console.print("  -V, --version  the versions of shlo, StableHLO and what shlo depends on")
    console.print("\nexit code: 0 fine, 1 the program has faults, 2 it could not be done")
    return FINE


def _version(console: Console) -> int:
    from importlib.metadata import PackageNotFoundError, version

    import shlo

    console.print(f"shlo {shlo.__version__} (StableHLO {shlo.STABLEHLO_VERSION})")
    console.print(f"Python {sys.version.split()[0]}")
    for package in ("numpy", "ml_dtypes", "scipy", "msgpack", "msgspec"):
        try:
            console.print(f"{package} {version(package)}")
        except PackageNotFoundError:
            console.print(f"{package} is not installed")
    return FINE


def _discard_output() -> None:
    """What is left in the buffer of standard output must not be reported again when Python ends."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        return
