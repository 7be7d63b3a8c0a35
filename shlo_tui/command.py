"""`shlo debug`: step through a program in the terminal, forwards and backwards."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import COULD_NOT, FINDINGS, FINE
from shlo.command_line.options import add_call, add_debugging, add_grid, describe, need
from shlo.command_line.outputs import add_output
from shlo.ir.diagnostics import ParseError
from shlo.runner.errors import RequestError

if TYPE_CHECKING:
    from shlo.debugger.adapter.clients.listener import Listener
    from shlo.debugger.launch import Launch
    from shlo_tui.theme import Appearance

SUMMARY = "step through a program in the terminal, forwards and backwards"
HAS_EVENT_LOOP = True

NO_TERMINAL = "front_end=FUNCTION gets the session instead"
NO_SCREEN = "--script FILE carries out commands without a screen (-: from standard input)"


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo debug`."""
    describe(
        parser,
        "Step through a program in the terminal, forwards and backwards. ? shows all keys.\n\n"
        "The arguments are those of `shlo run`, also with --grid. FILE may be a recording, too.",
        ("shlo debug model.mlir x.npy y.npy", "from the first operation on"),
        ("shlo debug model.mlir --random 0", "with arguments made up"),
        ("shlo debug train.py:loss x.npy 0.5", "a function of a script, with JAX"),
        ("shlo debug model.mlir --zeros --script -", "commands from standard input, without a screen"),
        ("shlo debug model.mlir --script s.txt --screenshot s.svg", "the screen after the script"),
        ("shlo debug model.mlir --record r.shlorec", "keeps what happens, also through a crash"),
        ("shlo debug r.shlorec", "goes on where a recording ended"),
        ("shlo debug model.mlir --grid 2x4 x.npy", "in each process of a grid, on the same x"),
        ("shlo debug model.mlir --grid 1x8 x.npy --split 0", "argument 0 in 8 parts, one for each process"),
        ("shlo debug 'stage{process}.mlir' --grid 1x4", "a program for each process"),
        ("shlo debug model.mlir x.npy --sanitize", "stops at what the specification leaves open"),
        ("shlo debug model.mlir --listen 127.0.0.1:0", "beside an editor that attaches"),
    )
    add_call(parser)
    add_grid(parser)
    parser.add_argument(
        "--script", metavar="SCRIPT", help="carry out the commands in a file (-: standard input), and print"
    )
    add_debugging(parser)
    add_output(
        parser,
        "--screenshot",
        "SVG",
        has_own_name=True,
        metavar="OUT.svg",
        help="write the screen as a picture, after the commands of --script if there are some, and end",
    )
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        help="let editors attach, by the debug adapter protocol, at a port of the loopback interface"
        " (0: any free one); both move the same session",
    )
    parser.add_argument("--ascii", action="store_true", help="use no glyphs but those of ASCII")


def execute(options: Namespace, console: Console) -> int:
    """Opens the debugger's screen, or runs a script; gives the exit code."""
    if options.listen is not None and (options.script or options.screenshot):
        raise RequestError("--listen is for the screen, which --script and --screenshot do not open")
    if options.screenshot is not None:
        need("tui", "textual")
        from shlo_tui.app.screenshot import write_screenshot

        return write_screenshot(options, console)
    if options.script is not None:
        from shlo.command_line.debugging import run_script_file

        return run_script_file(options, console)
    need("tui", "textual")
    if options.file == "-":
        raise RequestError("standard input cannot hold the program and the keys", "save it to a file")
    check_terminal(console, NO_SCREEN)
    return _show(options, console)


def check_terminal(console: Console, hint: str) -> None:
    """Raises RequestError, with what to do instead, where there is no terminal that a screen can be drawn
    on.
    """
    streams = {"input": sys.__stdin__, "output": sys.__stdout__, "error": sys.__stderr__}
    for name, stream in streams.items():
        if stream is None or not stream.isatty():
            raise RequestError(f"standard {name} is no terminal", hint)
    if console.environment.get("TERM") in ("dumb", "unknown"):
        raise RequestError("this terminal cannot move its cursor", hint)


def _show(options: Namespace, console: Console) -> int:
    """Opens the screen; of a program with mistakes, on the first of them."""
    from shlo.command_line.debugging import open_for_debugging

    listener = _listener(options.listen)
    try:
        launch = open_for_debugging(options)
    except ParseError as error:
        from shlo_tui.app.app import DebuggerApp
        from shlo_tui.app.layout import DebuggedProgram

        DebuggerApp(DebuggedProgram(error.source, error=error), _appearance(console, options.ascii)).run()
        return FINDINGS
    return show(launch, console, options.ascii, listener)


def _listener(address: str | None) -> Listener | None:
    """Returns a port of the loopback interface; raises RequestError for what is none, or not free."""
    if address is None:
        return None
    from shlo.debugger.adapter.clients.listener import Listener

    return Listener(address)


def show(launch: Launch, console: Console, is_ascii: bool = False, listener: Listener | None = None) -> int:
    """Opens the screen on what is debugged, until it is left; gives the exit code."""
    from shlo_tui.app.app import app_on

    app = app_on(launch, _appearance(console, is_ascii), listener)
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


def _appearance(console: Console, is_ascii: bool) -> Appearance:
    from rich.console import Console as RichConsole

    from shlo_tui.theme import appearance_of

    encoding = console.stdout.encoding or "ascii"
    return appearance_of(console.environment, encoding, RichConsole().color_system, is_ascii)
