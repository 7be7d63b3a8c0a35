"""A line of the source as it is shown: harmless, constants elided, cut where it is much too long."""

from __future__ import annotations

import re
from typing import Final

from msgspec import Struct

from shlo.text.escape import sanitized
from shlo.text.shortening import clipped

LONGEST: Final = 2000
"""Characters of a line that can be shown."""

_BIG = re.compile(
    r'dense<(?:"0x(?P<blob>[^"\n]{32,})"|\[(?P<list>[^<>"\n]{72,})\])>|"(?P<text>[^"\n]{160,})"'
)
_LOCATION = re.compile(r' ?\bloc\((?:"[^"\n]*"|[^()"\n]|\((?:"[^"\n]*"|[^()"\n]|\([^()\n]*\))*\))*\)')
"""Where MLIR says that something comes from; three parentheses deep at most."""

_KEPT: Final = 12
"""Characters of a constant that are left at its beginning."""


class ShownLine(Struct, frozen=True):
    """The text to show, and for which parts of the original (from, to) there is another text in it."""

    text: str
    original: str
    cuts: tuple[tuple[int, int, str], ...]

    def column(self, column: int) -> int:
        """Returns where a column of the original is shown; both from 0."""
        shown, at = 0, 0
        for start, end, text in self.cuts:
            if column <= start:
                break
            shown += len(sanitized(self.original[at:start])) + len(text)
            at = end
        if column < at:
            return min(max(shown - 1, 0), len(self.text))
        return min(shown + len(sanitized(self.original[at : min(column, at + LONGEST)])), len(self.text))


def shown_line(original: str, has_locations: bool = True) -> ShownLine:
    """Returns a line without its line break as it is shown, with or without its locations."""
    cuts = [_cut(match) for match in _BIG.finditer(original)] if len(original) > 80 else []
    if not has_locations and "loc(" in original and not original.startswith("#loc"):
        removed = [(start, end) for start, end, _ in cuts]
        for match in _LOCATION.finditer(original[: 10 * LONGEST]):
            if not any(start < match.end() and match.start() < end for start, end in removed):
                cuts.append((*match.span(), ""))
        cuts.sort()
    pieces: list[str] = []
    at = 0
    for start, end, text in cuts:
        pieces.append(sanitized(original[at:start]) + text)
        at = end
    pieces.append(sanitized(original[at : at + LONGEST + 1]))
    text = "".join(pieces)
    return ShownLine(clipped(text, LONGEST, "…"), original, tuple(cuts))


def _cut(match: re.Match[str]) -> tuple[int, int, str]:
    start, end = match.span(match.lastgroup or 0)
    return start + _KEPT, end, "…"
