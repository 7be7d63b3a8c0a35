"""A graph in the JSON that Google's Model Explorer reads: a collection of graphs, one for each function."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from shlo.graph.model import Graph, GraphEdge, GraphNode


def model_explorer_json(graph: Graph) -> dict[str, Any]:
    """Returns a collection of graphs: `label`, and `graphs` with an `id` and `nodes`.

    Groups are the nodes' `namespace`, parts of which `/` separates; a `/` inside of a part becomes `∕`.
    """
    paths: list[tuple[int, tuple[str, ...]]] = []
    incoming: defaultdict[int, list[GraphEdge]] = defaultdict(list)
    outgoing: defaultdict[int, dict[int, str]] = defaultdict(dict)
    for edge in graph.edges:
        incoming[edge.target].append(edge)
        outgoing[edge.source][edge.result] = edge.type
    has_children = {node.parent for node in graph.nodes}
    graphs: list[dict[str, Any]] = []
    for number, node in enumerate(graph.nodes):
        if node.parent < 0:
            paths.append((len(graphs), ()))
            graphs.append({"id": node.label, "nodes": []})
            continue
        top, path = paths[node.parent]
        paths.append((top, (*path, _part(f"{node.label} {node.name}".strip()))))
        if node.kind not in ("op", "argument"):
            continue
        # An operation with regions is a node in its own group, beside what is in the regions.
        place = paths[number][1] if number in has_children else path
        graphs[top]["nodes"].append(_node(graph, number, node, "/".join(place), incoming[number]))
    return {"label": graph.title, "graphs": graphs}


def _part(text: str) -> str:
    return text.replace("/", "∕")


def _node(
    graph: Graph, number: int, node: GraphNode, namespace: str, incoming: list[GraphEdge]
) -> dict[str, Any]:
    facts = {
        "name": node.name,
        "line": str(node.line) if node.line else "",
        "text": node.text,
        "sharding": node.sharding,
        "value": node.value,
        "nonfinite": node.nonfinite,
        **{name: str(found[number]) for name, found in graph.measures.items() if number in found},
    }
    return {
        "id": str(number),
        "label": node.label,
        "namespace": namespace,
        "attrs": [{"key": key, "value": value} for key, value in facts.items() if value],
        "incomingEdges": [
            {
                "sourceNodeId": str(edge.source),
                "sourceNodeOutputId": str(edge.result),
                "targetNodeInputId": str(edge.operand),
            }
            for edge in incoming
        ],
        "outputsMetadata": [
            {"id": str(at), "attrs": [{"key": "tensor_shape", "value": type_}]}
            for at, type_ in enumerate(node.types)
        ],
    }
