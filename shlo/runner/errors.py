"""The error of a request that cannot be carried out."""

from __future__ import annotations

from shlo.ir.diagnostics import ShloError
from shlo.text.shortening import clipped

QUOTED_AT_MOST = 60
"""Characters of what a user wrote that a message repeats."""


def quoted(text: str) -> str:
    """Returns what a user wrote, as messages repeat it: a long text by its beginning."""
    return clipped(text, QUOTED_AT_MOST)


class RequestError(ShloError):
    """What the user asked for cannot be done: a file that cannot be read, an argument that does not fit."""
