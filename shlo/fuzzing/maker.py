"""Random choices of which programs and instances of operations are made, and the text of attributes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from shlo.fuzzing.values import dtype_named, edge_values
from shlo.ir.dtypes import Array, element_type_for

Shape = tuple[int, ...]

LONGEST_SIZE: Final = 5
HIGHEST_RANK: Final = 4


class Maker:
    """A source of random shapes, arrays and attributes; the same seed makes the same instances.

    Attributes:
        reuse: how likely an operand of a program is a value in sight, as a part of what is usual.
    """

    reuse = 1.0

    def __init__(self, seed: int | Sequence[int]) -> None:
        self.random = np.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        """Returns an integer of [low, high]."""
        return int(self.random.integers(low, high + 1))

    def integers(self, count: int, low: int, high: int) -> list[int]:
        """Returns integers of [low, high]."""
        return [self.integer(low, high) for _ in range(count)]

    def chance(self, probability: float) -> bool:
        """Returns true with a probability."""
        return bool(self.random.random() < probability)

    def choice(self, options: Sequence[Any]) -> Any:
        """Returns one of the options."""
        return options[self.integer(0, len(options) - 1)]

    def index_name(self, names: Sequence[str]) -> str:
        """Returns one of the names of integer types that indices and sizes may have."""
        return self.choice(names)

    def permutation(self, count: int) -> list[int]:
        """Returns the numbers below `count` in another order."""
        return [int(index) for index in self.random.permutation(count)]

    def subset(self, items: Sequence[int], count: int | None = None) -> list[int]:
        """Returns some of the items, in their order."""
        count = self.integer(0, len(items)) if count is None else count
        chosen = self.random.permutation(len(items))[:count]
        return [items[index] for index in sorted(chosen)]

    def shape(self, rank: int | None = None, smallest: int = 0) -> Shape:
        """Returns a shape of a rank; few have an empty dimension, none where sizes are `smallest` or more."""
        rank = self.integer(0, HIGHEST_RANK) if rank is None else rank
        if smallest == 0 and self.chance(0.9):
            smallest = 1  # an empty tensor now and then is enough
        return tuple(self.integers(rank, smallest, LONGEST_SIZE if rank < 4 else 3))

    def small(self, shape: Shape, name: str) -> Array:
        """Returns small whole numbers, whose sums and products are exact in every type of 16 bits or more."""
        if name == "bool":
            return self.random.integers(0, 2, shape).astype(bool)
        low = 0 if name.startswith("uint") else -2
        high = 1 if name in ("int2", "uint2") else 3
        values = self.random.integers(low, high, shape)
        if name.startswith("complex"):
            values = values + 1j * self.random.integers(low, high, shape)
        return np.asarray(values).astype(dtype_named(name))

    def edges(self, shape: Shape, name: str) -> Array:
        """Returns limits, zeros of both signs, NaN, infinities and ordinary numbers."""
        values = edge_values(name)
        return np.asarray(values[self.random.integers(0, len(values), shape)], dtype_named(name)).reshape(
            shape
        )


def tensor_type(shape: Shape, dtype: np.dtype[Any]) -> str:
    """Returns the text of a tensor's type."""
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type_for(dtype)}>"


def array_i64(values: Sequence[int]) -> str:
    """Returns an array attribute of integers."""
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def array_i1(values: Sequence[bool]) -> str:
    """Returns an array attribute of truths."""
    words = ", ".join("true" if value else "false" for value in values)
    return f"array<i1: {words}>" if values else "array<i1>"


def pairs_i64(pairs: Sequence[Sequence[int]]) -> str:
    """Returns a `tensor<Nx2xi64>` attribute, such as padding."""
    rows = ", ".join(f"[{low}, {high}]" for low, high in pairs)
    return f"dense<[{rows}]> : tensor<{len(pairs)}x2xi64>" if pairs else "dense<> : tensor<0x2xi64>"
