"""`shlo dap`: serve an editor over the Debug Adapter Protocol."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from contextlib import suppress
from io import FileIO

from shlo.command_line.console import Console
from shlo.command_line.options import describe
from shlo.support.isolation import trusted_path

SUMMARY = "serve an editor over the Debug Adapter Protocol"


def configure(parser: ArgumentParser) -> None:
    """Adds the options of the command."""
    describe(
        parser,
        "Serve an editor: the Debug Adapter Protocol on standard input and output.\n\n"
        "An editor starts this command; it is of no use in a terminal.",
        ("shlo dap", "what to tell an editor to start"),
        ("shlo dap --listen 127.0.0.1:0", "for editors that connect to a port of this machine"),
    )
    parser.add_argument("--stdio", action="store_true", help="the default; some editors add it")
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        help="serve each client that connects to a port of the loopback interface (0: any free one, which is"
        " printed) and brings the token that is printed, until interrupted",
    )


def execute(options: Namespace, console: Console) -> int:
    """Serves the client on standard input and output, and ends with it; or those that connect to a port."""
    sys.path[:] = trusted_path()  # before anything heavy is loaded: editors start adapters in workspaces
    from shlo_dap.adapter import Adapter

    if options.listen is not None:
        return _listen(options.listen)
    from shlo.debugger.adapter.clients.transport import Writer

    sys.stdin = None  # it holds messages: what would read a program or array there is told that there is none
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a handler of a custom call prints is no message
    code = Adapter(FileIO(0, closefd=False), Writer(output).send).serve()
    os._exit(code)  # the session's thread may be in the midst of a program


def _listen(address: str) -> int:
    """Serves clients, each with a session of its own, until the process is interrupted."""
    from shlo.debugger.adapter.clients.listener import AttachedClient, Listener
    from shlo_dap.adapter import Adapter

    def serve(client: AttachedClient) -> None:
        Adapter(client.source, client.send, client.token).serve()

    listener = Listener(address)
    print(listener.greeting, file=sys.stderr, flush=True)
    with suppress(KeyboardInterrupt):
        listener.accept(serve)
    listener.close()
    os._exit(0)  # sessions may be in the midst of programs
