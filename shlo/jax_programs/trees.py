"""Pytrees as leaves with their paths: of containers of Python, and of those that JAX knows."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import numpy as np

from shlo.jax_programs.jax_library import key_names, tree_util
from shlo.jax_programs.leaves import is_array, is_torch_tensor, shown_array
from shlo.runner.errors import RequestError, shown
from shlo.runner.leaves import Leaf

Path = tuple[str, ...]


def leaves_of(value: Any) -> list[Leaf] | None:
    """Returns the leaves of an array or pytree; None for `None`, and where no leaf is an array, or has the
    shape of one.

    JAX is not loaded for this: a program that has not loaded it has no other containers than Python's.
    """
    leaves = list(_paths(value) if "jax" in sys.modules else _plain_paths(value, ()))
    has_arrays = any(is_array(leaf) or is_torch_tensor(leaf) for _, leaf in leaves)
    if value is None or (leaves and not has_arrays):
        return None
    return [_leaf(path, leaf) for path, leaf in leaves]


def _paths(value: Any) -> Iterator[tuple[Path, Any]]:
    """Yields the leaves of a pytree with their paths."""
    for path, leaf in tree_util().tree_flatten_with_path(_state(value))[0]:
        yield key_names(path), leaf


def _state(value: Any) -> Any:
    """Returns the state of a module of a Flax whose modules are no pytrees; any other value as it is."""
    nnx = sys.modules.get("flax.nnx")
    if nnx is not None and isinstance(value, nnx.Module) and tree_util().all_leaves([value]):
        return nnx.state(value)
    return value


def _plain_paths(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    if isinstance(value, Mapping):
        mapping = cast("Mapping[Any, Any]", value)
        for key, part in mapping.items():
            yield from _plain_paths(part, (*path, str(key)))
    elif isinstance(value, (list, tuple)):
        sequence = cast("tuple[Any, ...]", value)
        names: Sequence[Any] = getattr(sequence, "_fields", None) or range(len(sequence))
        for name, part in zip(names, sequence):
            yield from _plain_paths(part, (*path, str(name)))
    elif value is not None:
        yield path, value


def _leaf(path: Path, leaf: Any) -> Leaf:
    refusal = ""
    try:
        value = shown_array(np.asarray(leaf) if isinstance(leaf, (bool, int, float, complex)) else leaf)
    except RequestError as error:
        value = _abstract_words(leaf) or str(error)
        refusal = "" if _has_values(leaf) else value
    words = shown(leaf) if value is None else value
    original = leaf if isinstance(words, str) else None
    return Leaf(path, words, _sharding_words(leaf), original, refusal)


def _has_values(leaf: Any) -> bool:
    """Returns whether a leaf has its values at hand, of whatever type they are."""
    return isinstance(leaf, (np.ndarray, np.generic, int))


def _abstract_words(leaf: Any) -> str:
    """Returns the type of an abstract array, which has no values; empty for other leaves."""
    if not type(leaf).__name__.startswith("ShapeDtypeStruct"):
        return ""
    return f"{leaf.dtype}[{', '.join(map(str, leaf.shape))}] without values"


def _sharding_words(leaf: Any) -> str:
    """Returns how an array is spread over devices, empty for one that is on a single device."""
    sharding = getattr(leaf, "sharding", None)
    devices = getattr(sharding, "device_set", ())
    if len(devices) < 2:
        return ""
    assert sharding is not None
    spec = str(getattr(sharding, "spec", type(sharding).__name__)).replace("PartitionSpec", "P")
    if sharding.is_fully_replicated:
        return f"replicated on {len(devices)} devices"
    part = ", ".join(map(str, sharding.shard_shape(leaf.shape)))
    return f"{spec} on {len(devices)} devices, [{part}] each"
