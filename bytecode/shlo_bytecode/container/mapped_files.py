"""The bytes of files: small ones are read, large ones are mapped into memory."""

from __future__ import annotations

from mmap import ACCESS_READ, mmap
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from shlo_bytecode.container.stream import Data

MAPPED_FROM = 1 << 20
"""Files of so many bytes are not read, but mapped into memory."""


def contents(path: str | PathLike[str], mapped_from: int = MAPPED_FROM) -> Data:
    """What a file holds; raises OSError. What nobody looks at of a large file is never read. A mapped file
    must not be changed in place while somebody holds it; replacing it by another file does no harm."""
    with Path(path).open("rb") as file:
        if not file.seekable() or file.seek(0, 2) < max(mapped_from, 1):
            return _from_start(file)
        return mmap(file.fileno(), 0, access=ACCESS_READ)


def _from_start(file: BinaryIO) -> bytes:
    if file.seekable():
        file.seek(0)
    return file.read()
