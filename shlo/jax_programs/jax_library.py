"""JAX, imported where an object of the caller's needs it. Its objects have no types here: versions differ."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def jax() -> Any:
    """Returns the package `jax`."""
    return import_module("jax")


def jax_module(name: str) -> Any:
    """Returns a module of JAX, `extend.core`; raises ImportError."""
    return import_module(f"jax.{name}")


def tree_util() -> Any:
    """Returns the module `jax.tree_util`."""
    return import_module("jax.tree_util")
