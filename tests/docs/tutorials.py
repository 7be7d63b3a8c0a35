"""Tutorials, followed word by word in an empty folder.

A paragraph that ends with "`FILE`:" before a fence says that the fence is that file. A fence `console` holds
commands behind `$ ` and what they print, on standard output and standard error. In tutorials of notebooks, a
fence `mlir` or `python` is a cell, and a fence `text` right behind it what the cell shows. `python -m
tests.docs.tutorials PAGE` writes what they print anew.
"""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from pathlib import Path

from shlo_kernel.cells.errors import CellError
from tests.kernel.screens import Notebook

from .replay import ROOT

PAGES = (
    "ci.md",
    "first-program.md",
    "interpreter-and-xla.md",
    "nan-of-a-step.md",
    "notebook-tour.md",
    "write-a-test.md",
    "wrong-process.md",
)
NOTEBOOKS = ("notebook-tour.md",)
"""Those whose programs are cells."""
FOLDER = "/home/user/tutorial"
"""What stands for the folder in which a tutorial is followed."""
SECONDS = 240
"""How long a command may take."""

_FENCE = re.compile(r"(?:`([\w.-]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CELL = re.compile(r"^```(?:mlir|python)\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_DURATION = re.compile(r" in \d+\.\d+ s$", re.MULTILINE)
_COMMAND = re.compile(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def followed(name: str, folder: Path) -> str:
    """Returns a tutorial with what its commands print, and its cells show, now, in an empty folder."""
    page = (ROOT / "docs" / name).read_text("utf-8")
    if name in NOTEBOOKS:
        with chdir(folder):
            page = _with_cells(page)

    def replaced(fence: re.Match[str]) -> str:
        file, language, text = fence.groups()
        if file:
            (folder / file).write_text(text, "utf-8")
        if language != "console":
            return fence[0]
        return fence[0].replace(text, "".join(_printed(text, folder)))

    return _FENCE.sub(replaced, page)


def _with_cells(page: str) -> str:
    notebook = Notebook()

    def replaced(found: re.Match[str]) -> str:
        return found[0].removesuffix(f"{found[2]}```") + f"{_shown(notebook, found[1])}```"

    return _CELL.sub(replaced, page)


def _shown(notebook: Notebook, cell: str) -> str:
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            screen = notebook.cell(cell.rstrip("\n"))
    except CellError as error:
        return f"{_COLOUR.sub('', error.text)}\n"
    texts = [printed.getvalue() + screen.text, *(f"{data['text/plain']}\n" for data in screen.shown)]
    return "".join(texts)


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
    return _DURATION.sub(" in 0.1 s", done.stdout.replace(str(folder.resolve()), FOLDER))


def _path() -> str:
    return os.pathsep.join([str(ROOT), str(ROOT / "bytecode")])


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as empty:
            (ROOT / "docs" / name).write_text(followed(name, Path(empty)), "utf-8")
