"""How windows lie in a tensor: what the attributes of reduce_window and select_and_scatter say."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shlo.interpreter.kernel_api import KernelError, OpView
from shlo.interpreter.kernels.shapes import Sizes, require, require_length
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array


@dataclass(frozen=True, slots=True)
class Windows:
    """How windows lie in a tensor: for every dimension the attributes of reduce_window.

    Places outside of the tensor hold the initial value, unless `skips_padding`: they are passed over then.
    """

    sizes: Sizes
    strides: Sizes
    base_dilations: Sizes
    dilations: Sizes
    low: Sizes
    high: Sizes
    skips_padding: bool = False

    def count(self, shape: Sizes) -> Sizes:
        """How many windows there are in a tensor of this shape, none where padding cuts off more than it has;
        "reduce_window" (C15).
        """
        dilated = [size and (size - 1) * step + 1 for size, step in zip(shape, self.base_dilations)]
        padded = [low + size + high for low, size, high in zip(self.low, dilated, self.high)]
        reaches = [(size - 1) * step + 1 for size, step in zip(self.sizes, self.dilations)]
        return tuple(
            0 if reach > whole else (whole - reach) // stride + 1
            for whole, reach, stride in zip(padded, reaches, self.strides)
        )

    @property
    def is_plain(self) -> bool:
        """Whether windows are strided and dilated nowhere."""
        return all(step == 1 for step in (*self.strides, *self.base_dilations, *self.dilations))


def windows_of(op: OpView, rank: int) -> Windows:
    ones = (1,) * rank
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes, strides, base, dilations = (op.integers(name, ones) for name in names)
    for name, values in zip(names, (sizes, strides, base, dilations)):
        require_length(values, rank, name)
        require(all(value > 0 for value in values), f"needs {name} above 0")
    low, high = _padding(op, rank)
    return Windows(sizes, strides, base, dilations, low, high)


def _padding(op: OpView, rank: int) -> tuple[Sizes, Sizes]:
    padding = op.get("padding")
    if padding is None:
        return (0,) * rank, (0,) * rank
    if not isinstance(padding, DenseElementsAttr) or padding.array.shape != (rank, 2):
        raise KernelError(f"needs padding of shape [{rank}, 2]")
    pairs: list[list[int]] = padding.array.tolist()
    return tuple(low for low, _ in pairs), tuple(high for _, high in pairs)


def places_of(whole: Array, windows: Windows, counts: Sizes) -> Iterator[tuple[Sizes, Array]]:
    """The places in a window in row-major order, and the elements of all windows there."""
    for place in np.ndindex(*windows.sizes):
        spans = zip(map(operator.mul, place, windows.dilations), counts, windows.strides)
        yield (
            place,
            whole[tuple(slice(at, at + (count - 1) * stride + 1, stride) for at, count, stride in spans)],
        )
