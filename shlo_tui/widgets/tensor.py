"""The tensor pane: a cut through a value as numbers and as a heat map, its histogram and statistics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from msgspec.structs import replace
from rich.segment import Segment
from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Region
from textual.strip import Strip

from shlo.debugger import Statistics, ValueView
from shlo.debugger.views.tensor import TensorPart, TensorRequest
from shlo.debugger.views.values import label_of
from shlo.runner.tensors.slices import TensorSlice
from shlo.text.escape import sanitized
from shlo.text.numbers import number_text
from shlo_tui.keymap import bindings
from shlo_tui.render.status_text import Spans, fit
from shlo_tui.theme import Appearance
from shlo_tui.widgets.charts import LevelPainter, histogram_lines, sparkline
from shlo_tui.widgets.events import TensorPartChanged
from shlo_tui.widgets.lines import LinesWidget, Palette, Segments, segments
from shlo_tui.widgets.values import short_type

VIEWS: Final = ("all", "numbers", "heat map", "histogram")
HEADER: Final = 3
"""Lines above the numbers: the cut, the element, the statistics."""

SIDE_BY_SIDE: Final = 64
"""Cells from which on heat map and numbers are side by side."""


class TensorPane(LinesWidget, can_focus=True):
    """One value. The cursor is an element of the cut that is shown."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("lines")]

    def __init__(self, appearance: Appearance, palette: Palette, *, id: str = "tensor") -> None:
        super().__init__(palette, id=id)
        self.appearance = appearance
        self.value_name = self.type_text = self.label = ""
        self.data: TensorPart | None = None
        self.view_name = VIEWS[0]
        self.cursor = (0, 0)
        self.slice_2d: TensorSlice | None = None
        self.axis = 0
        self._drawn: list[Segments] = []

    # --- asking and showing ---

    def request(self, value: ValueView, edition: int, seek: bool = False) -> TensorRequest:
        """Returns what to read of a value."""
        name = value.name
        self.type_text, self.label = short_type(value), value.label
        if name != self.value_name:
            self.value_name, self.slice_2d, self.cursor = name, None, (0, 0)
        corner = self.data.corner if self.data and self.data.request.name == name else (0, 0)
        sizes = self._sizes()
        return TensorRequest(name, edition, self.slice_2d, self.cursor, corner, *sizes, seek=seek)

    def show(self, view: TensorPart | None) -> None:
        """Shows what was read; None for nothing."""
        self.data = view
        if view is not None:
            if view.slice_2d is not None and (
                self.slice_2d is None or self.slice_2d.shape != view.slice_2d.shape
            ):
                self.axis = view.slice_2d.fixed_axes[-1] if view.slice_2d.fixed_axes else 0
            self.slice_2d, self.cursor = view.slice_2d, view.cursor
        self.border_title = "tensor" if self.view_name == VIEWS[0] else f"tensor: {self.view_name}"
        self.refresh()

    @property
    def element_index(self) -> tuple[int, ...] | None:
        """The index of the element under the cursor; None where nothing, or no tensor, is shown."""
        cut = self.slice_2d
        if self.data is None or self.data.slice_2d is None or cut is None or 0 in cut.shape:
            return None
        shown = dict(zip((cut.rows, cut.columns), self.cursor))
        return tuple(shown.get(axis, at) for axis, at in enumerate(cut.index))

    def _sizes(self) -> tuple[int, int, int, int]:
        """Rows and cells for numbers, rows and columns for heat."""
        width, height = self.size.width, max(self.size.height - HEADER, 1)
        lines, per_line = height, LevelPainter(self.appearance, self.palette).per_line
        if self.view_name == "numbers":
            return max(lines - 1, 1), width - 6, 0, 0
        if self.view_name == "heat map":
            return 0, 0, max(lines - 1, 1) * per_line, width
        if self.view_name == "histogram":
            return 0, 0, 0, 0
        if lines < 3:
            return max(lines - 1, 1), width - 6, 0, 0
        if width >= SIDE_BY_SIDE:
            map_width = width * 2 // 5
            return max(lines - 2, 1), width - map_width - 8, max(lines - 2, 1) * per_line, map_width
        if lines >= 12:
            map_height = (lines - 2) * 3 // 5
            return lines - map_height - 3, width - 6, map_height * per_line, width
        return max(lines - 2, 1), width - 6, 0, 0

    # --- keys ---

    def on_resize(self) -> None:
        """Posts `TensorPartChanged`, as another part of the tensor fits."""
        self.post_message(TensorPartChanged())

    def action_cursor(self, by: int) -> None:
        """Moves the cursor by a number of rows."""
        self._move(by, 0)

    def action_sideways(self, by: int) -> None:
        """Moves the cursor by a number of columns."""
        self._move(0, by)

    def action_page(self, by: int) -> None:
        """Moves the cursor by a number of pages of rows."""
        rows = len(self.data.cells) if self.data else 1
        self._move(by * max(rows - 1, 1), 0)

    def action_edge(self, side: int) -> None:
        """Moves the cursor to the first or the last column."""
        size = self.slice_2d.size if self.slice_2d else (0, 0)
        self._move(0, side * size[1])

    def action_choose(self) -> None:
        """Posts `TensorPartChanged`."""
        self.post_message(TensorPartChanged())

    def _move(self, down: int, across: int) -> None:
        if self.slice_2d is not None:
            rows, columns = self.slice_2d.size
            row, column = self.cursor
            self.cursor = (
                min(max(row + down, 0), max(rows - 1, 0)),
                min(max(column + across, 0), max(columns - 1, 0)),
            )
            self.post_message(TensorPartChanged())

    def go_to(self, index: tuple[int, ...]) -> str:
        """Puts the cursor on the element of an index; returns why not, or nothing."""
        slice_2d = self.slice_2d
        if slice_2d is None:
            return "there is no tensor"
        shape = slice_2d.shape
        if len(index) != len(shape) or not all(-size <= at < size for at, size in zip(index, shape)):
            return f"expected an index in a tensor of shape ({', '.join(map(str, shape))}), got {list(index)}"
        position = tuple(at % size for at, size in zip(index, shape))
        self._set(replace(slice_2d, index=position))
        rows, columns = slice_2d.rows, slice_2d.columns
        self.cursor = (0 if rows is None else position[rows], 0 if columns is None else position[columns])
        return ""

    def slice_by(self, by: int) -> None:
        """Moves the cut along the chosen axis."""
        if self.slice_2d is not None:
            self._set(self.slice_2d.shifted(self.axis, by) if self.slice_2d.rank else self.slice_2d)

    def choose_axis(self, by: int) -> None:
        """Chooses another axis to move along."""
        standing = self.slice_2d.fixed_axes if self.slice_2d else ()
        if standing:
            at = standing.index(self.axis) if self.axis in standing else 0
            self.axis = standing[(at + by) % len(standing)]
            self.refresh()

    def turn(self) -> None:
        """Shows another pair of axes."""
        slice_2d = self.slice_2d
        if slice_2d is None or slice_2d.rank < 2 or slice_2d.rows is None or slice_2d.columns is None:
            return
        pairs = [
            (rows, columns) for rows in range(slice_2d.rank) for columns in range(rows + 1, slice_2d.rank)
        ]
        now = min(slice_2d.rows, slice_2d.columns), max(slice_2d.rows, slice_2d.columns)
        self._set(slice_2d.with_axes(*pairs[(pairs.index(now) + 1) % len(pairs)]))
        self.axis = next(iter(self.slice_2d.fixed_axes if self.slice_2d else ()), 0)

    def transpose(self) -> None:
        """Exchanges rows and columns."""
        if self.slice_2d is not None:
            self._set(self.slice_2d.transposed())
            self.cursor = self.cursor[1], self.cursor[0]

    def next_view(self) -> None:
        """Shows the next of the VIEWS."""
        self.view_name = VIEWS[(VIEWS.index(self.view_name) + 1) % len(VIEWS)]
        self.post_message(TensorPartChanged())

    def _set(self, slice_2d: TensorSlice) -> None:
        self.slice_2d = slice_2d
        self.post_message(TensorPartChanged())

    # --- drawing ---

    def render_lines(self, crop: Region) -> list[Strip]:
        """Returns the strips of a region; lays out the whole pane once for all of them."""
        self._drawn = self._lines()
        return super().render_lines(crop)

    def words(self, y: int) -> Segments:
        """Returns the line `y`, blank after the last line."""
        return self._drawn[y] if y < len(self._drawn) else []

    def _lines(self) -> list[Segments]:
        view = self.data
        if view is None:
            return [[Segment(" no value", self.palette["dim"])]]
        head = [
            (f" {sanitized(label_of(view.request.name))} ", "name"),
            *([(f"{sanitized(self.label)} ", "scope")] if self.label else []),
            *self._indices(view.slice_2d),
            (f"  {self.type_text}", "type"),
        ]
        if view.slice_2d is None:
            return self._styled([head, [(f" {sanitized(view.element)}", "text")]])
        indexed, equals, number = view.element.partition(" = ")
        style = "alarm" if number in ("NaN", "Inf", "-Inf") else "accent"
        element = [(f" {indexed}{equals}", "dim"), (number, style), (f"  {view.bits[0]}", "dim")]
        width = sum(len(text) for text, _ in element) + len(view.bits[1]) + 3
        if view.bits[0] and width <= self.size.width:
            element.append((f" = {view.bits[1]}", "dim"))
        return [*self._styled([head, element, _statistics_spans(view.statistics)]), *self._body(view)]

    def _styled(self, lines: Iterable[Spans]) -> list[Segments]:
        return [segments(line, self.palette) for line in lines]

    def _indices(self, slice_2d: TensorSlice | None) -> Spans:
        """Returns the slice through the tensor, with the chosen axis marked."""
        if slice_2d is None or not slice_2d.rank:
            return []
        spans: Spans = [("[", "dim")]
        for axis, at in enumerate(slice_2d.index):
            text = "rows" if axis == slice_2d.rows else "cols" if axis == slice_2d.columns else str(at)
            is_chosen = axis == self.axis and axis in slice_2d.fixed_axes
            style = "element" if is_chosen else "dim" if axis not in slice_2d.fixed_axes else "accent"
            spans += [(", " if axis else "", "dim"), (text, style)]
        return [*spans, ("]", "dim")]

    def _body(self, view: TensorPart) -> list[Segments]:
        width, height = self.size.width, self.size.height - HEADER
        if self.view_name == "histogram":
            if view.histogram is None:
                return self._styled([[(" no finite elements", "dim")]])
            return self._styled(histogram_lines(view.histogram, width, height))
        spark: list[Segments] = []
        if self.view_name == "all" and height >= 3:
            is_plain = self.appearance.ascii
            spark = self._styled([sparkline(view.histogram, width, is_plain) if view.histogram else []])
        levels: list[Segments] = []
        if view.level_map is not None:
            painter = LevelPainter(self.appearance, self.palette)
            legend = painter.legend(view.level_map.scale, width - 1)
            levels = [*painter.lines(view.level_map, view.cursor), [Segment(" "), *legend]]
        numbers = self._styled(_number_lines(view))
        if levels and numbers and width >= SIDE_BY_SIDE:
            left = max(Strip(words).cell_length for words in levels)
            return [*spark, *_side_by_side(levels, left, numbers)]
        return [*spark, *levels, *numbers]


def _statistics_spans(statistics: Statistics | None) -> Spans:
    if statistics is None:
        return []
    counts = (("NaN", statistics.nans), ("Inf", statistics.infinities))
    spans: Spans = [(" ", "blank"), *((f"{word} {count}  ", "alarm") for word, count in counts if count)]
    spans += [("|x| ", "dim")] if statistics.is_complex else []
    for word, number in (("min", statistics.low), ("max", statistics.high), ("mean", statistics.mean)):
        if number is not None:
            spans += [(f"{word} ", "dim"), (f"{number_text(number)}  ", "text")]
    return [*spans, ("zero ", "dim"), (str(statistics.zeros), "text")] if statistics.zeros else spans


def _number_lines(view: TensorPart) -> Iterator[Spans]:
    """Yields the numbers of the columns, and rows of elements with their numbers."""
    if not view.cells:
        return
    top, left = view.corner
    widths = [max(len(cell.text) for cell in column) + 2 for column in zip(*view.cells)]
    widths = [max(width, len(str(left + number)) + 1) for number, width in enumerate(widths)]
    head = "".join(f"{left + number:>{width}}" for number, width in enumerate(widths))
    yield [(f"{'':6}{head}", "dim")]
    for number, row in enumerate(view.cells):
        spans: Spans = [(fit(str(top + number), 5, right=True) + " ", "dim")]
        for column, cell in enumerate(row):
            is_here = (top + number, left + column) == view.cursor
            style = "element" if is_here else "alarm" if cell.mark else "text"
            spans += [(" " * (widths[column] - len(cell.text)), "blank"), (cell.text, style)]
        yield spans


def _side_by_side(left: list[Segments], width: int, right: list[Segments]) -> list[Segments]:
    """Returns two columns of lines as one."""
    count = max(len(left), len(right))
    padded = [*left, *[[]] * (count - len(left))], [*right, *[[]] * (count - len(right))]
    return [[*Strip(a).adjust_cell_length(width + 1, Style.null()), *b] for a, b in zip(*padded)]
