"""What an entry of the corpus is, and the table they all register in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from tests.programs.registry import Program

Maker = Callable[[], Any]


class Entry(Struct, frozen=True):
    """A program, the kind that the report groups it by, and the same as a person would write it in NumPy."""

    program: Program
    kind: str
    numpy: Callable[..., Any] | None = None


CORPUS: dict[str, Entry] = {}


def add(
    kind: str,
    name: str,
    function: Callable[..., Any],
    *makers: Maker,
    numpy: Callable[..., Any] | None = None,
    **options: Any,
) -> None:
    """Registers a function of JAX arrays; `makers` make its arguments, `options` are those of `Program`."""
    if name in CORPUS:
        raise ValueError(f"two programs are called {name}")

    def build() -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return function, tuple(make() for make in makers)

    CORPUS[name] = Entry(Program(name, build, **options), kind, numpy)
