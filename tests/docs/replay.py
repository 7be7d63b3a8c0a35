"""Pages that show a conversation with the debugger: carried out again, and compared byte for byte.

A page has one line `$ shlo debug FILE --grid RxP ARG...`, and blocks of lines `(shlo) COMMAND`, each with what the
command answers. All blocks of a page belong to one session. `python -m tests.docs.replay PAGE` writes the answers
anew.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path

from shlo.cli.options import add_call, add_grid, grid_call_of, make_parser
from shlo.debugger import Session
from shlo.debugger.commands import run_script
from shlo.debugger.grid_session import GridSession

ROOT = Path(__file__).parents[2]
PROMPT = "(shlo) "

_BLOCK = re.compile(r"(?<=^```console\n)\(shlo\) .*?(?=^```$)", re.MULTILINE | re.DOTALL)
_OPENED = re.compile(r"^\$ shlo debug (.*)$", re.MULTILINE)


def replayed(page: str) -> str:
    """The page with what its commands answer now; files are those of the current folder."""
    session = _session(page)
    return _BLOCK.sub(lambda block: "".join(_answers(session, block[0])), page)


def _session(page: str) -> Session:
    (line,) = _OPENED.findall(page)
    call = grid_call_of(_options(shlex.split(line)))
    return GridSession(call.modules, call.inputs, **call.keywords())


def _options(arguments: list[str]) -> Namespace:
    parser: ArgumentParser = make_parser("shlo debug")
    add_call(parser)
    add_grid(parser)
    return parser.parse_intermixed_args(arguments)


def _answers(session: Session, block: str) -> Iterator[str]:
    lines = [line.removeprefix(PROMPT) for line in block.splitlines() if line.startswith(PROMPT)]
    for entry in run_script(session, lines):
        error = "error: " if entry.failed else ""
        text = f"{PROMPT}{entry.line}\n{error}{entry.reply.text}".rstrip("\n")
        yield f"{text}\n"


def main() -> None:
    os.chdir(ROOT)
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(replayed(path.read_text("utf-8")), "utf-8")


if __name__ == "__main__":
    main()
