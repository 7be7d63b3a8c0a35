"""Files: what they hold, read or mapped, and files that are written in one step."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Final

Data = bytes | mmap
"""A file: what it holds, or itself, mapped into memory."""

MAPPED_FROM = 1 << 20
"""Files of at least this size in bytes are mapped into memory instead of read."""


ZIP_MAGIC: Final = b"PK\x03\x04"
"""How a zip archive begins that has a member."""

_STREAM: Final = re.compile(r"/dev/stdin|/(?:dev|proc/self)/fd/[0-9]+")
_AT_ONCE: Final[int] = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
"""How a file is opened that another process may have put where a regular one was."""


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


def open_input(path: str | PathLike[str]) -> BinaryIO:
    """Opens a file to be read; raises OSError, at once, for what is no regular file: a folder, a named pipe,
    or a device, which may have no end.

    A pipe or terminal is read where its name says that it is one: `/dev/stdin`, `/dev/fd/63`.
    """
    name = os.fspath(path)
    refuse_endless(os.stat(name), _STREAM.fullmatch(name) is not None)
    file = open(name, "rb", opener=_open_at_once)  # noqa: SIM115  (the caller closes it)
    try:
        refuse_endless(os.fstat(file.fileno()), _STREAM.fullmatch(name) is not None)
        if _AT_ONCE:
            os.set_blocking(file.fileno(), True)
    except BaseException:
        file.close()
        raise
    return file


def refuse_endless(status: os.stat_result, is_stream: bool) -> None:
    """Raises OSError where a file of this status is no regular one, and none that is read where `is_stream`:
    a pipe, a socket or a terminal.
    """
    mode = status.st_mode
    if stat.S_ISREG(mode) or (is_stream and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))):
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if stat.S_ISCHR(mode) and (
        status.st_rdev == os.stat(os.devnull).st_rdev or (is_stream and _is_terminal(status))
    ):
        return
    kind = "a named pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
    raise OSError(errno.EINVAL, f"expected a regular file, got {kind}")


def _is_terminal(status: os.stat_result) -> bool:
    """Returns whether a device is the terminal that this process reads from."""
    try:
        return os.isatty(0) and os.fstat(0).st_rdev == status.st_rdev
    except OSError:
        return False


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | _AT_ONCE)


def contents(path: str | PathLike[str], mapped_from: int = MAPPED_FROM) -> Data:
    """Returns the bytes of a file; raises OSError.

    A large file is mapped: its pages are read when they are first used. It must not be changed in place while
    the result is in use; replacing it by another file is safe.
    """
    with open_input(path) as file:
        if file.seekable():
            if file.seek(0, 2) >= max(mapped_from, 1):
                return mmap(file.fileno(), 0, access=ACCESS_READ)
            file.seek(0)
        return file.read()


def cache_folder() -> Path:
    """Returns the folder for what can be computed again."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(Path.home() / "Library" / "Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "shlo"
