"""Programs with arguments and expected results in files, which engines in any language can run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from shlo.engines.command.tensor_files import write_folder, write_npz
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.ir.version import STABLEHLO_VERSION

VERSION: Final = 1
"""Of the manifest."""


def write_case(folder: Path, module: Module, arguments: Sequence[Array], expected: Sequence[Array]) -> None:
    """Writes `program.mlir`, arguments and expected results, both as `.npz` and as folders of raw numbers."""
    folder.mkdir(parents=True)
    (folder / "program.mlir").write_text(module.to_text(), "utf-8", newline="\n")
    for name, arrays in (("arguments", arguments), ("expected", expected)):
        write_npz(folder / f"{name}.npz", arrays)
        write_folder(folder / name, arrays)


def write_manifest(folder: Path, cases: Sequence[Mapping[str, Any]], **others: Any) -> None:
    """Writes `manifest.json`: `cases`, each with the name of its folder, and what else is told of them."""
    folder.mkdir(parents=True, exist_ok=True)
    data = {"version": VERSION, "stablehlo": STABLEHLO_VERSION, "cases": cases, **others}
    (folder / "manifest.json").write_text(json.dumps(data, indent=1), "utf-8", newline="\n")
