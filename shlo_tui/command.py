"""`shlo debug`: step through a program in the terminal, forwards and backwards."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_call, add_grid, add_recording, describe, need
from shlo.ir.diagnostics import ParseError
from shlo.runner.errors import RequestError

SUMMARY = "step through a program in the terminal, forwards and backwards"
HAS_EVENT_LOOP = True

NO_SCREEN = "--script FILE carries out commands without a screen (-: from standard input)"


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo debug`."""
    describe(
        parser,
        "Step through a program in the terminal, forwards and backwards. ? shows all keys.\n\n"
        "The arguments are those of `shlo run`, also with --grid. FILE may be a recording, too.",
        ("shlo debug model.mlir x.npy y.npy", "from the first operation on"),
        ("shlo debug model.mlir --random 0", "with arguments made up"),
        ("shlo debug model.mlir --zeros --script -", "commands from standard input, without a screen"),
        ("shlo debug model.mlir --script s.txt --screenshot s.svg", "the screen after the script"),
        ("shlo debug model.mlir --record r.shlorec", "keeps what happens, also through a crash"),
        ("shlo debug r.shlorec", "goes on where a recording ended"),
        ("shlo debug model.mlir --grid 2x4 x.npy", "in each process of a grid, on the same x"),
        ("shlo debug model.mlir --grid 1x8 x.npy --split 0", "argument 0 in 8 parts, one for each process"),
        ("shlo debug 'stage{process}.mlir' --grid 1x4", "a program for each process"),
    )
    add_call(parser)
    add_grid(parser)
    parser.add_argument(
        "--script", metavar="SCRIPT", help="carry out the commands in a file (-: standard input), and print"
    )
    add_recording(parser)
    parser.add_argument(
        "--source-root",
        metavar="DIR",
        action="append",
        default=[],
        help="show the Python files below a folder, beside those of FILE's and the working folder",
    )
    parser.add_argument(
        "--screenshot",
        metavar="OUT.svg",
        help="write the screen as a picture, after the commands of --script if there are some, and end",
    )
    parser.add_argument("--ascii", action="store_true", help="use no glyphs but those of ASCII")


def execute(options: Namespace, console: Console) -> int:
    """Opens the debugger's screen, or runs a script; gives the exit code."""
    if options.screenshot is not None:
        need("tui", "textual")
        from shlo_tui.app.screenshot import write_screenshot

        return write_screenshot(options, console)
    if options.script is not None:
        from shlo_tui.launch import run_script_file

        return run_script_file(options, console)
    need("tui", "textual")
    _check_terminal(options, console)
    return _show(options, console)


def _check_terminal(options: Namespace, console: Console) -> None:
    if options.file == "-":
        raise RequestError("standard input cannot hold the program and the keys", "save it to a file")
    streams = {"input": sys.__stdin__, "output": sys.__stdout__, "error": sys.__stderr__}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            raise RequestError(f"standard {name} is no terminal", NO_SCREEN)
    if console.environment.get("TERM") in ("dumb", "unknown"):
        raise RequestError("this terminal cannot move its cursor", NO_SCREEN)


def _show(options: Namespace, console: Console) -> int:
    """Opens the screen; of a program with mistakes, on the first of them."""
    from rich.console import Console as RichConsole

    from shlo_tui.app.app import DebuggerApp, app_on
    from shlo_tui.app.layout import Program
    from shlo_tui.launch import open_for_debugging
    from shlo_tui.theme import appearance_of

    encoding = console.stdout.encoding or "ascii"
    appearance = appearance_of(console.environment, encoding, RichConsole().color_system, options.ascii)
    try:
        launch = open_for_debugging(options)
    except ParseError as error:
        DebuggerApp(Program(error.source, error=error), appearance).run()
        return FINDINGS
    app = app_on(launch, appearance)
    switch = sys.getswitchinterval()
    sys.setswitchinterval(0.001)  # so that keys are answered at once while the program runs
    try:
        app.run()
    finally:
        sys.setswitchinterval(switch)
    if app.crash is not None:
        raise app.crash
    trouble = launch.close()
    if trouble is None:
        return FINE
    console.message("error", f"the recording is not complete: {trouble}")
    return COULD_NOT
