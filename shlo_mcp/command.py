"""`shlo mcp`: serve an agent over the Model Context Protocol."""

from __future__ import annotations

import os
import signal
import sys
import threading
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import add_engine, byte_count, describe, natural, need, seconds, whole
from shlo.engines import DEFAULT
from shlo.runner.errors import RequestError
from shlo.support.isolation import trusted_path

if TYPE_CHECKING:
    from shlo_mcp.calls import Calls

SUMMARY = "serve an agent over the Model Context Protocol"
HAS_EVENT_LOOP = True


def configure(parser: ArgumentParser) -> None:
    """Adds the options of the command."""
    describe(
        parser,
        "Serve an agent: the Model Context Protocol on standard input and output. Tools check, print,\n"
        "explain, run, compare and reduce programs, and find the first NaN.\n\n"
        "Tools read files below the folders that are named, and write none there. Every program is\n"
        "worked on in a process of its own, with limits on time, operations and memory.",
        ("shlo mcp", "programs that the agent sends as text, no files"),
        ("shlo mcp --allow models", "and those below the folder models"),
        ("shlo mcp --engine-command './backend {program} {arguments} {results}'", "runs on your back end"),
    )
    parser.add_argument(
        "--allow", metavar="DIR", action="append", default=[], help="let tools read files below a folder"
    )
    add_engine(parser)
    parser.add_argument(
        "--seconds", type=seconds, default=60.0, metavar="N", help="end a call after N seconds (default: 60)"
    )
    parser.add_argument(
        "--max-steps",
        type=natural,
        default=10_000_000,
        metavar="N",
        help="stop a run after N operations (default: 10000000)",
    )
    parser.add_argument(
        "--memory",
        type=byte_count,
        default=4 << 30,
        metavar="SIZE",
        help="memory that a call may take (default: 4GiB)",
    )
    parser.add_argument(
        "--calls",
        type=whole(1),
        default=4,
        metavar="N",
        help="carry out N calls at a time, others wait (default: 4)",
    )


def execute(options: Namespace, console: Console) -> int:
    """Serves the client on standard input and output, and ends with it."""
    sys.path[:] = trusted_path()  # before anything heavy is loaded: clients start servers in workspaces
    need("mcp", "mcp")
    from shlo_mcp.calls import Calls, Limits
    from shlo_mcp.server import make_server

    if sys.stdin is None:
        raise RequestError("expected a client on standard input, which is closed")
    folders = [Path(folder) for folder in options.allow]
    if missing := [str(folder) for folder in folders if not folder.is_dir()]:
        raise RequestError(f"expected a folder, got {missing[0]}")
    calls = Calls(folders, Limits(options.seconds, options.max_steps, options.memory, options.calls))

    def end(number: int, frame: FrameType | None) -> None:
        """Ends by the signal, as a process does that knows nothing of it, and the calls before."""
        calls.end()
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)

    signal.signal(signal.SIGTERM, end)
    _watch_input(calls)
    make_server(calls, _engine_words(options)).run()
    return FINE


def _engine_words(options: Namespace) -> list[str]:
    """Returns the options by which `shlo run` runs programs as the server was told to."""
    if options.engine == DEFAULT:
        return []
    devices = [] if options.devices is None else [f"--devices={options.devices}"]
    return [f"--engine={options.engine}", *devices]


def _watch_input(calls: Calls) -> None:
    """Has calls end when the client closes standard input: the server waits for them. What the server reads
    is handed on to it.
    """
    descriptor = os.dup(0)
    read, write = os.pipe()
    os.dup2(read, 0)
    os.close(read)

    def hand_on() -> None:
        with suppress(OSError), open(write, "wb", buffering=0) as server:
            while part := os.read(descriptor, 1 << 16):
                server.write(part)
        calls.end()

    threading.Thread(target=hand_on, daemon=True).start()
