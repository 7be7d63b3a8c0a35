"""Leaves of pytrees: what each holds in numbers, and what is wrong with it."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, Literal

from msgspec import Struct

from shlo.ir.dtypes import Array, largest_finite
from shlo.runner.statistics import AT_A_TIME, finite_mask, index_at, is_floating, statistics_of
from shlo.text.numbers import number_text
from shlo.text.statistics import Statistics

Alarm = Literal["NaN", "Inf", "saturated", "zero"]
"""What may be wrong with a leaf, the worst first."""

ALARMS: Final[tuple[Alarm, ...]] = ("NaN", "Inf", "saturated", "zero")


class Leaf(Struct, frozen=True, dict=True):
    """A leaf of a pytree.

    Args:
        path: the names, keys and positions that lead to it.
        value: its elements; of what is no array, what it is in words.
        sharding: how it is spread over devices, empty for a leaf of one device.
        original: what is no array of numbers, as it is.
        refusal: why the elements of an array are not at hand, empty for all else.
    """

    path: tuple[str, ...]
    value: Array | str
    sharding: str = ""
    original: Any = None
    refusal: str = ""

    @property
    def type(self) -> str:
        """The type in words, `float32[3, 4]`; empty for what is no array."""
        if isinstance(self.value, str):
            return ""
        return f"{self.value.dtype.name}[{', '.join(map(str, self.value.shape))}]"

    @cached_property
    def statistics(self) -> Statistics | None:
        """The elements in numbers, None for what is no array. Reads each a few times."""
        return None if isinstance(self.value, str) else statistics_of(self.value)

    @cached_property
    def alarms(self) -> dict[Alarm, str]:
        """What is wrong with it, and in words how much and where."""
        statistics = self.statistics
        if statistics is None or isinstance(self.value, str) or not is_floating(self.value):
            return {}
        alarms: dict[Alarm, str] = {}
        if statistics.nans:
            alarms["NaN"] = _count_words(statistics.nans, self.value, "NaN")
        if statistics.infinities:
            alarms["Inf"] = _count_words(statistics.infinities, self.value, "Inf")
        largest = largest_finite(self.value.dtype)
        if largest == self.largest:
            alarms["saturated"] = f"reaches {number_text(largest)}, the largest {statistics.dtype}"
        if statistics.size > 1 and statistics.zeros == statistics.size:
            alarms["zero"] = "all elements are 0"
        return alarms

    @property
    def largest(self) -> float:
        """The largest magnitude of a finite element, 0 where there is none."""
        statistics = self.statistics
        return float(max(abs(statistics.low or 0), abs(statistics.high or 0))) if statistics else 0.0

    @property
    def severity(self) -> int:
        """How bad the worst alarm is, as a key to sort by: 0 is the worst, the number of ALARMS none."""
        return min(map(ALARMS.index, self.alarms), default=len(ALARMS))


def leaf_count(count: int) -> str:
    """Returns how many leaves there are: `1 leaf`, `2,048 leaves`."""
    return "1 leaf" if count == 1 else f"{count:,} leaves"


def _count_words(count: int, array: Array, kind: Literal["NaN", "Inf"]) -> str:
    """Returns how many elements are of a kind, and the index of the first."""
    share = "all" if count == array.size else f"{count:,} of {array.size:,}"
    return f"{share} {kind}" + (f", first at {list(_first_index(array, kind))}" if array.ndim else "")


def _first_index(array: Array, kind: Literal["NaN", "Inf"]) -> tuple[int, ...]:
    flat = array.reshape(-1)
    for start in range(0, flat.size, AT_A_TIME):
        part = flat[start : start + AT_A_TIME]
        is_nan = part != part
        matches = is_nan if kind == "NaN" else ~finite_mask(part) & ~is_nan
        if matches.any():
            return index_at(start + int(matches.argmax()), array.shape)
    raise AssertionError(f"no {kind} in an array with such")
