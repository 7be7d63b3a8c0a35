"""Requests that a Session cannot carry out."""

from __future__ import annotations

from shlo.ir.diagnostics import ShloError


class DebuggerError(ShloError):
    """A request that cannot be carried out: a line without operations, a name that is not in scope."""
