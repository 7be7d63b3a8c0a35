"""Tensors in files that any language can read: `.npz`, or a folder of raw little-endian numbers.

A `.npz` file has the arrays `0`, `1`, ... and `types`, their element types by MLIR's names. Types that NumPy
lacks (bf16, f8E4M3FN, i4, ...) are unsigned integers of the same bits, one element in a byte at least. A
folder has `0.bin`, `1.bin`, ... and `manifest.json`, which tells for each its file, element type, shape and
size in bytes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from math import prod
from os import PathLike
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from shlo.ir.array_files import ArrayArchive, any_array
from shlo.ir.diagnostics import RequestError
from shlo.ir.dtypes import FLOAT_FORMATS, INTEGER_WIDTHS, Array, dtype_of
from shlo.ir.types import F32, F64, I1, ComplexType, FloatType, IntegerType, Type

MOST_MANIFEST_BYTES: Final = 1 << 24
VERSION: Final = 1
TYPES: Final = "types"
"""The array of a `.npz` file that names the types of the elements of all others."""


class TensorFileError(ValueError):
    """A file that does not hold the tensors that it should."""


@cache
def element_types() -> dict[str, Type]:
    """Returns the types of elements that a file may have, by name."""
    floats = [FloatType(name) for name, layout in FLOAT_FORMATS.items() if layout.dtype]
    signless = [IntegerType(width) for width in INTEGER_WIDTHS]
    unsigned = [IntegerType(width, "unsigned") for width in INTEGER_WIDTHS]
    types = [I1, *signless, *unsigned, *floats, ComplexType(F32), ComplexType(F64)]
    return {str(type_): type_ for type_ in types}


def type_name_of(dtype: np.dtype[Any]) -> str:
    """Returns MLIR's name of a dtype's elements; raises TensorFileError."""
    for name, type_ in element_types().items():
        if dtype_of(type_) == dtype:
            return name
    raise TensorFileError(f"expected numbers, got elements of dtype {dtype}")


def read_arguments(path: str | PathLike[str]) -> list[Array]:
    """Returns the arguments that a command gets as an engine (`{arguments}`), as arrays of NumPy's dtypes
    or ml_dtypes'.

    Args:
        path: a `.npz` file, or a folder (`{arguments:raw}`).

    Raises:
        ValueError: the file is none that shlo wrote.
    """
    return read_folder(Path(path), ()) if Path(path).is_dir() else read_npz(Path(path))


def write_results(path: str | PathLike[str], arrays: Sequence[Any]) -> None:
    """Writes the results of a program where an engine's command is told to (`{results}`).

    Args:
        path: a `.npz` file, or a folder that is there (`{results:raw}`).
        arrays: one array for each result, of NumPy's dtypes or ml_dtypes'.
    """
    results = [np.asarray(array) for array in arrays]
    (write_folder if Path(path).is_dir() else write_npz)(Path(path), results)


def typed_members(archive: ArrayArchive) -> dict[str, str] | None:
    """Returns the arrays of a file that `write_npz` wrote, with the names of their elements' types; None for
    another file. Raises RequestError."""
    members = [str(number) for number in range(len(archive.names) - 1)]
    if {TYPES, *members} != {*archive.names}:
        return None
    names = [str(name) for name in archive.read(TYPES, any_array).flat]
    return dict(zip(members, names, strict=True)) if len(names) == len(members) else None


def write_npz(path: Path, arrays: Sequence[Array]) -> None:
    """Writes arrays, of dtypes of NumPy or ml_dtypes."""
    names = [type_name_of(array.dtype) for array in arrays]
    members: dict[str, Any] = {str(number): _storable(array) for number, array in enumerate(arrays)}
    np.savez(path, **{TYPES: np.array(names, "U16")}, **members)


def read_npz(path: Path) -> list[Array]:
    """Reads arrays; raises TensorFileError. Nothing is unpickled."""
    try:
        with ArrayArchive(str(path)) as archive:
            names = [str(name) for name in archive.read(TYPES, any_array).tolist()]
            return [of_name(archive.read(str(n), any_array), name) for n, name in enumerate(names)]
    except (RequestError, ValueError, TypeError) as error:
        raise TensorFileError(f"{path.name}: {error}") from error


def write_folder(path: Path, arrays: Sequence[Array]) -> None:
    """Writes arrays as raw little-endian numbers, in row-major order, with a manifest."""
    path.mkdir(exist_ok=True)
    rows: list[dict[str, Any]] = []
    for number, array in enumerate(arrays):
        raw = _storable(array).astype(_storable(array).dtype.newbyteorder("<")).tobytes()
        (path / f"{number}.bin").write_bytes(raw)
        element, shape = type_name_of(array.dtype), list(array.shape)
        rows.append({"file": f"{number}.bin", "element": element, "shape": shape, "bytes": len(raw)})
    text = json.dumps({"version": VERSION, "tensors": rows}, indent=1)
    (path / "manifest.json").write_text(text, "utf-8", newline="\n")


def read_folder(path: Path, expected: Sequence[tuple[Type, Sequence[int | None]]]) -> list[Array]:
    """Reads arrays as a manifest tells, or without one as `expected` does; raises TensorFileError."""
    try:
        manifest = path / "manifest.json"
        if manifest.exists():
            if manifest.stat().st_size > MOST_MANIFEST_BYTES:
                raise TensorFileError("manifest.json is too large")
            rows = [_row(row) for row in json.loads(manifest.read_text("utf-8"))["tensors"]]
        else:
            rows = [(f"{number}.bin", type_, list(shape)) for number, (type_, shape) in enumerate(expected)]
        return [_read_raw(path / Path(file).name, type_, shape) for file, type_, shape in rows]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise TensorFileError(f"{path.name}: {error}") from error


def _row(row: dict[str, Any]) -> tuple[str, Type, list[int | None]]:
    return str(row["file"]), _type_named(str(row["element"])), [int(size) for size in row["shape"]]


def _read_raw(path: Path, type_: Type, shape: Sequence[int | None]) -> Array:
    if any(size is None or size < 0 for size in shape):
        raise TensorFileError("expected a manifest.json that tells the sizes of results of unknown shape")
    sizes, dtype = cast("list[int]", list(shape)), _storage_of(dtype_of(type_))
    if path.stat().st_size != prod(sizes) * dtype.itemsize:
        size = prod(sizes) * dtype.itemsize
        raise TensorFileError(f"expected {size} bytes in {path.name}, got {path.stat().st_size}")
    raw = np.fromfile(path, dtype.newbyteorder("<")).astype(dtype)
    return raw.view(dtype_of(type_)).reshape(sizes)


def _storage_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the dtype that a file has for elements of a dtype."""
    return dtype if dtype.isbuiltin == 1 else np.dtype(f"u{dtype.itemsize}")


def _storable(array: Array) -> Array:
    return np.ascontiguousarray(array).reshape(array.shape).view(_storage_of(array.dtype))


def of_name(array: Array, name: str) -> Array:
    """Returns an array of a file as elements of a type; raises TensorFileError."""
    dtype = dtype_of(_type_named(name))
    if array.dtype not in (dtype, _storage_of(dtype)) and array.dtype.itemsize != dtype.itemsize:
        raise TensorFileError(
            f"expected elements of {name} in {dtype.itemsize} bytes each, got {array.dtype}"
        )
    return np.array(array, order="C").view(dtype)


def _type_named(name: str) -> Type:
    types = element_types()
    if name not in types:
        raise TensorFileError(f"expected an element type such as f32, bf16, i8 or ui4, got {name!r}")
    return types[name]
