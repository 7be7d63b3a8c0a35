"""A value of one name, side by side in the processes of a grid: who agrees, and where others differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.debugger.inspect.snapshots import Comparison, ProcessValue, ValueGroup
from shlo.debugger.tensors.summaries import Summaries
from shlo.interpreter.kernel_api import Value
from shlo.ir.dtypes import Array
from shlo.ir.types import Type
from shlo.runner.equality import equal_groups
from shlo.runner.statistics import largest_finite, tensor_of, wide

MOST_PLACES: Final = 16
"""How many of the places at which two tensors differ are told."""


class Brought(Struct, frozen=True):
    """What a name refers to in a process: its type, when it was bound, what it is; or why there is none."""

    process: int
    type: Type | None = None
    bound_at: int | None = None
    value: Value = None
    absent: str = ""


def compare(name: str, values: Sequence[Brought], summaries: Summaries) -> Comparison:
    """Puts processes with the same values together, and compares each group with the largest."""
    members = equal_groups((value, value.type, value.value) for value in values if not value.absent)
    reference = max(range(len(members)), key=lambda index: (len(members[index]), -index), default=None)
    of_process = {value.process: index for index, group in enumerate(members) for value in group}
    return Comparison(
        name,
        tuple(
            ProcessValue(
                value.process, value.type, value.bound_at, of_process.get(value.process), value.absent
            )
            for value in values
        ),
        tuple(_group(group, members[reference or 0], summaries) for group in members),
        reference,
    )


def _group(group: list[Brought], reference: list[Brought], summaries: Summaries) -> ValueGroup:
    processes, value = tuple(value.process for value in group), group[0].value
    summary = summaries.of(value)
    if group is reference:
        return ValueGroup(processes, summary)
    one, other = tensor_of(value), tensor_of(reference[0].value)
    if one is None or other is None or (one.shape, one.dtype) != (other.shape, other.dtype):
        return ValueGroup(processes, summary, is_comparable=False)
    differing = np.flatnonzero(bytes_of(one) != bytes_of(other))
    shown = (
        np.unravel_index(int(offset), one.shape) if one.shape else () for offset in differing[:MOST_PLACES]
    )
    places = tuple(tuple(map(int, index)) for index in shown)
    return ValueGroup(processes, summary, len(differing), places, _largest_difference(one, other))


def bytes_of(array: Array) -> Array:
    """Returns the elements as plain bytes, which are equal where all bits are; flat."""
    return np.ascontiguousarray(array).reshape(-1).view(f"V{array.itemsize}")


def _largest_difference(one: Array, other: Array) -> float | None:
    """Returns the largest absolute difference of two finite elements, None where there are none."""
    if one.dtype == np.bool_ or not one.size:
        return None
    with np.errstate(all="ignore"):
        return largest_finite(np.abs(wide(one) - wide(other)))
