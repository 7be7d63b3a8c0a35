"""Captures: one call of a program in one file, with its arguments and the Python that it was made from.

A capture is a zip archive: `program.mlir`, an array `NAME.npy` for each parameter, as `shlo.save` names them,
and `capture.json`. Nothing is unpickled; sizes are checked before anything is read; the file is written
whole.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import PurePath
from typing import IO, Any, BinaryIO, Final
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

import msgspec
import numpy as np
from msgspec import Struct, field

from shlo.ir.dtypes import saveable
from shlo.ir.source import Source
from shlo.runner.errors import RequestError, reason
from shlo.support.files import ZIP_MAGIC, Data, open_input, write_atomically

PROGRAM: Final = "program.mlir"
HEADER: Final = "capture.json"
FORMAT: Final = "shlo-capture"
VERSION: Final = 1
LARGEST_HEADER: Final = 64 << 20
LARGEST_PROGRAM: Final = 1 << 30
"""How many bytes the parts of a capture may have."""


_BROKEN: Final = (BadZipFile, ValueError, OSError, EOFError, RuntimeError, KeyError, zlib.error)
"""What reading an archive may raise; NotImplementedError is a RuntimeError."""


class CaptureHeader(Struct, frozen=True):
    """What a capture tells of its call.

    Args:
        format: `shlo-capture`.
        version: of the format.
        step: the step of the training loop, from 0.
        reason: why it was captured.
        versions: of Python and of libraries.
        sources: the texts of Python files by the paths that locations name.
    """

    format: str
    version: int
    step: int = 0
    reason: str = ""
    versions: dict[str, str] = field(default_factory=dict[str, str])
    sources: dict[str, str] = field(default_factory=dict[str, str])


def write_capture(path: str, program: str, arrays: Mapping[str, Any], header: CaptureHeader) -> None:
    """Writes a capture so that it is whole or not there; raises RequestError."""

    def write(file: BinaryIO) -> None:
        with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr(HEADER, msgspec.json.encode(header))
            archive.writestr(PROGRAM, program.encode("utf-8", "surrogateescape"))
            for name, array in arrays.items():
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array(member, np.asarray(saveable(array)), allow_pickle=False)

    try:
        write_atomically(path, write)
    except (OSError, UnicodeEncodeError) as error:
        raise RequestError(f"cannot write {path}: {reason(error)}") from None


def is_capture(path: str) -> bool:
    """Returns whether a file is a capture, as far as its start and its list of parts say."""
    try:
        with open_input(path) as file:
            return file.read(len(ZIP_MAGIC)) == ZIP_MAGIC and _has_parts(file)
    except (OSError, ValueError):
        return False


def program_of_capture(data: Data, name: str) -> Source | None:
    """Returns the program of a capture; None for another zip archive. Raises RequestError for a
    damaged one.
    """
    file = BytesIO(data)
    if not _has_parts(file):
        return None
    read_header(file, name)
    return Source(_read(file, PROGRAM, LARGEST_PROGRAM, name).decode("utf-8", "surrogateescape"), name)


def read_header(file: IO[bytes], name: str) -> CaptureHeader:
    """Returns what a capture tells of its call; raises RequestError for a damaged one."""
    try:
        header = msgspec.json.decode(_read(file, HEADER, LARGEST_HEADER, name), type=CaptureHeader)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise RequestError(f"{name} is no capture that shlo wrote: {error}") from None
    if header.format != FORMAT or header.version != VERSION:
        got = f"{header.format} {header.version}"
        raise RequestError(f"{name}: expected a capture of version {VERSION}, got {json.dumps(got)}")
    return header


def sources_of(path: str) -> Mapping[str, str]:
    """Returns the texts of the Python files in a capture, by path; none for a file of another kind."""
    if not is_capture(path):
        return {}
    with open_input(path) as file:
        return read_header(file, PurePath(path).name).sources


def _has_parts(file: IO[bytes]) -> bool:
    try:
        with ZipFile(file) as archive:
            return {HEADER, PROGRAM} <= set(archive.namelist())
    except _BROKEN:
        return False


def _read(file: IO[bytes], part: str, largest: int, name: str) -> bytes:
    """Returns a part of an archive; raises RequestError for one that is larger than it may be, or damaged."""
    try:
        with ZipFile(file) as archive, archive.open(part) as member:
            data = member.read(largest + 1)
    except _BROKEN as error:
        raise RequestError(f"{name} is damaged: {part}: {error}") from None
    if len(data) > largest:
        raise RequestError(f"{name}: expected at most {largest:,} bytes in {part}, got more")
    return data
