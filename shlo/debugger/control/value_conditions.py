"""Conditions on values under which a breakpoint stops: `max > 10`, `%i == 3`, `nan`."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from shlo.debugger.errors import DebuggerError
from shlo.debugger.tensors.statistics import Statistics, real_numbers, statistics_of, tensor_of

MEASURES: Final[dict[str, Callable[[Statistics], float | None]]] = {
    "min": lambda statistics: statistics.low,
    "max": lambda statistics: statistics.high,
    "mean": lambda statistics: statistics.mean,
    "nans": lambda statistics: statistics.nans,
    "infs": lambda statistics: statistics.infinities,
    "zeros": lambda statistics: statistics.zeros,
}
"""What of a tensor can be compared; `min`, `max` and `mean` are those of its finite elements."""

RELATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}

SHORT_FORMS: Final = {"nan": "nans > 0", "inf": "infs > 0"}

_FORM = re.compile(
    rf"(?:%(?P<name>[\w$.#-]+)\s*)?(?P<measure>\b(?:{'|'.join(MEASURES)}))?\s*"
    rf"(?P<relation>{'|'.join(RELATIONS)})\s*(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)",
    re.ASCII,
)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison of one measure of a value in scope with a number; without a `measure`, of any of its
    elements (of complex ones, the magnitude).
    """

    name: str
    measure: str
    relation: str
    number: float | int

    def __str__(self) -> str:
        return f"%{self.name} {self.measure and f'{self.measure} '}{self.relation} {self.number}"

    def holds(self, value: Any) -> bool:
        """Returns whether it is true of a value; never for one that is no tensor, or has no such measure."""
        array = tensor_of(value)
        if array is None:
            return False
        compare = RELATIONS[self.relation]
        if not self.measure:
            with np.errstate(all="ignore"):
                return bool(np.any(compare(real_numbers(array), self.number)))
        statistics = statistics_of(array)
        measured = None if statistics is None else MEASURES[self.measure](statistics)
        return measured is not None and bool(compare(measured, self.number))


def read_condition(text: str, name: str | None = None) -> Condition:
    """Returns the condition that a text states, on the value of a `name` unless the text tells another one:
    `[%NAME] [min | max | mean | nans | infs | zeros] RELATION NUMBER`, `[%NAME] nan`, `[%NAME] inf`. Raises
    DebuggerError.
    """
    words = text.rpartition(" ") if len(text) < _LONGEST else ("", "", "")
    match = _FORM.fullmatch(f"{words[0]} {SHORT_FORMS.get(words[2], words[2])}".strip())
    if match is None:
        raise DebuggerError("write a condition as %x max > 10, %i == 3, %x nan; min, mean, nans, infs, zeros")
    of = match["name"] or name
    if of is None:
        raise DebuggerError("a condition here begins with the value that it is about: %x max > 10")
    number = match["number"]
    exact = int(number) if number.lstrip("+-").isdigit() else float(number)
    return Condition(of, match["measure"] or "", match["relation"], exact)
