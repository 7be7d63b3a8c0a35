"""Files that a command writes, none of which replaces an input, or a file of another kind, unasked.

The kind of a file that is there is what its first bytes say; the kind that a name asks for, its suffix.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any, Final, Literal, cast

from msgspec import Struct

from shlo.ir.source import BYTECODE_MAGIC
from shlo.runner.errors import RequestError
from shlo.runner.folders import member_path
from shlo.support.suffixes import (
    ARCHIVE_SUFFIX,
    ARRAY_SUFFIX,
    ARTIFACT_SUFFIXES,
    BYTECODE_SUFFIXES,
    RECORDING_SUFFIX,
    TEXT_SUFFIXES,
)

Kind = Literal[
    "MLIR text", "bytecode", "text", "HTML", "JSON", "SVG", "XML", "zip", "npz", "npy", "recording", "folder"
]

_NAMES: Final[dict[Kind, tuple[str, ...]]] = {
    "MLIR text": (*TEXT_SUFFIXES, ".txt"),
    "bytecode": (*BYTECODE_SUFFIXES, *ARTIFACT_SUFFIXES),
    "text": (".txt",),
    "HTML": (".html", ".htm"),
    "JSON": (".json",),
    "SVG": (".svg",),
    "XML": (".xml",),
    "zip": (".zip",),
    "npz": (ARCHIVE_SUFFIX,),
    "npy": (ARRAY_SUFFIX,),
    "recording": (RECORDING_SUFFIX,),
    "folder": (),
}
"""Suffixes of files of a kind; any suffix of no kind is good for all."""
REPORTS: Final[dict[str, Kind]] = {"text": "text", "html": "HTML", "json": "JSON", "model-explorer": "JSON"}
"""What is written with `--format`."""
_OTHER_NAMES: Final = (
    ".py",
    ".ipynb",
    ".toml",
    ".csv",
    ".png",
    ".jpg",
    ".jpeg",
    ".gif",
    ".pdf",
    ".onnx",
    ".pb",
)
"""Suffixes of what no command writes."""
_KNOWN_NAMES: Final = {*_OTHER_NAMES, *(suffix for suffixes in _NAMES.values() for suffix in suffixes)}

_STARTS: Final = (
    (BYTECODE_MAGIC, "bytecode"),
    (b"PK", "zip"),
    (b"\x93NUMPY", "npy"),
    (b"<!doctype html", "HTML"),
    (b"<html", "HTML"),
    (b"<svg", "SVG"),
    (b"<?xml", "XML"),
    (b"{", "JSON"),
    (b"[", "JSON"),
)
"""How files begin, in small letters as far as they are text."""
_CONTENTS: Final[dict[Kind, tuple[str, ...]]] = {
    "MLIR text": ("text",),
    "npz": ("zip",),
    "SVG": ("SVG", "XML"),
}
"""What files of a kind are found to hold, where that is not the kind itself."""
_READ: Final = 512


class OutputOption(Struct, frozen=True):
    """An option that names a file to write."""

    flag: str
    dest: str
    kind: Callable[[Namespace], Kind]
    is_in_place: bool = False
    """Whether it is for writing an input again."""
    has_own_name: bool = False
    """Whether the command takes no name of another kind, `--force` or not."""


def add_output(
    parser: ArgumentParser,
    flag: str,
    kind: Kind | Callable[[Namespace], Kind],
    *,
    is_in_place: bool = False,
    has_own_name: bool = False,
    **keywords: Any,
) -> None:
    """An option that names a file or folder to write, and with the first file `--force`.

    Args:
        parser: the parser of a subcommand.
        flag: the option.
        kind: what is written, or what finds that in the options.
        is_in_place: whether the option is for writing an input again.
        has_own_name: whether the command takes no name of another kind, `--force` or not.
        keywords: as for `add_argument`.
    """
    action = parser.add_argument(flag, **keywords)
    outputs: Sequence[OutputOption] = parser.get_default("outputs") or ()
    output = OutputOption(
        flag, action.dest, kind if callable(kind) else lambda _: kind, is_in_place, has_own_name
    )
    parser.set_defaults(outputs=(*outputs, output))
    if not outputs and kind != "folder":
        parser.add_argument(
            "--force", action="store_true", help="let outputs replace inputs, and files of another kind"
        )


def written_outputs(options: Namespace) -> list[tuple[OutputOption, str]]:
    """Returns the options of `add_output` that name a file or folder, with that."""
    outputs: Sequence[OutputOption] = getattr(options, "outputs", ())
    written = [(output, getattr(options, output.dest)) for output in outputs]
    return [(output, path) for output, path in written if path is not None and path != "-"]


def refuse_replacing(options: Namespace) -> None:
    """Raises RequestError where the options of `add_output` name one file twice and, without `--force`, where
    they name an input of the command, a file of another kind than is written, or a name of another kind.
    """
    written = written_outputs(options)
    for (output, path), (other, other_path) in combinations(written, 2):
        if os.path.realpath(path) == os.path.realpath(other_path):
            flags = f"{output.flag} and {other.flag}"
            raise RequestError(f"expected {flags} to name two files, got {path} for both")
    if not written or getattr(options, "force", False):
        return
    inputs = list(_inputs(options, getattr(options, "outputs", ())))
    for output, path in written:
        for target in _files(path):
            kind = output.kind(options)
            if kind != "recording" or not os.path.exists(target):  # which no recording replaces
                _refuse(output, target, kind, inputs)


def _refuse(output: OutputOption, path: str, kind: Kind, inputs: Sequence[str]) -> None:
    if not output.is_in_place and any(is_same(path, source) for source in inputs):
        raise RequestError(
            f"expected {output.flag} to name another file than an input, got {path}",
            "--force replaces the input",
        )
    if kind == "folder" and os.path.exists(path) and not os.path.isdir(path):
        raise RequestError(f"expected {output.flag} to name a folder, got {path}")
    fault = "" if kind == "folder" else fault_of(path, kind, is_name_known=output.has_own_name)
    if fault:
        raise RequestError(
            f"expected {output.flag} to name {fault}", f"what is written is {kind}; --force writes it there"
        )


def fault_of(path: str, kind: Kind, *, is_name_known: bool = False) -> str:
    """Returns why something of a kind is not written to a path, as `X, got Y`; empty where it may be. Where
    `is_name_known`, the path's suffix does not count.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        return ""  # a pipe, or what says by itself that it cannot be written
    suffix = Path(path).suffix.lower()
    if not is_name_known and suffix in _KNOWN_NAMES and suffix not in _NAMES[kind]:
        return f"a {_NAMES[kind][0]} file, got {path}"
    held = _held(path)
    if held is None or held in _CONTENTS.get(kind, (kind,)):
        return ""
    return f"a new file, or one of {kind} to replace, got {path}, which holds {held}"


def _held(path: str) -> str | None:
    """Returns what a file holds; None of one that is empty or not there."""
    try:
        with open(path, "rb") as file:
            data = file.read(_READ)
    except (OSError, ValueError):
        return None  # who writes it says why it cannot be written
    if not data:
        return None
    begin = data.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    for start, kind in _STARTS:
        if data.startswith(start) or begin.startswith(start):
            return kind
    try:
        getincrementaldecoder("utf-8")().decode(data)  # the last character may be cut
    except UnicodeDecodeError:
        return "something else"
    return "something else" if b"\0" in data else "text"


def _inputs(options: Namespace, outputs: Sequence[OutputOption]) -> Iterator[str]:
    """Yields the files that words of a command line may name, but for those of outputs."""
    written = {output.dest for output in outputs}
    for name, value in vars(options).items():
        words = cast("Sequence[object]", value if isinstance(value, (list, tuple)) else [value])
        for word in words:
            if isinstance(word, str) and name not in written:
                with suppress(RequestError):
                    word = member_path(word)
                yield from _files(word)
                yield word.partition("=")[2]  # of NAME=FILE


def _files(path: str) -> list[str]:
    """Returns a path, or where it holds places for numbers of processes, the files that are there."""
    if "{" not in path:
        return [path]
    from glob import escape, glob

    from shlo.runner.arguments.grid import PLACEHOLDERS

    pattern = escape(path)
    for placeholder in PLACEHOLDERS:
        pattern = pattern.replace(placeholder, "*")
    return glob(pattern) or [path]


def is_same(path: str, other: str) -> bool:
    """Returns whether two paths name one file that there is."""
    try:
        return os.path.isfile(path) and os.path.samefile(path, other)
    except (OSError, ValueError):
        return False
