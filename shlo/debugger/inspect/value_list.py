"""Values in scope as a list: those that a text finds, and orders to sort them by."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Final

from shlo.debugger.inspect.snapshots import ValueView
from shlo.ir.types import RankedTensorType

ORDERS: Final = ("last first", "by name", "by type", "largest first")
"""How values can be sorted."""

NONFINITE: Final = ("nan", "inf")
"""Texts that find values by what they hold, which their summaries say."""


def found_values(
    views: Iterable[ValueView], text: str, summary: Callable[[str], str | None]
) -> tuple[ValueView, ...]:
    """Returns the values that a text finds: in the name, in JAX's name or in the type; `nan` and `inf` those
    that hold some, by their summaries.
    """
    word = text.lower().rstrip("!")

    def holds(view: ValueView) -> bool:
        return word in NONFINITE and view.is_held and word in (summary(view.name) or "").lower()

    return tuple(view for view in views if has_text(view, text) or holds(view))


def has_text(view: ValueView, text: str) -> bool:
    """Returns whether a text occurs in a value's name, in JAX's name or in its type; small letters refer to
    capitals too.
    """
    words = f"%{view.name} {view.label} {view.type}"
    return text in (words.lower() if text == text.lower() else words)


def sorted_values(views: Sequence[ValueView], order: str) -> tuple[ValueView, ...]:
    """Returns values, given in the order in which they were bound, in one of the ORDERS."""
    rows = tuple(reversed(views))
    if order == "by name":
        return tuple(sorted(rows, key=lambda view: (len(view.name), view.name)))
    if order == "by type":
        return tuple(sorted(rows, key=lambda view: str(view.type)))
    return tuple(sorted(rows, key=_size, reverse=True)) if order == "largest first" else rows


def _size(view: ValueView) -> int:
    shape = view.type.shape if isinstance(view.type, RankedTensorType) else ()
    return prod(size or 0 for size in shape)
