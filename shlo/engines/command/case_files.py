"""Programs with arguments and expected results in files, which engines in any language can run."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct

from shlo.engines.command.tensor_files import TensorFileError, read_arguments, write_folder, write_npz
from shlo.ir.diagnostics import RequestError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.ir.version import STABLEHLO_VERSION
from shlo.support.files import open_input, write_atomically

VERSION: Final = 1
"""Of the manifest."""
MANIFEST: Final = "manifest.json"
MOST_MANIFEST_BYTES: Final = 1 << 28


class ManifestRow(Struct, frozen=True):
    """What a manifest tells of a case, as far as it is judged by it.

    Args:
        name: of its folder.
        op: the operation, function or scope.
        type: the type of elements that it counts as.
        judge: the engine that the expected results are from.
        ulps: how far results may be apart, in units in the last place.
        of: of which number.
        reason: why.
    """

    name: str
    op: str
    type: str
    judge: str = "interpreter"
    ulps: float = 0.0
    of: Literal["element", "tensor", "sum"] = "element"
    reason: str = ""


class _Manifest(Struct, frozen=True):
    version: Literal[1]
    cases: list[ManifestRow]


class TensorsOfFile(Sequence[Array]):
    """The arguments or expected results of a case, read when they are asked for: those of all cases of a
    model may be larger than the memory. Raises RequestError.

    Args:
        path: `.npz`, or else the folder of that name without it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def _read(self) -> list[Array]:
        path = self._path if self._path.exists() else self._path.with_suffix("")
        try:
            return read_arguments(path)
        except (OSError, TensorFileError) as error:
            raise RequestError(f"cannot read {path}: {error}") from error

    def __iter__(self) -> Iterator[Array]:
        return iter(self._read())

    def __getitem__(self, index: Any) -> Any:
        tensors: Any = self._read()
        return tensors[index]

    def __len__(self) -> int:
        return len(self._read())


def read_manifest(folder: Path) -> list[ManifestRow]:
    """Returns the cases of a folder; raises RequestError."""
    path = folder / MANIFEST
    try:
        with open_input(path) as file:
            rows = msgspec.json.decode(file.read(MOST_MANIFEST_BYTES), type=_Manifest).cases
    except (OSError, msgspec.DecodeError, RecursionError) as error:
        hint = "such a folder is what `shlo conform --export` and `shlo split -o` write"
        raise RequestError(f"cannot read cases from {path}: {error}", hint) from error
    for row in rows:
        if row.name in ("", "..", ".") or Path(row.name).name != row.name:
            raise RequestError(f"{path}: expected the name of a folder in it, got {row.name!r}")
    return rows


def require_empty(folder: Path, flag: str) -> None:
    """Raises RequestError where cases would be written among other files."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise RequestError(f"expected {flag} to name an empty folder, got {folder}")


def write_case(folder: Path, module: Module, arguments: Sequence[Array], expected: Sequence[Array]) -> None:
    """Writes `program.mlir`, arguments and expected results, both as `.npz` and as folders of raw numbers;
    under another name first, so the folder is whole or not there.
    """
    temporary = folder.with_name(f".{folder.name}.{os.urandom(4).hex()}")
    try:
        temporary.mkdir(parents=True)
        (temporary / "program.mlir").write_text(module.to_text(), "utf-8", newline="\n")
        for name, arrays in (("arguments", arguments), ("expected", expected)):
            write_npz(temporary / f"{name}.npz", arrays)
            write_folder(temporary / name, arrays)
        temporary.rename(folder)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def write_manifest(folder: Path, cases: Sequence[Mapping[str, Any]], **others: Any) -> None:
    """Writes `manifest.json`: `cases`, each with the name of its folder, and what else is told of them."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"version": VERSION, "stablehlo": STABLEHLO_VERSION, "cases": cases, **others}
    text = json.dumps(data, indent=1).encode()
    write_atomically(str(folder / MANIFEST), lambda file: file.write(text))
