"""Values that panes list: those in scope in the selected frame, or the results of a program that is done."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import prod
from typing import Any, Final

from shlo.debugger.inspect.snapshots import ValueView
from shlo.debugger.session import Session
from shlo.debugger.tensors.summaries import summary_of
from shlo.ir.traced_names import ONLY_RESULT, result_labels
from shlo.ir.types import RankedTensorType

RESULT: Final = "result "
"""How the names of a finished program's results begin; no value's name has a space."""

MOST_VALUES: Final = 2000
"""How many of the values in scope are listed; the others are found by the filter."""

ORDERS: Final = ("last first", "by name", "by type", "largest first")
"""How values can be sorted."""

NONFINITE: Final = ("nan", "inf")
"""Texts that find values by what they hold, which their summaries say."""


def listed_values(session: Session, most: int | None = None) -> tuple[ValueView, ...]:
    """Returns the last `most` values in scope in the order in which they were bound; of a process that is
    done its results, the last one first.
    """
    if session.snapshot.status != "done":
        return session.inspector.values(session.selected_frame, most)
    function = session.module.functions[session.run.entry]
    types = function.type.results
    labels = result_labels(function.operation, len(types))
    return tuple(
        ValueView(
            f"{RESULT}{number}",
            type_,
            0,
            is_argument=False,
            is_held=True,
            label="" if label == ONLY_RESULT else label,
        )
        for number, (type_, label) in enumerate(zip(types, labels))
    )[::-1]


def value_of(session: Session, name: str) -> Any:
    """Returns a value in scope, or a result of the finished program."""
    if name.startswith(RESULT):
        return session.results[int(name.removeprefix(RESULT))]
    return session.inspector.value(name, session.selected_frame)


def summary_line(session: Session, name: str) -> str | None:
    """Returns a line about a value in scope or a result; None for one that is not in memory."""
    if name.startswith(RESULT):
        return summary_of(value_of(session, name))
    return session.inspector.summary(name, session.selected_frame)


def summaries_of(session: Session, names: Iterable[str]) -> dict[str, str]:
    """Returns a line about each value that is in memory, by name."""
    lines = ((name, summary_line(session, name)) for name in names)
    return {name: line for name, line in lines if line is not None}


def label_of(name: str) -> str:
    """Returns a value's name as it is written."""
    return name if name.startswith(RESULT) else f"%{name}"


def title_of(view: ValueView) -> str:
    """Returns a value's name with what the program's arguments are called: `%arg2 (params['w'])`."""
    return label_of(view.name) + (f" ({view.label})" if view.label else "")


def find_values(session: Session, pattern: str) -> tuple[ValueView, ...]:
    """Returns the last values in scope, or results, that a text finds (see `found_values`)."""
    return found_values(listed_values(session), pattern, partial(summary_line, session))[-MOST_VALUES:]


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
