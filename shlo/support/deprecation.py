"""Names of the public API that are to go: they warn for one release, and name the version without them."""

from __future__ import annotations

import warnings


def warn_deprecated(old: str, new: str, *, removed_in: str, stacklevel: int = 2) -> None:
    """Warns that a name is deprecated, in the line of whoever uses it.

    Args:
        old: what was used.
        new: what to use in its place.
        removed_in: the version of shlo that no longer has it; a test fails once shlo is of that version.
        stacklevel: 2 for a function that is deprecated, one more for each call between it and this one.
    """
    text = f"{old} is deprecated and will be removed in shlo {removed_in}; use {new}"
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel + 1)
