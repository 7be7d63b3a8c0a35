"""Where two arrays or two pytrees differ, as text and HTML: the leaves that differ most first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf
from typing import Final

from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.pages.report import Cell, badge_html, heading_html, report_html, table_html
from shlo.pages.tensor import difference_html
from shlo.runner.leaves import leaf_count
from shlo.runner.pairs import MOST_ULPS, LeafPair
from shlo.text.escape import escaped
from shlo.text.numbers import exact_number_text, number_text, plural

LINES_AT_MOST: Final = 20
"""How many leaves a text lists."""
ROWS_AT_MOST: Final = 1000
"""How many leaves a table lists."""

_COLUMNS: Final = ("leaf", "type", "differing", "largest", "relative", "ULP", "where", "first", "second")


class TreeDifference(RichResult, Struct, frozen=True, dict=True):
    """How two arrays or pytrees differ, leaf by leaf, printed as lines and displayed as a table; false where
    they do not. NaN is the same as NaN, 0 as -0.

    Args:
        pairs: all leaves by path.
    """

    pairs: Sequence[LeafPair]

    def __bool__(self) -> bool:
        return bool(self.differing)

    def __str__(self) -> str:
        lines = [self.summary, *map(_line, self.differing[:LINES_AT_MOST])]
        more = len(self.differing) - LINES_AT_MOST
        return escaped("\n".join([*lines, *([f"  and {more:,} more"] if more > 0 else [])]))

    __repr__ = __str__

    @cached_property
    def differing(self) -> list[LeafPair]:
        """The leaves that differ, the worst first: those that cannot be compared, then those with elements
        that are finite in one tree alone, then by distance relative to their largest element."""
        return sorted((pair for pair in self.pairs if pair.differs), key=lambda pair: pair.rank)

    @property
    def summary(self) -> str:
        """How many leaves differ, and by how much at most."""
        compared = [pair for pair in self.pairs if not pair.mismatch]
        arrays = [leaf.value for pair in compared if (leaf := pair.one) and not isinstance(leaf.value, str)]
        size = sum(array.size for array in arrays)
        elements = plural(size, "element")
        others = len(compared) - len(arrays)
        by_name = f"; {leaf_count(others)} without elements, by what they are called" if others else ""
        if not self:
            verdict = "the same" if size or others else "nothing compared"
            return f"{verdict}: {leaf_count(len(self.pairs))}, {elements}{by_name}"
        differences = [pair.difference for pair in self.differing]
        differing = sum(difference.differing for difference in differences)
        ulps = max((difference.ulps or 0 for difference in differences), default=0)
        largest = max((difference.largest or 0.0 for difference in differences), default=0.0)
        verb = "differs" if len(self.differing) == 1 else "differ"
        parts = [f"{len(self.differing):,} of {leaf_count(len(self.pairs))} {verb}"]
        parts += [f"{differing:,} of {elements}" if size else "no elements compared"]
        parts += [f"at most {number_text(largest)} apart"] if largest else []
        parts += [f"at most {ulps:,} ULP"] if 0 < ulps <= MOST_ULPS else []
        return ", ".join(parts)

    @property
    def html(self) -> str:
        """The difference as HTML that needs no other file: a table, and for two arrays both in one view."""
        badge = badge_html("differs" if self else "same")
        parts = [heading_html(self.summary, badge)]
        if self:
            rows = [_row(pair) for pair in self.differing[:ROWS_AT_MOST]]
            parts.append(table_html(_COLUMNS, rows))
        return report_html(*parts) + self._arrays_html()

    def _arrays_html(self) -> str:
        """Returns two arrays and their difference as one view, empty for trees of more leaves."""
        pair = self.pairs[0] if len(self.pairs) == 1 else None
        if pair is None or not self or pair.mismatch or pair.one is None or pair.other is None:
            return ""
        one, other = pair.one.value, pair.other.value
        if isinstance(one, str) or isinstance(other, str) or not one.ndim:
            return ""
        return difference_html(one, other)


def _line(pair: LeafPair) -> str:
    name = "/".join(pair.path) or "."
    if pair.mismatch:
        return f"  {name}: {pair.mismatch}"
    difference = pair.difference
    amounts = [f"{difference.differing:,} of {_size(pair):,} differ"]
    amounts += [f"at most {number_text(difference.largest)} apart"] if difference.largest is not None else []
    amounts += [f"{difference.ulps:,} ULP"] if 0 < (difference.ulps or 0) <= MOST_ULPS else []
    amounts += [f"{difference.nonfinite:,} finite in one alone"] if difference.nonfinite else []
    pair_text = f"{exact_number_text(difference.one)} and {exact_number_text(difference.other)}"
    return f"  {name}: {', '.join(amounts)}; at {list(difference.index)} {pair_text}"


def _row(pair: LeafPair) -> list[Cell | str]:
    name = "/".join(pair.path) or "."
    if pair.mismatch:
        return [name, pair.mismatch, *[Cell("", inf)] * 4, "", "", ""]
    assert pair.one is not None
    difference = pair.difference
    badge = badge_html("NaN or Inf in one") if difference.nonfinite else ""
    share = difference.differing / max(_size(pair), 1)
    ulps = difference.ulps
    return [
        name,
        pair.one.type,
        Cell(f"{difference.differing:,}", float(difference.differing), share),
        _number_cell(difference.largest),
        _number_cell(pair.relative),
        Cell(f"{ulps:,}" if ulps is not None and ulps <= MOST_ULPS else "", float(ulps or 0)),
        Cell("", html=f"{list(difference.index)} {badge}"),
        exact_number_text(difference.one),
        exact_number_text(difference.other),
    ]


def _number_cell(number: float | None) -> Cell:
    return Cell("" if number is None else number_text(number), number or 0.0)


def _size(pair: LeafPair) -> int:
    assert pair.one is not None
    return 1 if isinstance(pair.one.value, str) else pair.one.value.size
