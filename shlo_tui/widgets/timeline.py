"""The timeline: steps from left to right, how deep the program was in regions and calls, where it is now."""

from __future__ import annotations

from rich.segment import Segment
from textual import events

from shlo.debugger.inspect.overview import Overview
from shlo.debugger.text.format_loops import BARS
from shlo_tui.widgets.events import PositionChosen, TimelineResized
from shlo_tui.widgets.lines import LinesWidget, Palette, Segments

MARGIN = 1


class TimelinePane(LinesWidget):
    """One line, or two where there is room: marks of breakpoints and of a loop's rounds get their own."""

    def __init__(self, palette: Palette, *, id: str = "timeline") -> None:
        super().__init__(palette, id=id)
        self.overview: Overview | None = None

    def show(self, overview: Overview) -> None:
        """Shows an overview."""
        self.overview = overview
        self.refresh()

    @property
    def label(self) -> str:
        """The position in words."""
        overview = self.overview
        if overview is None:
            return ""
        last = f"{overview.last:,}"
        return f" step {overview.position:>{len(last)},} of {last} "

    @property
    def columns(self) -> int:
        """How many columns there are for steps."""
        return max(self.size.width - 32, 10)

    def on_resize(self) -> None:
        """Posts `TimelineResized`."""
        self.post_message(TimelineResized())

    def on_click(self, event: events.Click) -> None:
        """Posts `PositionChosen` for the column that was clicked."""
        column = event.x - len(self.label) - MARGIN
        if self.overview is not None and 0 <= column < len(self.overview.depths):
            self.post_message(PositionChosen(self.overview.position_of(column)))

    def words(self, y: int) -> Segments:
        """Returns the line `y`: the label and bars, or the marks under them."""
        if self.overview is None:
            return []
        cells = self._cells(self.overview, y, self.size.height == 1)
        if y == 0:
            return [Segment(self.label, self.palette["accent"]), Segment(" " * MARGIN), *cells]
        return [Segment(" " * (len(self.label) + MARGIN)), *cells]

    def _cells(self, overview: Overview, y: int, is_single: bool) -> Segments:
        here = overview.column_of(overview.position)
        deepest = max(overview.depths) or 1
        words = Segments()
        for column, depth in enumerate(overview.depths):
            bar = BARS[min(depth * len(BARS) // (deepest + 1), len(BARS) - 1)]
            mark = "●" if overview.breakpoints[column] else "╵" if overview.rounds[column] else ""
            style = "here" if column == here else "passed" if column < here else "track"
            if y == 1:
                text, style = ("▲", "arrow") if column == here else (mark or " ", style)
            else:
                text = mark if is_single and mark == "●" else bar
            if text == "●":
                style = "here" if style == "here" else "breakpoint"
            words.append(Segment(text, self.palette[style]))
        return words
