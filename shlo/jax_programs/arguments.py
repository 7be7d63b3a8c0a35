"""Arguments of a call of a Python function."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Arguments:
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
        """Returns arguments whose static ones are stated as `jax.jit` takes them."""
        argnums = (static_argnums,) if isinstance(static_argnums, int) else static_argnums
        argnames = (static_argnames,) if isinstance(static_argnames, str) else static_argnames
        return Arguments(tuple(positional), dict(named), argnums, argnames)

    @property
    def tree(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The pytree (args, kwargs) that JAX makes of them."""
        return tuple(self.positional), dict(self.named)
