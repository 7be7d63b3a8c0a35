"""`shlo edit`: a file of bytecode, edited as text in an editor of the terminal."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import FINE
from shlo.command_line.options import describe
from shlo.ir.diagnostics import ParseError
from shlo.runner.errors import RequestError, reason


def configure(parser: ArgumentParser) -> None:
    """Adds the options of `shlo edit`."""
    describe(
        parser,
        "Open the text of bytecode, of a portable artifact or of a file of jax.export in the editor that\n"
        "VISUAL or EDITOR names, and write the file anew: the same kind, version and producer, with the\n"
        "locations and large constants that the text leaves out. A text with mistakes is not written;\n"
        "it is kept, and what is wrong is reported.",
        ("shlo edit model.mlirbc", "edit it"),
        ("shlo edit model.mlirbc --text edited.mlir", "the text as another program has edited it"),
        ("EDITOR='sed -i s/2.0/3.0/' shlo edit model.mlirbc", "edit by a command"),
    )
    parser.add_argument("file", metavar="FILE", help="the file, which is replaced")
    parser.add_argument("--text", metavar="EDITED", help="open no editor; the file of the edited text")


def execute(options: Namespace, console: Console) -> int:
    """Edits the file; says whether it was written."""
    from shlo.runner.bytecode_view import view_of
    from shlo.runner.edited_artifacts import edition_of, save_edited
    from shlo.runner.files import read_bytes

    edition = edition_of(options.file)
    view = view_of(options.file)
    if view.damage is not None or view.module is None:
        what = f"{options.file} cannot be edited: its text does not show its program"
        raise RequestError(what, f"shlo inspect {shlex.quote(options.file)} says what is in it")
    edited = Path(options.text) if options.text else _edited(view.text, options.file, console.environment)
    text = read_bytes(str(edited)).decode("utf-8", "surrogateescape")
    try:
        has_changed = save_edited(options.file, text, edition)
    except (ParseError, RequestError):
        if not options.text:
            again = f"shlo edit {shlex.quote(options.file)} --text {shlex.quote(str(edited))}"
            console.message("note", f"nothing is written; the text is kept: mend it, then type {again}")
        raise
    if not options.text:
        shutil.rmtree(edited.parent)
    console.note(f"{options.file}: {'written' if has_changed else 'the same program, nothing is written'}")
    return FINE


def _edited(text: str, path: str, environment: Mapping[str, str]) -> Path:
    """Returns the file, in a folder of its own, in which an editor has left a text; raises RequestError."""
    words = shlex.split(environment.get("VISUAL") or environment.get("EDITOR") or "")
    if not words:
        what = "expected the command of an editor in VISUAL or EDITOR, got none"
        raise RequestError(what, "--text EDITED takes a text that another program has edited")
    file = Path(tempfile.mkdtemp(prefix="shlo-")) / f"{Path(path).stem}.mlir"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    try:
        code = subprocess.run([*words, str(file)], check=False).returncode
    except OSError as error:
        shutil.rmtree(file.parent)
        raise RequestError(f"cannot start the editor {words[0]}: {reason(error)}") from None
    if code:
        raise RequestError(
            f"the editor {words[0]} ended with {code}; nothing is written", f"its text: {file}"
        )
    return file
