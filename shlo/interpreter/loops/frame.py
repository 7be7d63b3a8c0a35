"""How values are passed to machine code: by the addresses of their objects."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.runtime.copies import by_rows
from shlo.interpreter.runtime.freed_memory import empty
from shlo.ir.types import RankedTensorType, Type

ArrayType = tuple[np.dtype[Any], Sizes]
"""The type of the elements and the shape of an array; of a number the shape is ()."""


def array_types(types: Iterable[Type]) -> list[ArrayType]:
    """Returns what values of types of known sizes are as arrays."""
    return [
        (element_dtype(type_), type_.static_shape if isinstance(type_, RankedTensorType) else ())
        for type_ in types
    ]


class NativeFrame:
    """What machine code reads and writes: a word for each value that it takes, for each array that it fills,
    and for so many objects `more`.
    """

    def __init__(self, inputs: Iterable[ArrayType], results: Iterable[ArrayType], more: int = 0) -> None:
        self._inputs = [(dtype.type, shape, dtype) for dtype, shape in inputs]
        self._results = [(shape, dtype) for dtype, shape in results]
        self._words = struct.Struct(f"={len(self._inputs) + len(self._results) + more}Q")

    def objects(self, values: Sequence[Value]) -> tuple[list[Any], list[Any]]:
        """Returns values as machine code reads them, and new arrays for its results. Both must live as long
        as it runs.
        """
        objects = [
            by_rows(value, shape, dtype)
            if shape
            else (value if type(value) is type_ else np.asarray(value, dtype)[()])
            for value, (type_, shape, dtype) in zip(values, self._inputs, strict=True)
        ]
        return objects, [empty(shape, dtype) for shape, dtype in self._results]

    def words(self, objects: Iterable[Any]) -> bytes:
        """Returns the addresses of all objects."""
        return self._words.pack(*map(id, objects))
