"""A value in a few words, for the end of a source line."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from typing import Any, Final, cast

import numpy as np

from shlo.runner.display import array_text
from shlo.runner.statistics import statistics_of, tensor_of
from shlo.text.numbers import number_text
from shlo.text.statistics import Statistics, summary_line

WRITTEN_OUT: Final = 4
"""A tensor of at most so many elements is shown whole."""

PARTS_SHOWN: Final = 3
"""How many values of a tuple are shown."""

LARGEST: Final = 1 << 26
"""A tensor of more elements than this is summed up only where its statistics are asked for."""

KEPT: Final = 4096
"""How many summaries are remembered."""


def summary_of(value: Any) -> str:
    """Returns a value in one line: elements, or range and mean with `NaN!` and `Inf!`."""
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)
        more = ("...",) if len(parts) > PARTS_SHOWN else ()
        return f"({', '.join((*map(summary_of, parts[:PARTS_SHOWN]), *more))})"
    array = tensor_of(value)
    if array is None:
        return str(value)
    if array.size <= WRITTEN_OUT:
        return " ".join(array_text(array).split())
    statistics = statistics_of(array) if array.size <= LARGEST else None
    return "large" if statistics is None else summary_line(statistics)


def summary_of_statistics(statistics: Statistics) -> str:
    """Returns a tensor of which only the statistics are known in one line; a single number as it is."""
    if statistics.size == 1 and statistics.low is not None and not statistics.dtype.startswith("complex"):
        return number_text(statistics.low)
    return summary_line(statistics)


class Summaries:
    """Summaries of arrays that are remembered as long as the arrays live, KEPT of them at most."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[weakref.ref[Any], str]] = OrderedDict()

    def of(self, value: Any) -> str:
        """Returns a value's summary, computed once for an array."""
        if not isinstance(value, np.ndarray):
            return summary_of(value)
        array = cast("Any", value)
        entry = self._known.get(id(array))
        if entry is not None and entry[0]() is array:
            self._known.move_to_end(id(array))
            return entry[1]
        summary = summary_of(array)
        self._known[id(array)] = weakref.ref(array), summary
        if len(self._known) > KEPT:
            self._known.popitem(last=False)
        return summary
