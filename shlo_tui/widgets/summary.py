"""A value's summary as words, what is alarming in it first, as the end may be cut off."""

from __future__ import annotations

from typing import Final

from rich.segment import Segment

from shlo.text.escape import sanitized
from shlo_tui.widgets.lines import Palette, Segments

ALARMS: Final = ("NaN!", "Inf!")
"""The words of a summary (see shlo.debugger.tensors.summaries) that say what is no number."""


def summary_words(summary: str, style: str, palette: Palette, width: int) -> Segments:
    """Returns a summary in a style, in at most so many cells; its alarms in theirs."""
    parts = sanitized(summary).split(" ")
    alarms = [part for part in ALARMS if part in parts]
    rest = " ".join(part for part in parts if part not in ALARMS)
    rest_width = width - sum(len(alarm) + 1 for alarm in alarms)
    if len(rest) > rest_width:
        rest = rest[: max(rest_width - 1, 0)] + "…"
    words = [Segment(f"{alarm} ", palette["alarm"]) for alarm in alarms]
    return [*words, Segment(rest, palette[style])]
