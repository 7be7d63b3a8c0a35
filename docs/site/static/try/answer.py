"""Runs a command of `shlo` on a text: what "try it" does, in Pyodide."""

from __future__ import annotations

import io
import os
import shlex
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout

FILE = "program.mlir"
"""The name of the program in commands."""


def answer(text: str, words: str) -> str:
    """Returns what a command prints, standard error included.

    Args:
        text: a program, which the command finds as `program.mlir`.
        words: the command line, without `shlo`.
    """
    from shlo.cli import main

    os.environ |= {"NO_COLOR": "1", "SHLO_NUM_THREADS": "1"}  # Pyodide starts no threads
    printed = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        with open(FILE, "w", encoding="utf-8") as file:
            file.write(text)
        with redirect_stdout(printed), redirect_stderr(printed):
            try:
                code = main(shlex.split(words))
            except (SystemExit, ValueError) as error:  # usage, and quotes that do not end
                code = error.code if isinstance(error, SystemExit) else f"2: {error}"
    told = printed.getvalue()
    return told if code in (0, None) else f"{told}(exit code {code})\n"
