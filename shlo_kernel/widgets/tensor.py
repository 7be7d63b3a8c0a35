"""The stepper's view of a tensor: any plane of it as a heat map, with statistics and a histogram."""

from __future__ import annotations

from typing import Any, Final

from ipywidgets import HTML, Button, Dropdown, HBox, IntSlider, Layout, VBox
from markupsafe import Markup

from shlo.debugger import Histogram, Statistics, histogram_of, statistics_of
from shlo.debugger.tensors.slices import TensorSlice
from shlo.debugger.tensors.statistics import tensor_of
from shlo.ir.dtypes import Array
from shlo.runner.display import array_text
from shlo.text.escape import escaped
from shlo.text.numbers import number_text
from shlo.text.statistics import statistics_lines
from shlo_kernel.mime.markup import render, shown
from shlo_kernel.mime.tensor import figure_html, legend_html

BINS: Final = 32
_HEIGHT: Final = 48
_TITLE: Final = Markup('<b style="font-family:monospace">{}</b>')
_WORDS: Final = Markup(
    '<div style="font-size:90%;margin-left:12px;line-height:1.4">{}{}'
    '<pre style="margin:4px 0;white-space:pre">{}</pre></div>'
)


class TensorPane(VBox):
    """One value. `show` puts another one into it; the plane stays while shapes are the same."""

    def __init__(self) -> None:
        self._array: Array | None = None
        self._slice_2d = TensorSlice.of(())
        self._placed: tuple[tuple[int, ...], tuple[int, ...]] = (), ()
        self._statistics: Statistics | None = None
        self._is_updating = False
        self.title, self.picture = HTML(), HTML()
        self.words = HTML(layout=Layout(flex="1 1 auto", min_width="0", overflow="auto"))
        self.rows = Dropdown(description="down", layout=Layout(width="200px"))
        self.columns = Dropdown(description="across", layout=Layout(width="200px"))
        self.transpose = Button(description="transpose", icon="retweet", layout=Layout(width="110px"))
        self.places = VBox()
        self.axes = VBox([HBox([self.rows, self.columns, self.transpose]), self.places])
        for each in (self.rows, self.columns):
            each.observe(self._choose_axes, "value")
        self.transpose.on_click(lambda _: self._move(self._slice_2d.transposed()))
        super().__init__([self.title, self.axes, HBox([self.picture, self.words])])

    def show(self, title: str, value: Any) -> None:
        """Shows a value under a title; one that is no tensor as text."""
        self.title.value = _TITLE.format(shown(title))
        self._array = tensor_of(value)
        if self._array is None:
            return self._show_text("" if value is None and not title else escaped(array_text(value)))
        self._statistics = statistics_of(self._array)
        if self._slice_2d.shape != self._array.shape:
            self._slice_2d = TensorSlice.of(self._array.shape)
        self.words.value = self._words(self._array)
        return self._move(self._slice_2d)

    def _show_text(self, text: str) -> None:
        self.axes.layout.display = "none"
        self.picture.value, self.words.value = Markup("<pre>{}</pre>").format(text) if text else "", ""

    def _move(self, slice_2d: TensorSlice) -> None:
        """Shows another plane of the tensor."""
        array, statistics = self._array, self._statistics
        if array is None or statistics is None:
            return
        self._slice_2d = slice_2d
        legend = legend_html(statistics) if array.size > 1 else ""
        self.picture.value = figure_html(array, slice_2d, statistics) + Markup("<div>{}</div>").format(legend)
        self._is_updating = True
        try:
            self._update_axes(slice_2d)
        finally:
            self._is_updating = False

    def _update_axes(self, slice_2d: TensorSlice) -> None:
        self.axes.layout.display = "" if slice_2d.rank > 1 else "none"
        if slice_2d.rank < 2:
            return
        options = [(f"axis {axis} ({extent})", axis) for axis, extent in enumerate(slice_2d.shape)]
        for widget, axis in ((self.rows, slice_2d.rows), (self.columns, slice_2d.columns)):
            widget.options = options
            widget.value = axis
        if self._placed != (slice_2d.fixed_axes, slice_2d.shape):
            self._placed = slice_2d.fixed_axes, slice_2d.shape
            before = self.places.children
            self.places.children = [self._slider(axis) for axis in slice_2d.fixed_axes]
            for slider in before:
                slider.close()

    def _slider(self, axis: int) -> IntSlider:
        """Returns a slider for the index of an axis that is not shown."""
        at, last = self._slice_2d.index[axis], max(self._slice_2d.shape[axis] - 1, 0)
        slider = IntSlider(at, 0, last, description=f"axis {axis}")
        slider.observe(
            lambda change: self._move(self._slice_2d.shifted(axis, change.new - self._slice_2d.index[axis])),
            "value",
        )
        return slider

    def _choose_axes(self, change: Any) -> None:
        rows, columns = self.rows.value, self.columns.value
        if self._is_updating or rows is None or columns is None:
            return
        self._move(
            self._slice_2d.transposed() if rows == columns else self._slice_2d.with_axes(rows, columns)
        )

    def _words(self, array: Array) -> Markup:
        assert self._statistics is not None
        lines = Markup("").join(
            Markup("<div>{}</div>").format(line) for line in statistics_lines(self._statistics)
        )
        bars = histogram_html(histogram_of(array, BINS)) if array.size > 1 else ""
        return _WORDS.format(lines, bars, shown(array_text(array, 70)))


def histogram_html(histogram: Histogram | None) -> Markup:
    """Returns bars, with the lowest and the highest number below them."""
    if histogram is None:
        return Markup("")
    most, edges = max(histogram.counts), list(map(number_text, histogram.edges))
    bars = [(edge, count, -(-count * _HEIGHT // most)) for edge, count in zip(edges, histogram.counts)]
    return render("histogram", bars=bars, height=_HEIGHT, low=edges[0], high=edges[-1])
