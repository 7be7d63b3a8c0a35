"""Graphs as HTML: the graph view of `web/`; for readers without scripts a picture, and the outline as text.

The picture has what is in the first function, groups closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.graph.formats import graph_data, outline_lines
from shlo.graph.model import Graph, GraphNode
from shlo.pages.bundle import packed, script_html
from shlo.pages.pictures import data_uri
from shlo.text.escape import escaped
from shlo.text.html import page_html, text_html
from shlo.text.numbers import plural
from shlo.text.shortening import clipped

OUTLINE_LINES: Final = 400
"""How many lines of the outline a page has as text."""
DRAWN: Final = 60
"""How many nodes are drawn."""
WIDEST: Final = 26
"""How many characters of a line are drawn."""

_HEIGHT, _GAP, _BETWEEN, _EDGE, _LETTER = 38, 14, 40, 12, 7.2
_FILLS: Final = {"argument": "#e6f4ea", "op": "#e8eef9"}
_GROUP: Final = "#fbf0d9"
_NAN: Final = "#d500c8"
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


class _Box(Struct, frozen=True):
    """A node as it is drawn: its lines of text, and where it is in the picture."""

    title: str
    words: str
    fill: str
    is_nonfinite: bool
    x: float = 0
    y: float = 0
    width: float = 0


def graph_svg(graph: Graph) -> str:
    """Returns a picture of the groups, operations and arguments of the first function, from top to bottom,
    with an edge for each value between them. Of many, the first are drawn, and a line says how many are not.
    """
    children: dict[int, list[int]] = {}
    for number, node in enumerate(graph.nodes):
        children.setdefault(node.parent, []).append(number)
    shown = children.get(-1, [])[:1]
    while len(shown) == 1 and (inner := children.get(shown[0])):  # the first group with several in it
        shown = inner
    drawn = shown[:DRAWN]
    owner = _owners(graph, drawn)
    ends = {(owner.get(edge.source), owner.get(edge.target)) for edge in graph.edges}
    edges = sorted(
        (source, target)
        for source, target in ends
        if source is not None and target is not None and source != target
    )
    inside = _inside(graph, owner)
    rows = _rows(drawn, edges)
    boxes = _placed(rows, {node: _box(graph.nodes[node], inside[node]) for node in drawn})
    left = len(shown) - len(drawn)
    return _svg(graph.title, boxes, edges, f"and {plural(left, 'more node')}" if left else "")


def _owners(graph: Graph, drawn: Sequence[int]) -> dict[int, int]:
    """Returns for each node the one that it is drawn in."""
    owner: dict[int, int] = {}
    chosen = set(drawn)
    for number, node in enumerate(graph.nodes):  # groups come before what is in them
        if number in chosen:
            owner[number] = number
        elif node.parent in owner:
            owner[number] = owner[node.parent]
    return owner


def _inside(graph: Graph, owner: Mapping[int, int]) -> dict[int, list[GraphNode]]:
    """Returns the operations of each node that is drawn, its own included."""
    inside: dict[int, list[GraphNode]] = {number: [] for number in owner.values()}
    for number, drawn in owner.items():
        if graph.nodes[number].kind == "op":
            inside[drawn].append(graph.nodes[number])
    return inside


def _rows(drawn: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Returns nodes by rows: each below all before it that it takes values from, near the middle of those.
    Groups can take values from one another; the later one is below.
    """
    sources: dict[int, list[int]] = {node: [] for node in drawn}
    for source, target in edges:
        if source < target:
            sources[target].append(source)
    depth: dict[int, int] = {}
    for node in sorted(drawn):
        depth[node] = max((depth[source] + 1 for source in sources[node]), default=0)
    rows: list[list[int]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    center: dict[int, float] = {}
    for number, row in enumerate(rows):
        nodes = [node for node in drawn if depth[node] == number]
        above = {node: [center[source] for source in sources[node]] for node in nodes}
        nodes.sort(key=lambda node: sum(above[node]) / len(above[node]) if above[node] else 0)
        row += nodes
        center |= {node: (at + 0.5) / len(nodes) for at, node in enumerate(nodes)}
    return rows


def _box(node: GraphNode, inside: Sequence[GraphNode]) -> _Box:
    is_group = node.kind not in _FILLS or len(inside) > 1
    words = plural(len(inside), "op") if is_group else ", ".join(node.types)
    title = f"{node.name} = {node.label}" if node.name and node.kind == "op" else node.name or node.label
    return _Box(
        clipped(title, WIDEST, "…"),
        clipped(words, WIDEST, "…"),
        _GROUP if is_group else _FILLS[node.kind],
        any(op.nonfinite for op in inside),
    )


def _placed(rows: Sequence[Sequence[int]], boxes: Mapping[int, _Box]) -> dict[int, _Box]:
    """Returns the boxes with their places: rows from top to bottom, each in the middle."""
    widths = {node: max(len(box.title), len(box.words), 6) * _LETTER + 16 for node, box in boxes.items()}
    lengths = [sum(widths[node] + _GAP for node in row) - _GAP for row in rows]
    placed: dict[int, _Box] = {}
    for number, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        x, y = _EDGE + (max(lengths) - length) / 2, _EDGE + number * (_HEIGHT + _BETWEEN)
        for node in row:
            placed[node] = replace(boxes[node], x=x, y=y, width=widths[node])
            x += widths[node] + _GAP
    return placed


def _svg(title: str, boxes: Mapping[int, _Box], edges: Sequence[tuple[int, int]], note: str) -> str:
    width = max((box.x + box.width for box in boxes.values()), default=100) + _EDGE
    height = max((box.y for box in boxes.values()), default=0) + _HEIGHT + _EDGE + 20 * bool(note)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" role="img">'
        f"<title>{text_html(title)}</title>"
        '<rect width="100%" height="100%" fill="#ffffff"/>'
        '<g fill="none" stroke="#5f6b7a" stroke-width="1.2">'
    ]
    for source, target in edges:
        start, end = boxes[source], boxes[target]
        x, y = start.x + start.width / 2, start.y + _HEIGHT
        to, middle = end.x + end.width / 2, (y + end.y) / 2
        parts.append(
            f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {middle:.0f} {to:.0f} {middle:.0f} {to:.0f} {end.y:.0f}"/>'
        )
    parts.append('</g><g font-family="ui-monospace,monospace" font-size="12" text-anchor="middle">')
    for box in boxes.values():
        stroke = f'"{_NAN}" stroke-width="3"' if box.is_nonfinite else '"#5f6b7a"'
        middle = box.x + box.width / 2
        parts.append(
            f'<rect x="{box.x:.0f}" y="{box.y:.0f}" width="{box.width:.0f}" height="{_HEIGHT}" rx="4"'
            f' fill="{box.fill}" stroke={stroke}/>'
            f'<text x="{middle:.0f}" y="{box.y + 16:.0f}" fill="#111111">{text_html(box.title)}</text>'
            f'<text x="{middle:.0f}" y="{box.y + 31:.0f}" fill="#46505c">{text_html(box.words)}</text>'
        )
    if note:
        parts.append(f'<text x="{width / 2:.0f}" y="{height - 10:.0f}" fill="#46505c">{note}</text>')
    return "".join((*parts, "</g></svg>"))
