"""What a check objects to in one step: how many elements, and the worst of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.ir.dtypes import Array
from shlo.runner.statistics import index_at
from shlo.text.numbers import exact_number_text

WORST: Final = 3
"""How many elements of a finding are kept."""


class Element(Struct, frozen=True):
    """An element that a check objects to.

    Args:
        index: where it is in the tensor that the check looks at, usually the result.
        values: what belongs to it, as names and texts: elements of operands and results.
        weight: how bad it is, beside others of the same check.
    """

    index: tuple[int, ...]
    values: tuple[tuple[str, str], ...]
    weight: float = 0.0


class Objection(Struct, frozen=True):
    """Elements that a check objects to: how many, the worst, and a truth value for each element."""

    count: int
    worst: tuple[Element, ...]
    flags: Any = True


def objection(
    mask: Any,
    values: Mapping[str, Any] | Callable[[tuple[int, ...]], Mapping[str, Any]],
    weight: Any = None,
) -> Objection | None:
    """Returns an objection to the elements that a mask names, None for none.

    Args:
        mask: a truth value for each element.
        values: tensors that broadcast to the mask's shape, or what belongs to the element at an index.
        weight: how bad each element is; without it, the first ones are shown.
    """
    flags = np.asarray(mask)
    count = int(np.count_nonzero(flags))
    if not count:
        return None
    places = np.flatnonzero(flags)
    weights: Array | None = None
    if weight is not None:
        weights = np.nan_to_num(np.broadcast_to(np.asarray(weight, np.float64), flags.shape).reshape(-1))
        places = places[np.argsort(-weights[places], kind="stable")]
    worst = tuple(
        _element(
            index_at(int(position), flags.shape),
            values,
            0.0 if weights is None else float(weights[position]),
        )
        for position in places[:WORST]
    )
    return Objection(count, worst, flags)


def _element(
    index: tuple[int, ...],
    values: Mapping[str, Any] | Callable[[tuple[int, ...]], Mapping[str, Any]],
    weight: float,
) -> Element:
    by_name = (
        values(index) if callable(values) else {name: _at(value, index) for name, value in values.items()}
    )
    return Element(index, tuple((name, value_text(value)) for name, value in by_name.items()), weight)


def _at(value: Any, index: tuple[int, ...]) -> Any:
    array = np.asarray(value)
    if array.ndim < len(index):
        return array[()]
    return array[index]


def value_text(value: Any) -> str:
    """Returns an element, or a list of them, as text."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) or (isinstance(value, np.ndarray) and value.ndim):
        return f"[{', '.join(map(value_text, value))}]"  # type: ignore[reportUnknownArgumentType]
    return exact_number_text(value)
