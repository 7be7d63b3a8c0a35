"""`shlo diff A.npz B.npz`: how the arrays of two files differ."""

from __future__ import annotations

from argparse import Namespace
from typing import Final

from shlo.command_line.console import Console
from shlo.command_line.exit_codes import exit_code_of
from shlo.ir.array_files import ArrayArchive, any_array, read_npy
from shlo.ir.dtypes import Array
from shlo.runner.errors import RequestError
from shlo.support.suffixes import ARCHIVE_SUFFIX, ARRAY_SUFFIXES, has_suffix
from shlo.text.styled import styled

_OF_RUNS: Final = (
    "aligned",
    "bisect_passes",
    "by",
    "grid",
    "ignore",
    "infeed",
    "issue",
    "judge",
    "tolerance",
)


def compare_array_files(options: Namespace, console: Console) -> int:
    """Prints how the arrays of FILE and another file differ; 1 where they do, 2 where not all could be
    compared. Raises RequestError.
    """
    from shlo.jax_programs.trees import leaves_of
    from shlo.pages.tree_difference import TreeDifference
    from shlo.runner.pairs import pairs_of

    given = next((name.replace("_", "-") for name in _OF_RUNS if getattr(options, name)), None)
    if given is not None:
        raise RequestError(f"expected programs with --{given}, got files of arrays")
    if len(options.arguments) != 1 or not has_suffix(options.arguments[0], *ARRAY_SUFFIXES):
        raise RequestError(
            f"expected one .npy or .npz file to compare {options.file} with, got "
            f"{' '.join(options.arguments) or 'none'}",
            "programs come before their arguments: shlo diff PROGRAM [PROGRAM] [ARG ...]",
        )
    paths = options.file, options.arguments[0]
    arrays = [_arrays_of(path) for path in paths]
    names = sorted({name for each in arrays for name, array in each.items() if _is_bits(array)})
    if names:
        console.message(
            "note", f"elements of a type that NumPy lacks are compared by their bits: {', '.join(names)}"
        )
    leaves = [leaves_of({name: _numbers(array) for name, array in each.items()}) or [] for each in arrays]
    difference = TreeDifference(pairs_of(*leaves))
    console.print_report(
        options,
        lambda: map(styled, str(difference).splitlines()),
        lambda: difference.data,
        lambda: difference.page(*paths),
    )
    return exit_code_of(difference.conclusion)


def _arrays_of(path: str) -> dict[str, Array]:
    """Returns the arrays of a file by name; raises RequestError."""
    from shlo.engines.command.tensor_files import of_name, typed_members

    if not has_suffix(path, ARCHIVE_SUFFIX):
        return {"array": read_npy(path, any_array)}
    with ArrayArchive(path) as archive:
        types = typed_members(archive)
        if types is not None:
            return {name: of_name(archive.read(name, any_array), type_) for name, type_ in types.items()}
        return {name: archive.read(name, any_array) for name in archive.names}


def _is_bits(array: Array) -> bool:
    """Returns whether an array is one of bytes, as which NumPy writes elements of a type that it lacks."""
    return array.dtype.kind == "V" and array.dtype.names is None and array.dtype.itemsize in (1, 2)


def _numbers(array: Array) -> Array:
    return array.view(f"u{array.dtype.itemsize}") if _is_bits(array) else array
