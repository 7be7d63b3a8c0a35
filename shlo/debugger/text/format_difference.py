"""Difference of two values in words."""

from __future__ import annotations

from math import isfinite
from typing import Final

from shlo.debugger.tensors.difference import ElementDifference, TensorDifference
from shlo.text.numbers import exact_number_text, number_text, plural

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
