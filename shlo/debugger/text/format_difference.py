"""Difference of two values in words."""

from __future__ import annotations

from math import isfinite
from typing import Final

from shlo.debugger.tensors.difference import ElementDifference, TensorDifference
from shlo.text.numbers import exact_number_text, number_text, plural

WORST_SHOWN: Final = 8
"""How many elements are shown."""


def difference_text(one: str, other: str, found: TensorDifference) -> str:
    """Returns how many elements of two values differ, by how much at most, and those that differ most."""
    size = found.signed.size
    if not found.differing:
        return f"{one} and {other}: the same, {plural(size, 'element')}"
    amounts = [] if found.largest is None else [f"at most {number_text(found.largest)} apart"]
    amounts += [] if found.ulps is None else [f"at most {found.ulps:,} ULP"]
    share = f"{found.differing:,} of {size:,} elements differ"
    lines = [f"{one} and {other}: {', '.join((share, *amounts))}", *map(_element_text, found.worst)]
    if found.differing > len(found.worst):
        lines.append(f"  {found.differing - len(found.worst):,} more")
    return "\n".join(lines)


def _element_text(found: ElementDifference) -> str:
    index = ", ".join(map(str, found.index))
    pair = f"{exact_number_text(found.one)} and {exact_number_text(found.other)}"
    ulps = "" if found.ulps is None else f", {found.ulps:,} ULP"
    distance = f": {number_text(found.distance)} apart{ulps}" if isfinite(found.distance) else ""
    return f"  [{index}] {pair}{distance}"
