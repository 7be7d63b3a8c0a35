"""Conversion between the layouts of arrays that calls declare and those that routines expect.

Routines take memory for column-major matrices. If the layout that a call declares differs from the one that
the routine expects, the routine sees another array in the same memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import KernelError
from shlo.ir.dtypes import Array
from shlo.ir.types import RankedTensorType

Change = Callable[[Array], Array]
Layout = tuple[int, ...]
"""A tensor's dimensions from the outermost in memory to the innermost."""


def declared_layouts(call: CustomCall, name: str, types: Sequence[RankedTensorType]) -> list[Layout]:
    """Returns the layout of each tensor that the attribute `name` declares; by default dimensions in order.
    Raises KernelError if there is no layout for a tensor, or one that does not fit its type."""
    declared = call.get(name)
    if declared is None:
        return [tuple(range(type_.rank)) for type_ in types]
    layouts = [tuple(reversed(np.asarray(layout).tolist())) for layout in declared]
    if len(layouts) < len(types) or any(
        sorted(layout) != list(range(t.rank)) for layout, t in zip(layouts, types)
    ):
        raise KernelError(f"{name} does not fit the types")
    return layouts


def column_major(rank: int, batch: int) -> Layout:
    """Returns the layout that a routine expects of vectors and matrices with `batch` dimensions in front."""
    if rank - batch == 2:
        return (*range(batch), batch + 1, batch)
    return tuple(range(rank))


def row_major(rank: int, batch: int) -> Layout:
    """Returns the layout of all dimensions in order."""
    return tuple(range(rank))


def reinterpreted(layout: Layout, expected: Layout) -> Change | None:
    """Returns the view in the `expected` layout of the memory of an array in `layout`; None for the array
    itself."""
    if layout == expected:
        return None
    back = np.argsort(expected).tolist()

    def view(array: Array) -> Array:
        sizes = [array.shape[d] for d in expected]
        return array.transpose(layout).reshape(sizes).transpose(back)

    return view
