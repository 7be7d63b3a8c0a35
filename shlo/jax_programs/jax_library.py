"""JAX, imported where an object of the caller's needs it. Its objects have no types here: versions differ."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final

_KEYS: Final = ("key", "idx", "name")


@cache
def jax() -> Any:
    """Returns the package `jax`."""
    return import_module("jax")


@cache
def jax_module(name: str) -> Any:
    """Returns a module of JAX, `extend.core`; raises ImportError."""
    return import_module(f"jax.{name}")


@cache
def tree_util() -> Any:
    """Returns the module `jax.tree_util`."""
    return import_module("jax.tree_util")


def key_names(path: Sequence[Any]) -> tuple[str, ...]:
    """Returns the names, keys and positions of a path in a pytree. The attribute in which a library's
    variables hold their arrays is left out."""
    keys = [str(next((getattr(key, name) for name in _KEYS if hasattr(key, name)), key)) for key in path]
    if len(keys) > 1 and keys[-1] == "value" and hasattr(path[-1], "name"):
        keys.pop()
    return tuple(keys)
