"""Closing of widgets with all that they are made of: ipywidgets closes a container alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

from ipywidgets import Widget


def close_all(widget: Widget) -> None:
    """Closes a widget and every widget that it holds: children, layouts, styles, and those in attributes."""
    for each in list(_parts(widget, set())):
        Widget.close(each)


def _parts(widget: Any, known: set[int]) -> Iterator[Any]:
    """Yields a widget and all that it holds, each once."""
    if id(widget) in known:
        return
    known.add(id(widget))
    yield widget
    state: dict[str, Any] = {**widget.__dict__, **widget._trait_values}
    for value in state.values():
        held: list[Any] = list(cast("Any", value)) if isinstance(value, (tuple, list)) else [value]
        for each in held:
            if isinstance(each, Widget):
                yield from _parts(each, known)
