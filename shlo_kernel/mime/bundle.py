"""Values, graphs and messages as a notebook shows them: as text and as HTML, by MIME type.

Tensors are in the tensor view of `web/`, tuples as what is in them.

What comes from a program is escaped in both: it drives no terminal and is no markup.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple, cast

from markupsafe import Markup

from shlo.graph.build import cost_measures, graph_of
from shlo.graph.model import Graph
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.operations import Module
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.pages.bundle import script_html
from shlo.pages.graph import graph_html, graph_svg, outline_text
from shlo.pages.tensor import EMBEDDED, NamedTensor, rich_bundle, tensors_html
from shlo.runner.display import array_text
from shlo.runner.equality import tensor_of
from shlo.runner.errors import RequestError
from shlo.runner.statistics import statistics_of
from shlo.text.diagnostics import diagnostic_lines
from shlo.text.escape import escaped
from shlo.text.statistics import Statistics, statistics_line
from shlo.text.styled import StyledLine
from shlo_kernel.mime.markup import shown
from shlo_kernel.mime.planes import LIVE_TENSORS

Bundle = dict[str, str]
"""What to show by MIME type."""

TEXT, HTML, SVG = "text/plain", "text/html", "image/svg+xml"
WIDTH: Final = 100
"""Columns of a line of numbers."""
PARTS_AT_MOST: Final = 16
"""How many parts of a tuple are shown."""

MAX_OPS: Final = 50_000
"""How many operations a program may have to be shown as a graph."""


class CellValue(NamedTuple):
    """A value of the session: its type, and a NumPy array (a tuple of them, or a token)."""

    type: Type
    array: Any


def mime_of(name: str, type_: Type, value: Any) -> Bundle:
    """Returns a value with its type, its statistics and its numbers, inner ones of many left out; in HTML
    in the tensor view, and with a picture of a tensor that tables do not tell. `name` has no `%`; it is empty
    for a value without one."""
    label = f"%{name}" if name else ""
    tensor = named_tensor(label, str(type_), value)
    if tensor is None:
        return {TEXT: text_of(name, type_, value), HTML: value_html(label, str(type_), value)}
    return {TEXT: _text(name, type_, value, tensor.statistics), **rich_bundle([tensor])}


def text_of(name: str, type_: Type, value: Any) -> str:
    """Returns a value as text."""
    return _text(name, type_, value, statistics_of(value))


def _text(name: str, type_: Type, value: Any, statistics: Statistics | None) -> str:
    lines = [title(name, type_)]
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)[:PARTS_AT_MOST]
        lines += [array_text(part, WIDTH) for part in parts]
    else:
        if statistics is not None:
            lines += [statistics_line(statistics)] * (statistics.size > 1) + [array_text(value, WIDTH)]
    return escaped("\n".join(lines))


def title(name: str, type_: Type) -> str:
    """Returns `%name : type`."""
    return f"%{name} : {type_}" if name else str(type_)


def cell_lines(source: str, diagnostics: Sequence[Diagnostic], label: str) -> Iterator[StyledLine]:
    """Yields the styled lines of findings in a text; `label` is what messages call it."""
    return diagnostic_lines([(Source(source, label), diagnostic) for diagnostic in diagnostics])


def value_html(name: str, type_: str, value: Any) -> Markup:
    """Returns a value: statistics, heat maps, numbers; of a tuple, the first of its parts.

    Args:
        name: what the value is called, empty for one without a name.
        type_: its type in words.
        value: an array, a tuple of them, or a token.
    """
    html = _html(name, type_, value)
    return html + Markup(script_html("tensor_view")) if "<shlo-tensor-view" in html else html


def named_tensor(name: str, type_: str, value: Any) -> NamedTensor | None:
    """Returns a value as a tensor that the views show, None where it is none. Planes of a large one are
    answered for as long as its array lives."""
    array = tensor_of(value)
    if array is None:
        return None
    return NamedTensor(name, type_, array, LIVE_TENSORS.key_of(array) if array.size > EMBEDDED else None)


def _html(name: str, type_: str, value: Any) -> Markup:
    if isinstance(value, tuple):
        parts = cast("tuple[Any, ...]", value)[:PARTS_AT_MOST]
        inner = Markup("").join(_html(f"[{number}]", "", part) for number, part in enumerate(parts))
        return Markup('{}<div style="margin-left:1.5em">{}</div>').format(_title(name, type_), inner)
    tensor = named_tensor(name, type_, value)
    return _title(name, type_) if tensor is None else Markup(tensors_html([tensor], scripted=False))


def _title(name: str, type_: str) -> Markup:
    text = " : ".join(filter(None, (name, type_)))
    return Markup('<div style="font-family:monospace;font-weight:bold">{}</div>').format(shown(text))


def drawable_graph(module: Module, entry: str) -> Graph:
    """Returns the graph of a program, with what its operations cost in a run of a function. Raises
    RequestError for one that is too large to be drawn in a page."""
    graph = graph_of(module, measures=cost_measures(module, entry))
    if graph.count() > MAX_OPS:
        raise RequestError(f"expected at most {MAX_OPS:,} operations to draw, got {graph.count():,}")
    return graph


def mime_of_graph(module: Module, entry: str) -> Bundle:
    """Returns the graph of a program by MIME type. Raises RequestError as `drawable_graph`."""
    graph = drawable_graph(module, entry)
    return {TEXT: outline_text(graph), HTML: graph_html(graph), SVG: graph_svg(graph)}
