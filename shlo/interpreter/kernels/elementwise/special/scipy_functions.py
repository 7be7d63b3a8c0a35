"""SciPy's special functions, imported at their first use."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


@cache
def scipy_function(name: str) -> Callable[..., Any]:
    """The function of that name in `scipy.special`."""
    return getattr(import_module("scipy.special"), name)
