"""Files: what they hold, read or mapped, and files that are written in one step."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from os import PathLike
from pathlib import Path
from typing import BinaryIO

Data = bytes | mmap
"""A file: what it holds, or itself, mapped into memory."""

MAPPED_FROM = 1 << 20
"""Files of at least this size in bytes are mapped into memory instead of read."""


def write_atomically(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Writes a file through a temporary one beside it, so it is whole or as before; its permissions stay.

    What is no regular file, such as a pipe or a device, is written to as it is. Raises PermissionError for a
    file that is read-only, which could be replaced all the same where its folder can be written to.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            write(file)
        return
    if target.exists() and not (target.stat().st_mode & 0o222 and os.access(target, os.W_OK)):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    temporary = target.with_name(f".{target.name}.{os.urandom(4).hex()}")
    try:
        with temporary.open("xb") as file:
            if target.exists():
                temporary.chmod(target.stat().st_mode & 0o777)
            write(file)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def contents(path: str | PathLike[str], mapped_from: int = MAPPED_FROM) -> Data:
    """Returns the bytes of a file; raises OSError.

    A large file is mapped: its pages are read when they are first used. It must not be changed in place while
    the result is in use; replacing it by another file is safe.
    """
    with Path(path).open("rb") as file:
        if file.seekable():
            if file.seek(0, 2) >= max(mapped_from, 1):
                return mmap(file.fileno(), 0, access=ACCESS_READ)
            file.seek(0)
        return file.read()
