"""Programs as graphs in a cell's output: the graph view of `web/`, and the outline as text."""

from __future__ import annotations

from typing import Final

from shlo.graph.build import graph_of
from shlo.graph.measures import cost_measures
from shlo.graph.model import Graph
from shlo.ir.operations import Module
from shlo.pages.graph import graph_html, outline_text
from shlo.pages.graph_picture import graph_svg
from shlo.runner.errors import RequestError
from shlo_kernel.mime.bundle import HTML, TEXT, Bundle

SVG: Final = "image/svg+xml"
MAX_OPS: Final = 50_000
"""How many operations a program may have to be shown as a graph."""


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
