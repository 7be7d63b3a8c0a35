"""Graphs as HTML: the graph view of `web/`; a picture and the outline as text for readers without scripts."""

from __future__ import annotations

from itertools import islice
from typing import Final

from shlo.graph.columns import graph_data
from shlo.graph.model import Graph
from shlo.graph.outline import outline_lines
from shlo.pages.bundle import script_html
from shlo.pages.graph_picture import graph_svg
from shlo.pages.packing import packed
from shlo.pages.pictures import data_uri
from shlo.text.escape import escaped
from shlo.text.html import page_html, text_html

OUTLINE_LINES: Final = 400
"""How many lines of the outline a page has as text."""
_PAGE_STYLE: Final = """\
html, body { height: 100%; margin: 0; }
shlo-graph-view { height: 100vh; }"""


def graph_html(graph: Graph, scripted: bool = True, view: str = "") -> str:
    """Returns a graph as HTML that needs no other file.

    Args:
        graph: the graph.
        scripted: whether the view's script is part of it; without, the page must have it.
        view: what `place_html`, and a field of the page (web/src/graph_index.ts), call the view.
    """
    picture = data_uri(graph_svg(graph).encode(), "svg+xml")
    words = text_html(f"the operations of {graph.title} and the values between them")
    outline = text_html(outline_text(graph))
    named = f' view="{text_html(view)}"' if view else ""
    return (
        f'<shlo-graph-view{named}><div style="overflow:auto"><img alt="{words}" src="{picture}"></div>'
        f'<pre style="overflow:auto">{outline}</pre>'
        f'<script type="application/json">{packed(graph_data(graph))}</script></shlo-graph-view>'
        + (script_html("graph_view") if scripted else "")
    )


def outline_text(graph: Graph) -> str:
    """Returns the first lines of a graph's outline, safe on screens."""
    lines = list(islice(outline_lines(graph), OUTLINE_LINES + 1))
    more = ["..."] if len(lines) > OUTLINE_LINES else []
    return escaped("\n".join((*lines[:OUTLINE_LINES], *more)))


def place_html(view: str, line: int) -> str:
    """Returns an element that has a view of the page select the operation on a line of its program."""
    return f'<shlo-graph-place view="{text_html(view)}" line="{line}"></shlo-graph-place>'


def graph_page(graph: Graph) -> str:
    """Returns a whole page with a graph."""
    return page_html(graph.title, _PAGE_STYLE, graph_html(graph))
