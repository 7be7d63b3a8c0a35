"""Tutorials, followed word by word in an empty folder.

A paragraph that ends with "`FILE`:" before a fence says that the fence is that file. A fence `console` holds
commands behind `$ ` and what they print, on standard output and standard error. `python -m tests.docs.tutorials
PAGE` writes what they print anew.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .replay import ROOT

TUTORIALS = ("first-program.md", "interpreter-and-xla.md", "write-a-test.md")
SECONDS = 240
"""How long a command may take."""

_FENCE = re.compile(r"(?:`([\w.-]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DURATION = re.compile(r" in \d+\.\d+ s$", re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def followed(page: str, folder: Path) -> str:
    """Returns a tutorial with what its commands print now, in an empty folder."""

    def replaced(fence: re.Match[str]) -> str:
        file, language, text = fence.groups()
        if file:
            (folder / file).write_text(text, "utf-8")
        if language != "console":
            return fence[0]
        return fence[0].replace(text, "".join(_printed(text, folder)))

    return _FENCE.sub(replaced, page)


def _printed(text: str, folder: Path) -> Iterator[str]:
    for command, _ in _COMMAND.findall(text):
        yield f"$ {command}\n{_output(command, folder)}"


def _output(command: str, folder: Path) -> str:
    bin_ = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": _path()}
    done = subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**environment, "NO_COLOR": "1", "JAX_PLATFORMS": "cpu"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    return _DURATION.sub(" in 0.1 s", done.stdout)


def _path() -> str:
    return os.pathsep.join([str(ROOT), str(ROOT / "bytecode")])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        page = ROOT / "docs" / name
        with tempfile.TemporaryDirectory() as empty:
            page.write_text(followed(page.read_text("utf-8"), Path(empty)), "utf-8")
