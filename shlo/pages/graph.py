"""Graphs as HTML: the graph view of `web/`, and below it the outline as text for readers without scripts."""

from __future__ import annotations

from itertools import islice
from typing import Final

from shlo.graph.columns import graph_data
from shlo.graph.model import Graph
from shlo.graph.outline import outline_lines
from shlo.pages.bundle import script_html
from shlo.pages.packing import packed
from shlo.text.html import page_html, text_html

OUTLINE_LINES: Final = 400
"""How many lines of the outline a page has as text."""
_PAGE_STYLE: Final = """\
html, body { height: 100%; margin: 0; }
shlo-graph-view { height: 100vh; }"""


def graph_html(graph: Graph, scripted: bool = True) -> str:
    """Returns a graph as HTML that needs no other file, if it is `scripted`: has the view's script."""
    lines = list(islice(outline_lines(graph), OUTLINE_LINES + 1))
    more = ["..."] if len(lines) > OUTLINE_LINES else []
    outline = text_html("\n".join((*lines[:OUTLINE_LINES], *more)))
    return (
        f'<shlo-graph-view><pre style="overflow:auto">{outline}</pre>'
        f'<script type="application/json">{packed(graph_data(graph))}</script></shlo-graph-view>'
        + (script_html("graph_view") if scripted else "")
    )


def graph_page(graph: Graph) -> str:
    """Returns a whole page with a graph."""
    return page_html(graph.title, _PAGE_STYLE, graph_html(graph))
