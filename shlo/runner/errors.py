"""The error of a request that cannot be carried out."""

from __future__ import annotations

from shlo.ir.diagnostics import RequestError
from shlo.text.shortening import clipped

QUOTED_AT_MOST = 60
"""Characters of what a user wrote that a message repeats."""


def quoted(text: str) -> str:
    """Returns what a user wrote, as messages repeat it: a long text by its beginning."""
    return clipped(text, QUOTED_AT_MOST)


def shown(value: object) -> str:
    """Returns what a user gave, as messages repeat it: a function or class by its name, numbers and texts as
    they are written, anything else by its type.
    """
    name = getattr(value, "__qualname__", None)
    if isinstance(name, str):
        return clipped(name.rpartition("<locals>.")[2], QUOTED_AT_MOST)
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return clipped(repr(value), QUOTED_AT_MOST)
    kind = type(value).__qualname__
    return f"{'an' if kind[:1].lower() in 'aeiou' else 'a'} {kind}"


class UnreadableFileError(RequestError, OSError):
    """A file that cannot be read."""


class MissingFileError(UnreadableFileError, FileNotFoundError):
    """A file that does not exist."""


def cannot_read(path: str, error: Exception) -> RequestError:
    """Returns the error for a file that cannot be read, and why, in the words of the operating system."""
    kind = MissingFileError if isinstance(error, FileNotFoundError) else UnreadableFileError
    return kind(f"cannot read {path}: {reason(error)}")


def reason(error: Exception) -> str:
    """Returns why the operating system refused, in its words."""
    return (isinstance(error, OSError) and error.strerror) or str(error)
