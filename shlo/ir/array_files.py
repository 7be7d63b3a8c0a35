"""Untrusted `.npy` and `.npz` files as arrays.

An array is read only after its header was found to fit what is expected, so that a file cannot make us
allocate what it claims; nothing is ever unpickled.
"""

from __future__ import annotations

import math
import os
import re
import sys
import zlib
from collections.abc import Callable
from contextlib import ExitStack
from io import BytesIO
from typing import IO, Any, Final, Literal, Self

import numpy as np
from msgspec import Struct

from shlo.ir.diagnostics import RequestError
from shlo.ir.dtypes import Array
from shlo.support.files import open_input

MAP_ABOVE = 256 << 20
"""Files larger than this many bytes are mapped into memory instead of read."""

LONGEST_HEADER = 10_000
"""Bytes of the longest header that is read; NumPy sets the same limit, but reads all of it first."""

_HEADERS = {
    (1, 0): (2, np.lib.format.read_array_header_1_0),
    (2, 0): (4, np.lib.format.read_array_header_2_0),
}
"""By version of the format: how many bytes tell the header's length, and what parses it from there on."""

_SIZE = rb"(?:0|[1-9][0-9]*)"
_PLAIN_HEADER: Final = re.compile(
    rb"\{'descr': '([<>|][biufcV][0-9]{1,2})', 'fortran_order': (True|False), "
    rb"'shape': \((%b,|(?:%b, )+%b|)\), \} *\n" % (_SIZE, _SIZE, _SIZE)
)
"""The header that NumPy writes for an array of numbers, read without Python's parser, which takes longer
than all else about a small array.
"""

_ONE_BYTE_FLOAT: Final = re.compile(rb"'descr': '[<>]f1'")
_OF_ORDER: Final = re.compile(rb"'descr': '([<>])V(?!1')")
"""A type of ml_dtypes, whose byte order NumPy writes but does not read."""

_BROKEN = (ValueError, EOFError, SyntaxError, TypeError, KeyError, UnicodeError, OverflowError, MemoryError)


class ArrayHeader(Struct, frozen=True):
    """What the header of a `.npy` file says, and where its elements start."""

    shape: tuple[int, ...]
    order: Literal["C", "F"]
    dtype: np.dtype[Any]
    offset: int

    @property
    def size(self) -> int:
        """How many bytes the elements take."""
        return math.prod(self.shape) * self.dtype.itemsize


Check = Callable[[ArrayHeader], None]
"""Raises RequestError where an array of that header is not wanted."""


def any_array(header: ArrayHeader) -> None:
    """Lets an array of every shape and type be read."""


def read_npy(path: str, check: Check, map_above: int = MAP_ABOVE) -> Array:
    """Returns the array of a `.npy` file, one of more than `map_above` bytes mapped; raises RequestError."""
    try:
        with open_input(path) as file:
            header = _read_header(file, path)
            check(header)
            _check_size(header, os.fstat(file.fileno()).st_size, path)
            if header.size > map_above:
                return np.memmap(file, header.dtype, "r", header.offset, header.shape, header.order)
            return _read_elements(file, header, path)
    except (OSError, *_BROKEN) as error:
        raise _unreadable(path, error) from None


class ArrayArchive:
    """Open `.npz` file: the `names` of its arrays, in the order of the file, and the arrays, one at a time.

    Opening and reading raise RequestError.
    """

    def __init__(self, path: str) -> None:
        from zipfile import ZipFile

        self._path = path
        try:
            with ExitStack() as opened:
                self._zip = opened.enter_context(ZipFile(opened.enter_context(open_input(path))))
                self._resources = opened.pop_all()
        except _broken_archive() as error:
            raise _unreadable(path, error) from None
        members = self._zip.namelist()
        self.names = [name.removesuffix(".npy") for name in members if name.endswith(".npy")]
        if len(set(self.names)) != len(self.names):
            self._resources.close()
            raise RequestError(f"{path} holds two arrays of the same name")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._resources.close()

    def read(self, name: str, check: Check) -> Array:
        """Returns the array of that name, read after its header has passed the check."""
        label, member = f"{self._path}[{name}]", f"{name}.npy"
        try:
            with self._zip.open(member) as file:
                header = _read_header(file, label)
                check(header)
                _check_size(header, self._zip.getinfo(member).file_size, label)
                return _read_elements(file, header, label)
        except _broken_archive() as error:
            raise _unreadable(label, error) from None


def _broken_archive() -> tuple[type[Exception], ...]:
    """Returns what opening and reading an archive may raise."""
    from zipfile import BadZipFile

    return (OSError, *_BROKEN, BadZipFile, zlib.error, NotImplementedError, RuntimeError)


def _unreadable(label: str, error: Exception) -> RequestError:
    if isinstance(error, OSError):
        return RequestError(f"cannot read {label}: {error.strerror or error}")
    return RequestError(f"{label} is no array file that NumPy wrote: {str(error) or type(error).__name__}")


def _read_header(file: IO[bytes], label: str) -> ArrayHeader:
    start = file.read(12)  # in one go: of many small arrays, each read takes its time
    major, minor = np.lib.format.read_magic(BytesIO(start))
    if (major, minor) not in _HEADERS:
        raise RequestError(f"{label} is written in version {major}.{minor} of the format, which is unknown")
    at = 8 + _HEADERS[major, minor][0]
    size = int.from_bytes(start[8:at], "little")
    if size > LONGEST_HEADER:
        raise RequestError(f"{label} is no array file that NumPy wrote: its header would take {size} bytes")
    header = start[8:] + file.read(max(at + size - 12, 0))
    order = _OF_ORDER.search(header)
    if order is not None and order[1] != (b"<" if sys.byteorder == "little" else b">"):
        raise RequestError(
            f"{label} has its elements in the byte order of another machine, not {sys.byteorder} endian"
        )
    try:
        shape, fortran_order, dtype = _parse_header(header, major)
    except Exception as error:  # what a header that Python cannot read raises differs between versions
        raise _unreadable(label, error) from None
    if dtype.hasobject or dtype.names is not None or dtype.subdtype is not None:
        raise RequestError(f"{label} holds elements of type {dtype}, which no tensor can hold")
    if any(size < 0 for size in shape):
        raise RequestError(f"{label} has a negative size in its shape {shape}")
    return ArrayHeader(shape, "F" if fortran_order else "C", dtype, at + size)


def _parse_header(header: bytes, major: int) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Returns what a header says that begins with its length.

    NumPy writes float8_e5m2 of ml_dtypes as `<f1` or `>f1`, which it then refuses: they are bytes.
    """
    header = _ONE_BYTE_FLOAT.sub(b"'descr': '|V1'", header)
    plain = _PLAIN_HEADER.fullmatch(header, 2) if major == 1 else None
    if plain is None or len(header) - 2 != int.from_bytes(header[:2], "little"):
        return _HEADERS[major, 0][1](BytesIO(header))
    shape = tuple(map(int, plain[3].replace(b",", b" ").split()))
    return shape, plain[2] == b"True", np.dtype(plain[1].decode())


def _check_size(header: ArrayHeader, file_size: int, label: str) -> None:
    there = max(file_size - header.offset, 0)
    if there < header.size:
        raise RequestError(f"{label} is cut short: {there} of {header.size} bytes of elements are there")


def _read_elements(file: IO[bytes], header: ArrayHeader, label: str) -> Array:
    data = file.read(header.size)
    if len(data) < header.size:
        raise RequestError(f"{label} is cut short: {len(data)} of {header.size} bytes of elements are there")
    flat = np.frombuffer(data, header.dtype) if header.size else np.empty(0, header.dtype)
    return flat.reshape(header.shape, order=header.order)
