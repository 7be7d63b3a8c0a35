"""`shlo lsp`: serve an editor over the Language Server Protocol."""

from __future__ import annotations

import logging
import os
import sys
from argparse import ArgumentParser, Namespace
from io import FileIO
from typing import BinaryIO

from shlo.command_line.console import Console
from shlo.command_line.options import describe, need
from shlo.command_line.outputs import add_output
from shlo.runner.errors import RequestError
from shlo.support.isolation import trusted_path
from shlo.text.escape import escaped

SUMMARY = "serve an editor over the Language Server Protocol"
HAS_EVENT_LOOP = True
LEVELS = ("debug", "info", "warning", "error")


def configure(parser: ArgumentParser) -> None:
    """Adds the options of the command."""
    describe(
        parser,
        "Serve an editor: the Language Server Protocol on standard input and output.\n\n"
        "An editor starts this command; it is of no use in a terminal.",
        ("shlo lsp", "what to tell an editor to start"),
        ("shlo lsp --log-file lsp.log --log-level info", "with a log of what goes on"),
    )
    parser.add_argument("--stdio", action="store_true", help="the default; some editors add it")
    add_output(parser, "--log-file", "text", metavar="PATH", help="where to log (default: standard error)")
    parser.add_argument("--log-level", choices=LEVELS, default="warning", help="default: warning")


def execute(options: Namespace, console: Console) -> int:
    """Serves the client on standard input and output, and ends with it."""
    sys.path[:] = trusted_path()  # before anything heavy is loaded: editors start servers in workspaces
    need("lsp", "pygls")
    _log(options.log_file, options.log_level)
    from shlo_lsp.server import Server

    sys.stdin = None  # it holds messages
    code = Server().serve(FileIO(0, closefd=False), _own_output())
    logging.shutdown()
    os._exit(code)  # a worker may still be reading a program that is not needed


def _own_output() -> BinaryIO:
    """Standard output for the protocol alone; what else is written there goes to standard error."""
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return output


class _Inert(logging.Formatter):
    """Log lines that drive no terminal, whatever a program's text holds."""

    def format(self, record: logging.LogRecord) -> str:
        return escaped(super().format(record))


def _log(path: str | None, level: str) -> None:
    try:
        handler = logging.FileHandler(path, encoding="utf-8") if path else logging.StreamHandler()
    except OSError as error:
        raise RequestError(f"cannot write {path}: {error.strerror}") from None
    handler.setFormatter(_Inert("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=level.upper(), handlers=[handler])
