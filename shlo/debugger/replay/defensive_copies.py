"""Arrays that go into a session and come out of it, so that nobody outside can change the past."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from shlo.ir.dtypes import Array


def own(value: Any) -> Any:
    """An argument that its giver cannot change any more."""
    if isinstance(value, tuple):
        return tuple(own(part) for part in cast("tuple[Any, ...]", value))
    return cast("Array", value).copy() if isinstance(value, np.ndarray) else value


def locked(value: Any) -> Any:
    """A value that cannot be written to."""
    if isinstance(value, tuple):
        return tuple(locked(part) for part in cast("tuple[Any, ...]", value))
    if not isinstance(value, np.ndarray):
        return value
    view = cast("Array", value).view()
    view.flags.writeable = False
    return view
