"""Magics that read and write files: `%load`, `%save`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import numpy as np

from shlo.ir.dtypes import Array
from shlo.runner.arguments.arrays import ArrayArchive
from shlo.runner.conversion import SUFFIXES, Output, form_of_name, refusal, write_program
from shlo.runner.display import as_array
from shlo.runner.errors import RequestError, quoted
from shlo.runner.files import read_program, replace_file
from shlo.syntax.lexer.tokens import NAME
from shlo_kernel.cells.session import own_type
from shlo_kernel.magics.magic import Magic, Notebook
from shlo_kernel.magics.values import check_elements
from shlo_kernel.mime.bundle import Value


def _load(notebook: Notebook, argument: str, body: str | None) -> None:
    path, _ = _split(argument)
    suffix = Path(path).suffix.lower()
    if suffix == ".npy":
        raise RequestError("an array needs a name", f"write %input %x = {path}")
    if suffix == ".npz":
        return _load_arrays(notebook, path)
    return notebook.run_program(read_program(path).text, path)


def _load_arrays(notebook: Notebook, path: str) -> None:
    loaded: dict[str, Value] = {}
    with ArrayArchive(path) as archive:
        for name in archive.names:
            array = archive.read(name, lambda header: check_elements(header, path))
            if not _VALUE.fullmatch(name):
                raise RequestError(f"{path} holds an array {quoted(name)}, which is no name of a value")
            loaded[name] = Value(own_type(array), array)
    notebook.session.set_values(loaded)
    notebook.screen.write("".join(f"%{name} : {value.type}\n" for name, value in loaded.items()))


def _save(notebook: Notebook, argument: str, body: str | None) -> None:
    target, rest = _target(argument.strip())
    path, names = _split(rest)
    suffix = Path(path).suffix.lower()
    if suffix in (".npy", ".npz") and target is None:
        _save_arrays(path, suffix, _arrays(notebook, names))
    elif names:
        raise RequestError(f"values are saved in .npz or .npy files, not in {quoted(path)}")
    else:
        _save_program(notebook, path, target)
    notebook.screen.write(f"saved {path}\n")


def _save_program(notebook: Notebook, path: str, target: str | None) -> None:
    """Writes the functions as text, bytecode or an artifact, and without places: those of cells mean nothing
    elsewhere."""
    from shlo_bytecode import EncodingError

    try:
        form = form_of_name(path, target)
    except RequestError:
        hint = f"give a name that ends in {', '.join(SUFFIXES)}, .npz or .npy"
        raise RequestError(f"cannot save in {quoted(path)}", hint) from None
    output = Output(form, target, locations=False)
    module = notebook.session.module
    try:
        replace_file(path, lambda file: write_program(file, module, output))
    except EncodingError as error:
        from shlo_bytecode.writer.module import first_version

        first = first_version(module) if target else None
        hint = f"version {first} can" if first else None
        what = f"an artifact for {target}" if target else "bytecode"
        raise RequestError(f"{what} cannot hold this: {'; '.join(refusal(error))}", hint) from None


def _target(argument: str) -> tuple[str | None, str]:
    """Returns the version of `--artifact VERSION`, and the other words."""
    match = _ARTIFACT.search(argument)
    if match is None:
        return None, argument
    if not match["version"]:
        raise RequestError("an artifact is for a version of StableHLO", "write %save --artifact 1.4.0 FILE")
    return match["version"], f"{argument[: match.start()]} {argument[match.end() :]}"


def _arrays(notebook: Notebook, names: list[str]) -> dict[str, Array]:
    """Returns the tensors of these names; without names, all that there are."""
    known = notebook.session.values
    chosen: dict[str, Array] = {}
    for name in names or list(known):
        found = notebook.session.named(name)
        if not found:
            raise RequestError(f"there is no value %{name}")
        for each in found:
            array = as_array(each.array)
            if array is not None:
                chosen[each.name] = array
            elif names:
                raise RequestError(f"%{each.name} is no tensor and cannot be saved")
    return chosen


def _save_arrays(path: str, suffix: str, arrays: dict[str, Array]) -> None:
    if suffix == ".npy" and len(arrays) != 1:
        raise RequestError(f"cannot save {len(arrays)} values in {path}", f"write %save {path} %x")

    def write(file: BinaryIO) -> None:
        if suffix == ".npy":
            np.save(file, next(iter(arrays.values())), allow_pickle=False)
        else:
            np.savez(file, **cast("dict[str, Any]", arrays))

    replace_file(path, write)


def _split(argument: str) -> tuple[str, list[str]]:
    """Returns a file's name, in quotes or not, and the names of values behind it."""
    match = _FILE.match(argument.strip())
    if match is None or not match["path"]:
        raise RequestError("the name of a file is missing")
    return match["path"].strip("\"'"), [name.removeprefix("%") for name in match["names"].split()]


_VALUE: Final = re.compile(rf"{NAME}(?:#[0-9]+)?", re.ASCII)
_ARTIFACT: Final = re.compile(r"(?<!\S)--artifact(?:[ \t=]+(?P<version>[0-9]\S*))?(?!\S)")
_FILE: Final = re.compile(r"(?P<path>.*?)(?P<names>(?:\s+%[\w$.#-]+)*)\Z", re.ASCII | re.DOTALL)
FILES: Final = (
    Magic(
        "load", "FILE", "define what text, bytecode or an artifact holds, or the values of a .npz file", _load
    ),
    Magic(
        "save",
        "[--artifact VERSION] FILE [%x ...]",
        "write functions to a .mlir, .mlirbc or .bc file, values to a .npz or .npy one",
        _save,
    ),
)
