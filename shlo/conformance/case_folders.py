"""Cases in folders, with what is right: those of a suite that was exported, and the units of a model."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from shlo.conformance.cases import ConformanceCase, operation_of
from shlo.dialects.constraints import short_name
from shlo.divergence.tolerances import Tolerance
from shlo.engines.command.case_files import ManifestRow, TensorsOfFile, read_manifest
from shlo.fuzzing.forms import MAIN
from shlo.fuzzing.programs import Case
from shlo.runner.errors import RequestError
from shlo.runner.files import read_module


def read_cases(
    folders: Sequence[Path], patterns: Sequence[str] = (), types: Sequence[str] = ()
) -> list[ConformanceCase]:
    """Returns the cases of folders; raises RequestError, and ParseError for a program that is none.

    Args:
        folders: with a `manifest.json` each; of several, names of cases begin with that of the folder.
        patterns: of the names of operations, functions and scopes; all without any.
        types: the types of elements; all without any.
    """
    rows = [(folder, row) for folder in folders for row in read_manifest(folder)]
    chosen = [pair for pair in rows if _is_chosen(pair[1], patterns, types)]
    if rows and not chosen:
        raise RequestError("no case is of these operations and types")
    return [
        _case(folder, row, number, f"{folder.name}/{row.name}" if len(folders) > 1 else row.name)
        for number, (folder, row) in enumerate(chosen)
    ]


def _is_chosen(row: ManifestRow, patterns: Sequence[str], types: Sequence[str]) -> bool:
    names = row.op, short_name(row.op)
    is_named = any(fnmatchcase(name, pattern) for name in names for pattern in patterns)
    return (is_named or not patterns) and (row.type in types or not types)


def _case(folder: Path, row: ManifestRow, number: int, name: str) -> ConformanceCase:
    path = folder / row.name
    module = read_module(str(path / "program.mlir"))
    if MAIN not in module.functions:
        raise RequestError(f"{path}: expected a program with a function @{MAIN}")
    case = Case(number, "apart", module, [TensorsOfFile(path / "arguments.npz")])
    tolerance = Tolerance((row.op,), row.ulps, row.of, row.reason)
    operation = operation_of(module, row.op)
    expected = [TensorsOfFile(path / "expected.npz")]
    return ConformanceCase(name, row.op, row.type, case, operation, row.judge, expected, tolerance)
