"""A pane of lines with a cursor, of which only those that are visible are ever made."""

from __future__ import annotations

from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from shlo_tui.keymap import bindings

Palette = dict[str, Style]
"""The styles of the screen by name, see shlo_tui.theme."""

Segments = list[Segment]


class LinePane(ScrollView, can_focus=True):
    """Lines of a table or a text; the cursor is the number of one of them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("lines")]
    ALLOW_SELECT = False
    MARGIN = 0
    """Lines that stay visible above and below the cursor."""

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.palette = palette
        self.cursor = 0
        self._base = Style.null()

    @property
    def count(self) -> int:
        """How many lines there are."""
        raise NotImplementedError

    def words(self, line: int, width: int) -> Segments:
        """What is on a line of the table, counted from 0."""
        raise NotImplementedError

    def choose(self, line: int) -> None:
        """Called when a line is chosen."""

    def cursor_changed(self) -> None:
        """Called when a key or the mouse has moved the cursor."""

    def viewed(self) -> None:
        """Called when other lines are visible."""

    # --- drawing ---

    def paint(self, palette: Palette) -> None:
        """Takes other styles."""
        self.palette = palette
        self.refresh()

    def resize_content(self, width: int | None = None) -> None:
        """To be called when the number of lines has changed, or how wide they are."""
        self.virtual_size = Size(width or self.size.width, self.count)
        self.cursor = min(self.cursor, max(self.count - 1, 0))
        self.refresh()

    def render_lines(self, crop: Region) -> list[Strip]:
        """Returns the strips of a region; reads the pane's style once for all of them."""
        self._base = self.rich_style  # costs as much as a line
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Returns the strip of the visible line `y`, blank after the last line."""
        width, line = self.scrollable_content_region.width, y + self.scroll_offset.y
        base = self._base
        if line >= self.count:
            return Strip.blank(width, base)
        style = self.line_style(line)
        if style is not None:
            base += style
        strip = self.strip(line, width)
        return strip.crop_extend(0, width, Style.null()).apply_style(base)

    def strip(self, line: int, width: int) -> Strip:
        """Returns a line, scrolled sideways."""
        return Strip(self.words(line, width))

    def line_style(self, line: int) -> Style | None:
        """Returns what lies under a line: the cursor."""
        if line != self.cursor:
            return None
        return self.palette["cursor" if self.has_focus else "cursor.off"]

    # --- moving ---

    def put_cursor(self, line: int) -> None:
        """Puts the cursor on a line, the nearest one there is, and brings that into view."""
        old, self.cursor = self.cursor, min(max(line, 0), max(self.count - 1, 0))
        for changed in {old, self.cursor}:
            self.refresh_line(changed)
        self.show_line(self.cursor)

    def show_line(self, line: int, center: bool = False) -> None:
        """Scrolls to a line if it is not visible; to the middle if it is far away."""
        top, height = self.scroll_offset.y, max(self.size.height, 1)
        margin = min(self.MARGIN, (height - 1) // 2)
        if top + margin <= line < top + height - margin:
            return
        near = not center and -height < line - top < 2 * height
        if near:
            target = line - margin if line < top + margin else line - height + 1 + margin
        else:
            target = line - height // 2
        self.scroll_to(y=max(target, 0), animate=False, force=True, immediate=True)

    def action_cursor(self, by: int) -> None:
        """Moves the cursor by a number of lines."""
        self.put_cursor(self.cursor + by)
        self.cursor_changed()

    def action_page(self, by: int) -> None:
        """Moves the cursor by a number of pages."""
        self.action_cursor(by * max(self.size.height - 1, 1))

    def action_edge(self, side: int) -> None:
        """Puts the cursor on the first or the last line."""
        self.action_cursor(side * self.count)

    def action_sideways(self, by: int) -> None:
        """Scrolls sideways, 8 cells for each unit of `by`."""
        self.scroll_to(x=max(self.scroll_offset.x + by * 8, 0), animate=False, force=True, immediate=True)

    def action_choose(self) -> None:
        """Chooses the line under the cursor."""
        self.choose(self.cursor)

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the line that was clicked and chooses it."""
        place = event.get_content_offset(self)
        line = -1 if place is None else place.y + self.scroll_offset.y
        if 0 <= line < self.count:
            self.put_cursor(line)
            self.cursor_changed()
            self.choose(line)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Calls `viewed` when scrolling has brought other lines into view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.viewed()

    def on_resize(self) -> None:
        """Fits the content to the new size and calls `viewed`."""
        self.resize_content(self.virtual_size.width)
        self.viewed()

    @property
    def visible_lines(self) -> range:
        """The lines that can be seen."""
        top = self.scroll_offset.y
        return range(top, min(top + self.size.height, self.count))
