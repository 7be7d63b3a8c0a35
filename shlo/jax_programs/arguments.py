"""Arguments of a call of a Python function."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from shlo.jax_programs.jax_library import tree_util
from shlo.jax_programs.leaves import is_torch_tensor, torch_array


class FunctionKeywords(dict[str, Any]):
    """Keyword arguments that are the program's function's although shlo has such of its own: the last
    positional argument of a call that was routed."""


class Arguments(Struct, frozen=True):
    """What a function is called with.

    Args:
        positional: positional arguments, pytrees.
        named: keyword arguments.
        static_argnums: positions of static arguments of a function that is not jitted.
        static_argnames: names of such.
    """

    positional: Sequence[Any] = ()
    named: Mapping[str, Any] = field(default_factory=dict[str, Any])
    static_argnums: Sequence[int] = ()
    static_argnames: Sequence[str] = ()

    @staticmethod
    def of(
        positional: Sequence[Any],
        named: Mapping[str, Any],
        static_argnums: int | Sequence[int],
        static_argnames: str | Sequence[str],
    ) -> Arguments:
        """Returns arguments whose static ones are stated as `jax.jit` takes them; tensors of PyTorch as NumPy
        arrays. Raises RequestError for a tensor without values."""
        argnums = (static_argnums,) if isinstance(static_argnums, int) else static_argnums
        if positional and isinstance(positional[-1], FunctionKeywords):
            positional, named = positional[:-1], {**named, **positional[-1]}
        argnames = (static_argnames,) if isinstance(static_argnames, str) else static_argnames
        if "torch" in sys.modules:
            positional = [
                _with_arrays(f"args[{number}]", argument) for number, argument in enumerate(positional)
            ]
            named = {name: _with_arrays(name, argument) for name, argument in named.items()}
        return Arguments(tuple(positional), dict(named), argnums, argnames)

    @property
    def tree(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The pytree (args, kwargs) that JAX makes of them."""
        return tuple(self.positional), dict(self.named)


def _with_arrays(name: str, value: Any) -> Any:
    """Returns an argument, a pytree, with NumPy arrays in place of tensors of PyTorch."""
    if is_torch_tensor(value):
        return torch_array(f"argument `{name}`", value)
    if isinstance(value, (str, bytes, int, float)):
        return value
    util = tree_util()
    leaves, tree = util.tree_flatten_with_path(value)
    if not any(is_torch_tensor(leaf) for _, leaf in leaves):
        return value
    return tree.unflatten(
        [
            torch_array(f"argument `{name}{util.keystr(path)}`", leaf) if is_torch_tensor(leaf) else leaf
            for path, leaf in leaves
        ]
    )
