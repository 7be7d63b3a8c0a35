"""Graphs as columns, which the graph view of `web/` reads: in a page, or from the debugger."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from shlo.graph.model import Graph


def graph_data(graph: Graph) -> dict[str, Any]:
    """Returns what the view reads (`GraphData` of web/src/graph_model.ts): columns of the nodes, strings by
    their number in a table."""
    table: dict[str, int] = {"": 0}

    def numbers(texts: Iterable[str]) -> list[int]:
        return [table.setdefault(text, len(table)) for text in texts]

    nodes = graph.nodes
    columns = {
        "kind": numbers(node.kind for node in nodes),
        "label": numbers(node.label for node in nodes),
        "name": numbers(node.name for node in nodes),
        "type": numbers(", ".join(node.types) for node in nodes),
        "text": numbers(node.text for node in nodes),
        "sharding": numbers(node.sharding for node in nodes),
        "value": numbers(node.value for node in nodes),
        "nonfinite": numbers(node.nonfinite for node in nodes),
    }
    types = numbers(edge.type for edge in graph.edges)
    edges = [
        number
        for edge, type_ in zip(graph.edges, types, strict=True)
        for number in (edge.source, edge.target, type_)
    ]
    return {
        "title": graph.title,
        "parent": [node.parent for node in nodes],
        "line": [node.line for node in nodes],
        **columns,
        "edges": edges,
        "measures": {name: sorted(found.items()) for name, found in graph.measures.items()},
        "strings": list(table),
    }
