"""Heat maps and histograms as cells of a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from rich.segment import Segment
from rich.style import Style

from shlo.debugger import Histogram
from shlo.debugger.text.format_loops import BARS
from shlo.debugger.views.tensor import LevelMap
from shlo.runner.tensors.colormap import NAN, NEGATIVE_INFINITY, POSITIVE_INFINITY, Scale
from shlo.text.numbers import number_text
from shlo_tui.render.status_text import Spans
from shlo_tui.theme import RAMP, Appearance
from shlo_tui.widgets.lines import Palette, Segments

MARKS = {NAN: "N", POSITIVE_INFINITY: "+", NEGATIVE_INFINITY: "-"}
"""A letter for what is no number, as colours alone are not to tell it."""

PLAIN_BARS = " ..::||##"


class LevelPainter:
    """Paints levels as a terminal can: two elements in a cell as half blocks, one as a coloured cell, or one
    as a letter of a ramp.
    """

    def __init__(self, appearance: Appearance, palette: Palette) -> None:
        self.appearance, self.palette = appearance, palette

    @property
    def per_line(self) -> int:
        """How many rows of elements a line shows."""
        return 2 if self.appearance.colours == "full" and not self.appearance.ascii else 1

    def lines(self, map_: LevelMap, cursor: tuple[int, int]) -> Iterator[Segments]:
        """Yields the lines of a map, the element or block under the cursor marked."""
        rows = len(map_.levels)
        here = cursor[0] * rows // map_.rows, cursor[1] * len(map_.levels[0]) // map_.columns
        for top in range(0, rows, self.per_line):
            yield self._line(map_, top, here)

    def legend(self, scale: Scale, width: int) -> Segments:
        """Returns the colours or letters from the lowest number to the highest."""
        low, high = number_text(scale.low), number_text(scale.high)
        steps = max(min(width - len(low) - len(high) - 2, 24), 2)
        levels = [step * 255 // (steps - 1) for step in range(steps)]
        return [
            Segment(f"{low} ", self.palette["dim"]),
            *(self._single(level, scale.palette) for level in levels),
            Segment(f" {high}", self.palette["dim"]),
        ]

    def _line(self, map_: LevelMap, top: int, here: tuple[int, int]) -> Segments:
        palette = map_.scale.palette
        levels, marks = map_.levels, map_.marks
        rows = [row for row in range(top, top + self.per_line) if row < len(levels)]
        words = Segments()
        for column in range(len(levels[top])):
            marked = {mark for row in rows if (mark := marks[row][column])}
            is_here = here[0] in rows and here[1] == column
            if marked:
                mark = min(marked)
                style = self.palette["nan" if mark == NAN else "infinity"]
                words.append(Segment(MARKS[mark], style + Style(underline=True) if is_here else style))
            elif self.per_line == 2:
                lower = levels[rows[1]][column] if len(rows) == 2 else None
                words.append(self._half(levels[top][column], lower, palette, is_here))
            else:
                words.append(self._single(levels[top][column], palette, is_here))
        return words

    def _half(self, upper: int, lower: int | None, palette: str, is_here: bool) -> Segment:
        colors = self.appearance.level_colors[palette]
        if is_here:
            return Segment("◆", Style(color=_contrast(upper, palette), bgcolor=colors[upper], bold=True))
        return Segment("▀", _style(colors[upper], None if lower is None else colors[lower]))

    def _single(self, level: int, palette: str, is_here: bool = False) -> Segment:
        if self.appearance.colours == "full":
            background = self.appearance.level_colors[palette][level]
            return Segment("x" if is_here else " ", _style(_contrast(level, palette), background))
        letter = RAMP[level * (len(RAMP) - 1) // 255]
        return Segment(letter, self.palette["element"] if is_here else self.palette["bar"])


@lru_cache(1 << 16)
def _style(color: str, background: str | None) -> Style:
    return Style(color=color, bgcolor=background)


def _contrast(level: int, palette: str) -> str:
    is_bright = 64 < level < 192 if palette == "diverging" else level > 150
    return "#000000" if is_bright else "#ffffff"


def sparkline(histogram: Histogram, width: int, is_plain: bool) -> Spans:
    """Returns a histogram in one line."""
    low, high = number_text(histogram.edges[0]), number_text(histogram.edges[-1])
    counts = _merged(histogram.counts, max(width - len(low) - len(high) - 4, 1))
    most, bars = max(counts), PLAIN_BARS if is_plain else f" {BARS}"
    text = "".join(bars[-(-count * (len(bars) - 1) // most)] for count in counts)
    return [(" ", "blank"), (f"{low} ", "dim"), (text, "bar"), (f" {high}", "dim")]


def histogram_lines(histogram: Histogram, width: int, height: int) -> Iterator[Spans]:
    """Yields a histogram with a line for each step: where it begins, a bar, how many elements there are."""
    counts = _merged(histogram.counts, max(height, 1))
    step = (histogram.edges[-1] - histogram.edges[0]) / len(counts)
    most, bar_width = max(counts), max(width - 22, 4)
    for number, count in enumerate(counts):
        edge = number_text(histogram.edges[0] + number * step)
        bar = "█" * -(-count * bar_width // most)
        yield [(f"{edge:>11} ", "dim"), (bar.ljust(bar_width), "bar"), (f" {count}", "text")]


def _merged(counts: tuple[int, ...], most: int) -> list[int]:
    """Counts in at most so many steps, of as many old ones each."""
    size = -(-len(counts) // most)
    return [sum(counts[start : start + size]) for start in range(0, len(counts), size)]
