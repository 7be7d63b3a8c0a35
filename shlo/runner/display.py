"""Results for people to read and for programs to read."""

from __future__ import annotations

import math
from typing import Any, Final, cast

import numpy as np

from shlo.ir.dtypes import Array
from shlo.ir.traced_names import ONLY_RESULT
from shlo.runner.equality import tensor_of

SHOWN_AT_MOST: Final = 343
"""How many elements of a tensor that is shown by its edges are shown."""
EXACT: Final = 17
"""Digits behind the point that distinguish an element of 64 bits from its neighbours."""

ELIDE_ABOVE: Final = 200
"""A tensor of more elements than this is shown by its edges."""


def array_text(value: Any, width: int = 100, elide_above: int | None = ELIDE_ABOVE) -> str:
    """Returns a result as text, one of more than `elide_above` elements without the inner ones."""
    if isinstance(value, tuple):
        parts = [array_text(part, width, elide_above) for part in cast("tuple[Any, ...]", value)]
        return "(" + ",\n".join(parts) + ")"
    array = tensor_of(value)
    if array is None:
        return str(value)
    edge = 3
    if elide_above is None or array.size <= elide_above:
        elide_above = array.size + 1
    else:
        array, edge = _edges(array)
    is_wide = array.dtype.kind in "fc" and array.dtype.itemsize > (8 if array.dtype.kind == "c" else 4)
    return np.array2string(
        array,
        max_line_width=width,
        precision=EXACT if is_wide else None,
        threshold=elide_above,
        edgeitems=edge,
        separator=", ",
    )


def result_title(index: int, label: str, type_: object) -> str:
    """Returns a result's number, what the program that this was made from called it, and its type."""
    return f"result {index}{f' ({label})' if label not in ('', ONLY_RESULT) else ''}: {type_}"


def _edges(array: Array) -> tuple[Array, int]:
    """Returns an array of which few elements are left when all but so many at each end of an axis are left
    out; a row of all of them where the axes are too many and too short for that.
    """
    for edge in (3, 2, 1):
        if math.prod(min(size, 2 * edge + 1) for size in array.shape) <= SHOWN_AT_MOST:
            return array, edge
    return array.reshape(-1), 3


def summary(value: Any) -> str | None:
    """Range and mean of a large tensor of real numbers, None for any other value."""
    array = tensor_of(value)
    if array is None or array.size <= ELIDE_ABOVE or array.dtype.kind in "bc":
        return None
    numbers: Array = array.astype(np.float64)
    finite: Array = numbers[np.isfinite(numbers)]
    if not finite.size:
        return "no finite elements"
    from shlo.text.statistics import range_text

    shown = range_text(finite.min(), finite.max(), finite.mean())
    return shown if finite.size == array.size else f"{shown}, {array.size - finite.size} not finite"


def json_value(value: Any) -> Any:
    """Returns a result as nested lists.

    Numbers that JSON lacks are the strings NaN, Infinity, -Infinity; a complex one is a pair, a token null.
    """
    if isinstance(value, tuple):
        return [json_value(item) for item in cast("tuple[Any, ...]", value)]
    array = tensor_of(value)
    if array is None:
        return None
    if array.dtype.kind == "c":
        return json_value(np.stack([np.real(array), np.imag(array)], axis=-1))
    if array.dtype.kind in "biu":
        return array.tolist()
    if array.dtype.name.startswith(("int", "uint")):
        return array.astype(np.int64).tolist()
    numbers: Array = array.astype(np.float64)
    return numbers.tolist() if bool(np.isfinite(numbers).all()) else _with_words(numbers.tolist())


def _with_words(value: Any) -> Any:
    if isinstance(value, list):
        return [_with_words(item) for item in cast("list[Any]", value)]
    if value != value:
        return "NaN"
    return {np.inf: "Infinity", -np.inf: "-Infinity"}.get(value, value)
