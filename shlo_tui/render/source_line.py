"""A line of the source as it is shown: harmless, constants elided, cut where it is much too long."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from shlo.text.escape import sanitized

LONGEST: Final = 2000
"""Characters of a line that can be shown."""

_BIG = re.compile(
    r'dense<(?:"0x(?P<blob>[^"\n]{32,})"|\[(?P<list>[^<>"\n]{72,})\])>|"(?P<text>[^"\n]{160,})"'
)
_KEPT: Final = 12
"""Characters of a constant that are left at its beginning."""


@dataclass(frozen=True, slots=True)
class ShownLine:
    """The text to show, and which parts of the original (from, to) are `…` in it."""

    text: str
    original: str
    cuts: tuple[tuple[int, int], ...]

    def column(self, column: int) -> int:
        """Returns where a column of the original is shown; both from 0."""
        shown, at = 0, 0
        for start, end in self.cuts:
            if column <= start:
                break
            shown += len(sanitized(self.original[at:start])) + 1
            at = end
        if column < at:
            return min(shown - 1, len(self.text))
        return min(shown + len(sanitized(self.original[at : min(column, at + LONGEST)])), len(self.text))


def shown_line(original: str) -> ShownLine:
    """Returns a line without its line break as it is shown."""
    cuts = tuple(_cut(match) for match in _BIG.finditer(original)) if len(original) > 80 else ()
    pieces: list[str] = []
    at = 0
    for start, end in cuts:
        pieces.append(sanitized(original[at:start]) + "…")
        at = end
    pieces.append(sanitized(original[at : at + LONGEST + 1]))
    text = "".join(pieces)
    return ShownLine(text if len(text) <= LONGEST else text[:LONGEST] + "…", original, cuts)


def _cut(match: re.Match[str]) -> tuple[int, int]:
    start, end = match.span(match.lastgroup or 0)
    return start + _KEPT, end
