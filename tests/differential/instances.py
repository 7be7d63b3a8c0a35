"""Random instances: an operation with attributes, operands and the formula of its results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shlo.ir.dtypes import element_type_for
from tests.kernels.values import dtype_named, edge_values

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]

LONGEST_SIZE = 5
HIGHEST_RANK = 4


@dataclass(frozen=True)
class Result:
    """A result's shape and dtype."""

    shape: Shape
    dtype: np.dtype[Any]

    @property
    def type(self) -> str:
        return tensor_type(self.shape, self.dtype)


@dataclass(frozen=True)
class Instance:
    """One operation on arguments `%a0`, `%a1`, ...

    `formula` computes the results in loops (None: the specification leaves them to the implementation, and
    XLA alone judges); `tolerance` is how far results may lie from it, as a part of the largest element, 0 for
    the same bits; `xla_tolerance` the same beside XLA, which is asked where `is_for_xla`.
    """

    name: str
    arguments: list[Array]
    results: list[Result]
    attributes: str = ""
    regions: Sequence[str] = ()
    formula: Callable[[], Sequence[Any]] | None = None
    tolerance: float = 0.0
    xla_tolerance: float = 0.0
    is_for_xla: bool = True

    @property
    def text(self) -> str:
        """The text of a module whose `main` is the operation."""
        return f"func.func @main{self.function}"

    @property
    def function(self) -> str:
        """The function's text behind its name: parameters, results and body."""
        types = [tensor_type(argument.shape, argument.dtype) for argument in self.arguments]
        parameters = ", ".join(f"%a{index}: {type_}" for index, type_ in enumerate(types))
        names = ", ".join(f"%a{index}" for index in range(len(types)))
        results = ", ".join(result.type for result in self.results)
        values = ", ".join(f"%r#{index}" for index in range(len(self.results)))
        regions = f" ({', '.join(self.regions)})" if self.regions else ""
        attributes = f" {{{self.attributes}}}" if self.attributes else ""
        return (
            f"({parameters}) -> ({results}) {{\n"
            f'  %r:{len(self.results)} = "{self.name}"({names}){regions}{attributes}'
            f" : ({', '.join(types)}) -> ({results})\n"
            f"  func.return {values} : {results}\n}}\n"
        )


class Maker:
    """A source of random shapes, arrays and attributes; the same seed makes the same instances."""

    def __init__(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def integer(self, low: int, high: int) -> int:
        """Returns an integer of [low, high]."""
        return int(self.random.integers(low, high + 1))

    def integers(self, count: int, low: int, high: int) -> list[int]:
        return [self.integer(low, high) for _ in range(count)]

    def chance(self, probability: float) -> bool:
        return bool(self.random.random() < probability)

    def choice(self, options: Sequence[Any]) -> Any:
        return options[self.integer(0, len(options) - 1)]

    def permutation(self, count: int) -> list[int]:
        return [int(index) for index in self.random.permutation(count)]

    def subset(self, items: Sequence[int], count: int | None = None) -> list[int]:
        """Some of the items, in their order."""
        count = self.integer(0, len(items)) if count is None else count
        chosen = self.random.permutation(len(items))[:count]
        return [items[index] for index in sorted(chosen)]

    def shape(self, rank: int | None = None, smallest: int = 0) -> Shape:
        rank = self.integer(0, HIGHEST_RANK) if rank is None else rank
        if smallest == 0 and self.chance(0.9):
            smallest = 1  # an empty tensor now and then is enough
        return tuple(self.integers(rank, smallest, LONGEST_SIZE if rank < 4 else 3))

    def small(self, shape: Shape, name: str) -> Array:
        """Small whole numbers, whose sums and products are exact in every type of 16 bits or more."""
        if name == "bool":
            return self.random.integers(0, 2, shape).astype(bool)
        low = 0 if name.startswith("uint") else -2
        high = 1 if name in ("int2", "uint2") else 3
        values = self.random.integers(low, high, shape)
        if name.startswith("complex"):
            values = values + 1j * self.random.integers(low, high, shape)
        return np.asarray(values).astype(dtype_named(name))

    def edges(self, shape: Shape, name: str) -> Array:
        """Limits, zeros of both signs, NaN, infinities and ordinary numbers."""
        values = edge_values(name)
        return np.asarray(values[self.random.integers(0, len(values), shape)], dtype_named(name)).reshape(
            shape
        )


def tensor_type(shape: Shape, dtype: np.dtype[Any]) -> str:
    return f"tensor<{''.join(f'{size}x' for size in shape)}{element_type_for(dtype)}>"


def array_i64(values: Sequence[int]) -> str:
    return f"array<i64: {', '.join(map(str, values))}>" if values else "array<i64>"


def array_i1(values: Sequence[bool]) -> str:
    words = ", ".join("true" if value else "false" for value in values)
    return f"array<i1: {words}>" if values else "array<i1>"


def pairs_i64(pairs: Sequence[Sequence[int]]) -> str:
    """Returns a `tensor<Nx2xi64>` attribute, such as padding."""
    rows = ", ".join(f"[{low}, {high}]" for low, high in pairs)
    return f"dense<[{rows}]> : tensor<{len(pairs)}x2xi64>" if pairs else "dense<> : tensor<0x2xi64>"
