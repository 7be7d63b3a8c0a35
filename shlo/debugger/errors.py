"""Requests that a Session cannot carry out."""

from __future__ import annotations

from shlo.ir.diagnostics import ShloError


class DebuggerError(ShloError):
    """A request that cannot be carried out: a line without operations, a name that is not in scope."""


def program_is_done() -> DebuggerError:
    """Returns the error for what needs a program that has not ended."""
    return DebuggerError("the program is done; reverse-next goes back into it")


class RecordingError(DebuggerError):
    """A recording that cannot be written or read; `offset`, in bytes, is -1 where none is known."""

    def __init__(self, message: str, offset: int = -1, path: str = "") -> None:
        self.reason, self.offset = message, offset
        place = f" (byte {offset})" if offset >= 0 else ""
        super().__init__(f"{path}: {message}{place}" if path else f"{message}{place}")
