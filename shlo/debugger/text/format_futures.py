"""Futures, edits, and what differs between two futures, in words."""

from __future__ import annotations

from math import isfinite
from typing import Final

import numpy as np

from shlo.debugger.futures.diff import FutureDifference, FuturesDiff
from shlo.debugger.futures.futures import Future
from shlo.debugger.replay.edits import Edit, Index, SkipEdit, ValueEdit
from shlo.debugger.session import Session
from shlo.debugger.tensors.difference import ElementDifference, TensorDifference
from shlo.debugger.tensors.summaries import summary_of
from shlo.debugger.text.format import name_text, place_text
from shlo.text.numbers import exact_number_text, number_text, plural
from shlo.text.shortening import clipped

LONGEST_TEXT = 100
"""How many characters of an operation's text are shown."""


def futures_text(session: Session) -> str:
    """Returns a line for each future: the current one, its name, where it forked, its status; then its
    edits.
    """
    return "\n".join(line for future in session.futures for line in _future_lines(session, future))


def _future_lines(session: Session, future: Future) -> list[str]:
    mark = "*" if future is session.futures.current else " "
    forked = "" if future.parent is None else f" from {future.parent.name} at [{future.position}]"
    where = "" if future.frame is None else f", {place_text(future.frame)}"
    status = f"{future.status} at [{future.last}]"
    edits = future.edits if future.parent is not None else future.history.log.edits
    lines = [f"{mark} {future.name}{forked}{where}: {status}"]
    return [*lines, *(f"    [{edit.position}] {edit_text(session, edit)}" for edit in edits)]


def edit_text(session: Session, edit: Edit) -> str:
    """Returns an edit as the command that makes it; with the process of a grid."""
    grid = session.cursor.grid
    process = "" if grid.is_alone else f" in process {grid.shape.label(edit.process)}"
    if isinstance(edit, ValueEdit):
        value = edit.value if edit.index is None else np.asarray(edit.value)[edit.index]
        where = "" if edit.index is None else f"[{index_text(edit.index)}]"
        return f"set %{name_text(edit.name)}{where} = {summary_of(value)}{process}"
    if isinstance(edit, SkipEdit):
        values = ", ".join(map(summary_of, edit.results))
        return f"skip {name_text(edit.op)}{f' = {values}' if values else ''}{process}"
    text = " ".join(edit.text.split())
    shown = clipped(text, LONGEST_TEXT)
    return f"replace {name_text(shown)}{process}"


def index_text(index: Index) -> str:
    """Returns an index as it is written: `0, 2:5, ::2`."""

    def part(item: int | slice) -> str:
        if not isinstance(item, slice):
            return str(item)
        start, stop, step = (
            "" if bound is None else str(bound) for bound in (item.start, item.stop, item.step)
        )
        return f"{start}:{stop}:{step}" if step else f"{start}:{stop}"

    return ", ".join(map(part, index))


def diff_text(session: Session, one: str, other: str, diff: FuturesDiff) -> str:
    """Returns where two futures part, the values that differ, and the results that do."""
    lines = [f"{one} and {other} are the same up to [{diff.start}]"]
    lines += [
        f"{name} is open at [{last}]"
        for name, last in zip((one, other), diff.lasts)
        if session.futures[name].status == "open"
    ]
    first = f"; the first is {_name(session, diff.values[0])} at {_at(diff.values[0])}" if diff.values else ""
    lines.append(f"{diff.count} of {plural(diff.compared, 'value')} differ{first}")
    if diff.results is not None:
        lines += [
            f"{plural(count, 'step')} only in {name}" for name, count in zip((one, other), diff.only) if count
        ]
    for difference in diff.values:
        line = "" if difference.line is None else f", line {difference.line}"
        head = f"{_at(difference)} {_name(session, difference)} {name_text(difference.op)}"
        lines.append(f"{head}{line}: {_amount(difference)}")
    if len(diff.values) < diff.count:
        lines.append(f"{diff.count - len(diff.values)} more")
    if diff.results is None:
        return "\n".join([*lines, "results: not both futures are done"])
    results = [f"{_name(session, difference)}: {_amount(difference)}" for difference in diff.results]
    return "\n".join([*lines, *results] if results else [*lines, "results: the same"])


def _at(difference: FutureDifference) -> str:
    one, other = difference.positions
    return f"[{one}]" if one == other else f"[{one}|{other}]"


def _name(session: Session, difference: FutureDifference) -> str:
    grid = session.cursor.grid
    process = "" if grid.is_alone else f"process {grid.shape.label(difference.process)} "
    return f"{process}{name_text(difference.name)}"


def _amount(difference: FutureDifference) -> str:
    share = "differs"
    if difference.size > 1:
        share = f"{difference.differing} of {difference.size} elements differ"
    amount = "" if difference.largest is None else f" by {difference.largest:.6g}"
    at_most = " at most" if amount and difference.differing > 1 else ""
    return f"{share}{amount}{at_most}{'' if difference.ulps is None else f', {difference.ulps} ULP'}"


WORST_SHOWN: Final = 8
"""How many elements are shown."""


def difference_text(one: str, other: str, difference: TensorDifference) -> str:
    """Returns how many elements of two values differ, by how much at most, and those that differ most."""
    size = difference.signed.size
    if not difference.differing:
        return f"{one} and {other}: the same, {plural(size, 'element')}"
    amounts = [] if difference.largest is None else [f"at most {number_text(difference.largest)} apart"]
    amounts += [] if difference.ulps is None else [f"at most {difference.ulps:,} ULP"]
    share = f"{difference.differing:,} of {size:,} elements differ"
    lines = [f"{one} and {other}: {', '.join((share, *amounts))}", *map(_element_text, difference.worst)]
    if difference.differing > len(difference.worst):
        lines.append(f"  {difference.differing - len(difference.worst):,} more")
    return "\n".join(lines)


def _element_text(difference: ElementDifference) -> str:
    index = ", ".join(map(str, difference.index))
    pair = f"{exact_number_text(difference.one)} and {exact_number_text(difference.other)}"
    ulps = "" if difference.ulps is None else f", {difference.ulps:,} ULP"
    distance = f": {number_text(difference.distance)} apart{ulps}" if isfinite(difference.distance) else ""
    return f"  [{index}] {pair}{distance}"
