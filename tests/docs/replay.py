"""Pages that show a conversation with the debugger: carried out again, and compared byte for byte.

A page has one line `$ shlo debug FILE --grid RxP ARG...`, and blocks of lines `(shlo) COMMAND`, each with
what the command answers. All blocks of a page are one script. `python -m tests.docs.replay PAGE` writes the
answers anew.
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from shlo.cli import main

ROOT = Path(__file__).parents[2]

_BLOCK = re.compile(r"(?<=^```console\n)\(shlo\) .*?(?=^```$)", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\(shlo\) .*\n", re.MULTILINE)
_OPENED = re.compile(r"^\$ shlo (debug .*)$", re.MULTILINE)


def replayed(page: str) -> str:
    """Returns the page with what its commands answer now; files are those of the current folder."""
    (line,) = _OPENED.findall(page)
    commands = [command for block in _BLOCK.findall(page) for command in _COMMAND.findall(block)]
    answers = _answers(shlex.split(line), commands)
    return _BLOCK.sub(lambda block: "".join(next(answers) for _ in _COMMAND.findall(block[0])), page)


def _answers(arguments: list[str], commands: list[str]) -> Iterator[str]:
    """Returns each command with its answer."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "commands.txt")
        script.write_text("".join(command.removeprefix("(shlo) ") for command in commands), "utf-8")
        printed = io.StringIO()
        with redirect_stdout(printed), redirect_stderr(printed):
            main([*arguments, "--script", str(script)])
    text = re.sub(rf"^{re.escape(str(script))}:\d+: ", "", printed.getvalue(), flags=re.MULTILINE)
    starts = [found.start() for found in _COMMAND.finditer(text)]
    assert len(starts) == len(commands), text
    return (text[start:end] for start, end in zip(starts, [*starts[1:], len(text)]))


if __name__ == "__main__":
    os.chdir(ROOT)
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(replayed(path.read_text("utf-8")), "utf-8")
