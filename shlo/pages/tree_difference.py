"""Where two arrays or two pytrees differ, as text and HTML: the leaves that differ most first."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import inf
from typing import Any, Final

from msgspec import Struct

from shlo.ir.upper_layers import RichResult
from shlo.pages.report import Cell, badge_html, heading_html, report_html, table_html
from shlo.pages.tensor import difference_html
from shlo.runner.leaves import leaf_count
from shlo.runner.pairs import MOST_ULPS, LeafPair
from shlo.support.conclusion import Conclusion
from shlo.text.escape import escaped
from shlo.text.html import page_html, text_html
from shlo.text.numbers import exact_number_text, number_text, plural

LINES_AT_MOST: Final = 20
"""How many leaves a text lists."""
ROWS_AT_MOST: Final = 1000
"""How many leaves a table lists."""

_COLUMNS: Final = ("leaf", "type", "differing", "largest", "relative", "ULP", "where", "first", "second")


class TreeDifference(RichResult, Struct, frozen=True, dict=True):
    """How two arrays or pytrees differ, leaf by leaf, printed as lines and displayed as a table; false where
    all were compared and none does. NaN is the same as NaN, 0 as -0.

    Args:
        pairs: all leaves by path.
    """

    pairs: Sequence[LeafPair]

    def __bool__(self) -> bool:
        return bool(self.differing)

    @property
    def compared(self) -> bool:
        """Whether there was something to compare, and all of it was."""
        return self.conclusion.compared

    @property
    def conclusion(self) -> Conclusion:
        """What the comparison concludes: leaves without elements at hand are left out."""
        is_found = any(pair.differs for pair in self._compared)
        return Conclusion(is_found, self._size + self._others, len(self.pairs) - len(self._compared))

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
        others, refused = self._others, self.conclusion.left_out
        behind = [f"{leaf_count(others)} without numbers, by equality"] if others else []
        behind += [f"{leaf_count(refused)} not compared"] if refused else []
        return "; ".join([self._verdict(), *behind])

    @cached_property
    def _compared(self) -> list[LeafPair]:
        """The leaves of which something can be said."""
        return [pair for pair in self.pairs if not pair.refusal]

    @property
    def _size(self) -> int:
        """How many elements were compared."""
        return sum(_size(pair) for pair in self.pairs if not pair.mismatch)

    @property
    def _others(self) -> int:
        """How many leaves without numbers were compared."""
        leaves = [pair.one for pair in self._compared]
        return sum(leaf is not None and isinstance(leaf.value, str) for leaf in leaves)

    def _verdict(self) -> str:
        """Returns how many of the leaves that could be compared differ."""
        if not self._compared:
            return "nothing compared"
        size, compared = self._size, leaf_count(len(self._compared))
        elements = plural(size, "element")
        differing = [pair for pair in self._compared if pair.differs]
        if not differing:
            verdict = "the same" if size or self._others else "nothing compared"
            return f"{verdict}: {compared}, {elements}"
        differences = [pair.difference for pair in differing]
        ulps = max((difference.ulps or 0 for difference in differences), default=0)
        largest = max((difference.largest or 0.0 for difference in differences), default=0.0)
        verb = "differs" if len(differing) == 1 else "differ"
        parts = [f"{len(differing):,} of {compared} {verb}"]
        count = sum(difference.differing for difference in differences)
        parts += [f"{count:,} of {elements}" if size else "no elements compared"]
        parts += [f"at most {number_text(largest)} apart"] if largest else []
        parts += [f"at most {ulps:,} ULP"] if 0 < ulps <= MOST_ULPS else []
        return ", ".join(parts)

    @property
    def html(self) -> str:
        """The difference as HTML that needs no other file: a table, and for two arrays both in one view."""
        badge = badge_html(self.summary.partition(":")[0] if not self else "differs")
        parts = [heading_html(self.summary, badge)]
        if self:
            rows = [_row(pair) for pair in self.differing[:ROWS_AT_MOST]]
            parts.append(table_html(_COLUMNS, rows))
        return report_html(*parts) + self._arrays_html()

    def page(self, one: str, other: str) -> str:
        """Returns a page that needs nothing else; `one` and `other` are what to call the two."""
        return page_html(f"{one} → {other}", "", f"<h1>{text_html(f'{one} → {other}')}</h1>{self.html}")

    @property
    def data(self) -> dict[str, Any]:
        """The difference for `--format json`."""
        return {
            "compared": self.compared,
            "leaves": len(self.pairs),
            "elements": self._size,
            "differing": [_data(pair) for pair in self.differing],
        }

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


def _data(pair: LeafPair) -> dict[str, Any]:
    difference = pair.difference
    is_compared = not pair.mismatch
    values = (difference.one, difference.other) if difference.differing else ()
    return {
        "leaf": "/".join(pair.path) or ".",
        "mismatch": pair.mismatch or None,
        "elements": _size(pair) if is_compared else 0,
        "differing": difference.differing,
        "largest": difference.largest,
        "relative": pair.relative,
        "ulps": difference.ulps,
        "index": list(difference.index),
        "values": list(map(exact_number_text, values)),
    }


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
    return 0 if isinstance(pair.one.value, str) else pair.one.value.size
