"""Layout of windows in a tensor: the attributes of reduce_window and select_and_scatter."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shlo.interpreter.kernel_api import OpView
from shlo.interpreter.kernels.shapes import Sizes, padding_of
from shlo.ir.dtypes import Array


@dataclass(frozen=True, slots=True)
class Windows:
    """Layout of windows in a tensor: for every dimension the attributes of reduce_window.

    Positions outside of the tensor hold the initial value, unless `skips_padding`: they are skipped then.
    """

    sizes: Sizes
    strides: Sizes
    base_dilations: Sizes
    dilations: Sizes
    low: Sizes
    high: Sizes
    skips_padding: bool = False

    def count(self, shape: Sizes) -> Sizes:
        """Returns the number of windows along each dimension of a tensor of this shape.

        That is 0 if padding cuts off more than it has; specification: "reduce_window" (C15).
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
    """Returns how windows lie in the operand of a windowed operation."""
    ones = (1,) * rank
    names = ("window_dimensions", "window_strides", "base_dilations", "window_dilations")
    sizes, strides, base, dilations = (op.integers(name, ()) or ones for name in names)
    padding = padding_of(op, rank)
    low, high = tuple(pair[0] for pair in padding), tuple(pair[1] for pair in padding)
    return Windows(sizes, strides, base, dilations, low, high)


def places_of(whole: Array, windows: Windows, counts: Sizes) -> Iterator[tuple[Sizes, Array]]:
    """Yields the positions in a window in row-major order, and the elements of all windows there."""
    for place in np.ndindex(*windows.sizes):
        spans = zip(map(operator.mul, place, windows.dilations), counts, windows.strides)
        yield (
            place,
            whole[tuple(slice(at, at + (count - 1) * stride + 1, stride) for at, count, stride in spans)],
        )
