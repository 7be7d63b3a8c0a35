"""Widgets of styled lines, made when they are visible, and panes of lines with a cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from msgspec import Struct
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from shlo.text.escape import sanitized
from shlo_tui.keymap import bindings
from shlo_tui.render.status_text import Spans, origin_parts, summary_spans
from shlo_tui.session.view_model import ViewModel

Palette = dict[str, Style]
"""The styles of the screen by name, see shlo_tui.theme."""

Segments = list[Segment]


NOTE_WIDTH: Final = 27
"""The fewest cells at the right for the values that lines bound; at most twice as many."""


class LineNote(Struct, frozen=True):
    """What is behind a line: the values that it bound. `is_new` says that the last step did."""

    text: str
    is_new: bool = False


def noted(strip: Strip, note: LineNote | None, width: int, palette: Palette) -> Strip:
    """Returns a line in so many cells, with a note at its right; it is cut where it would run into that."""
    if note is None:
        return strip.crop(0, width)
    note_width = min(max(width // 3, NOTE_WIDTH), 2 * NOTE_WIDTH)
    text_width = width - note_width
    if strip.cell_length > text_width - 2:
        strip = Strip([*strip.crop(0, text_width - 3), Segment("…", palette["dim"])])
    padded = strip.adjust_cell_length(text_width, Style.null())
    spans = summary_spans(note.text, "value.new" if note.is_new else "value", note_width - 1)
    return Strip([*padded, *segments(spans, palette)])


def segments(spans: Spans, palette: Palette) -> Segments:
    """Returns texts in their styles."""
    return [Segment(text, palette[style]) for text, style in spans]


class LinesWidget(Widget):
    """A widget that cannot be scrolled: its lines are made when they are drawn."""

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(id=id)
        self.palette = palette

    def words(self, y: int) -> Segments:
        """Returns the visible line `y`."""
        raise NotImplementedError

    def paint(self, palette: Palette) -> None:
        """Takes other styles."""
        self.palette = palette
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Returns the strip of the visible line `y`."""
        strip = Strip(self.words(y))
        return strip.crop_extend(0, self.size.width, Style.null()).apply_style(self.rich_style)


class Line(LinesWidget):
    """One line of words."""

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self.parts: Spans = []

    def say(self, *parts: tuple[str, str]) -> None:
        """Shows texts, each with the name of its style."""
        self.parts = list(parts)
        self.refresh()

    def words(self, y: int) -> Segments:
        """Returns the texts in their styles."""
        return [
            Segment(" "),
            *segments([(sanitized(text), style) for text, style in self.parts], self.palette),
        ]


class StatusLine(Line):
    """What happened."""


class TitleLine(Line):
    """The file, in a grid the process, the frames, and where the operation came from."""

    def show(self, name: str, model: ViewModel | None) -> None:
        """Shows where a session is."""
        process = [(f"{model.grid.process.label}  ", "changed")] if model and model.grid else []
        self.say((f"{name}  ", "name"), *process, *(_path(model) if model and model.frame else ()))


def _path(model: ViewModel) -> Spans:
    """Returns the frames down to the one that is looked at, and that one's origin."""
    parts: Spans = []
    for frame in model.snapshot.frames[: model.selected + 1]:
        is_function = frame.region is None
        text = f"@{frame.function}" if is_function else f"{frame.region_name} #{frame.iteration}"
        parts += [(" ▸ ", "dim"), (text, "accent")] if parts else [(text, "accent")]
    origin = origin_parts(model.frame.origin) if model.frame else []
    return [*parts, *((f"  {text}", style) for text, style in origin)]


class LinePane(ScrollView, can_focus=True):
    """Lines of a table or a text; the cursor is the number of one of them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("lines")]
    ALLOW_SELECT = False
    MARGIN = 0
    """Lines that stay visible above and below the cursor."""

    def __init__(self, palette: Palette, rows: Sequence[Any] = (), *, id: str) -> None:
        super().__init__(id=id)
        self.palette = palette
        self.rows: Any = rows
        self.cursor = 0
        self._base = Style.null()

    @property
    def first(self) -> int:
        """The first line that is shown."""
        return 0

    @property
    def count(self) -> int:
        """How many lines there are, those before the first one among them: one for each row."""
        return len(self.rows)

    def spans(self, line: int, width: int) -> Spans:
        """Returns what is on a line of the table, counted from 0."""
        raise NotImplementedError

    def cursor_changed(self) -> None:
        """Runs when a key or the mouse has moved the cursor, or chosen its line."""

    def viewed(self) -> None:
        """Runs when other lines are visible."""

    # --- drawing ---

    def paint(self, palette: Palette) -> None:
        """Takes other styles."""
        self.palette = palette
        self.refresh()

    def resize_content(self, width: int | None = None) -> None:
        """Adapts to another number or width of lines."""
        self.virtual_size = Size(width or self.size.width, self.count - self.first)
        self.cursor = self._nearest(self.cursor)
        self.refresh()

    def _nearest(self, line: int) -> int:
        """Returns the nearest line that is shown."""
        return max(min(line, self.count - 1), self.first)

    def render_lines(self, crop: Region) -> list[Strip]:
        """Returns the strips of a region; reads the pane's style once for all of them."""
        self._base = self.rich_style  # costs as much as a line
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Returns the strip of the visible line `y`, blank after the last line."""
        width, line = self.scrollable_content_region.width, y + self.scroll_offset.y + self.first
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
        return Strip(segments(self.spans(line, width), self.palette))

    def line_style(self, line: int) -> Style | None:
        """Returns what lies under a line: the cursor."""
        if line != self.cursor:
            return None
        return self.palette["cursor" if self.has_focus else "cursor.off"]

    # --- moving ---

    def put_cursor(self, line: int) -> None:
        """Puts the cursor on a line, the nearest one there is, and brings that into view."""
        old, self.cursor = self.cursor, self._nearest(line)
        for changed in {old, self.cursor}:
            self.refresh_line(changed - self.first)
        top, height = self.scroll_offset.y, max(self.size.height, 1)
        margin, line = min(self.MARGIN, (height - 1) // 2), self.cursor - self.first
        if top + margin <= line < top + height - margin:
            return
        if not -height < line - top < 2 * height:
            target = line - height // 2
        else:
            target = line - margin if line < top + margin else line - height + 1 + margin
        self.scroll_to(y=max(target, 0), animate=False, force=True, immediate=True)

    def put_on_next(self, lines: Sequence[int], direction: int, here: bool) -> None:
        """Puts the cursor on the next of some lines in order (from its own on, if `here`), around the end."""
        if lines:
            start = self.cursor if here or direction < 0 else self.cursor + 1
            at = bisect_left(lines, start) - (direction < 0)
            self.put_cursor(lines[at % len(lines)])

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
        self.cursor_changed()

    def on_click(self, event: events.Click) -> None:
        """Puts the cursor on the line that was clicked."""
        line = self.line_at(event)
        if line is not None:
            self.put_cursor(line)
            self.cursor_changed()

    def line_at(self, event: events.Click) -> int | None:
        """Returns the line that was clicked, None beside the lines."""
        offset = event.get_content_offset(self)
        line = -1 if offset is None else offset.y + self.scroll_offset.y + self.first
        return line if self.first <= line < self.count else None

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Calls `viewed` when scrolling has brought other lines into view."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.viewed()

    def on_resize(self) -> None:
        """Fits the content to the new size, keeps the cursor in view and calls `viewed`."""
        self.resize_content(self.virtual_size.width)
        self.put_cursor(self.cursor)
        self.viewed()

    @property
    def visible_lines(self) -> range:
        """The lines that can be seen."""
        top = self.scroll_offset.y + self.first
        return range(top, min(top + self.size.height, self.count))
