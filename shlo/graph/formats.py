"""Graphs as text, as columns that the view of `web/` reads, and as the JSON of Google's Model Explorer."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final

from shlo.graph.model import Graph, GraphEdge, GraphNode
from shlo.text.numbers import number_text, plural

NAMED: Final = 4
"""How many different operations of a group are named: those that occur most often."""
SMALLEST: Final = 4
"""An operation with regions has a line if there are more than this many operations in it."""


def outline_lines(graph: Graph, depth: int | None = None) -> Iterator[str]:
    """Yields a line for each group, as deep as `depth` (all by default): how many operations of which kinds
    are in it and below it, its measures, and where a run saw NaN or infinities."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    kinds: defaultdict[int, Counter[str]] = defaultdict(Counter)  # of groups alone
    special: defaultdict[int, Counter[str]] = defaultdict(Counter)
    totals = {name: [0.0] * len(graph.nodes) for name in graph.measures}
    for number in reversed(range(len(graph.nodes))):
        node = graph.nodes[number]
        is_group = number in kinds
        if node.kind == "op":
            counted = number if is_group else node.parent
            kinds[counted][node.label.partition(" ")[0]] += 1
            if node.nonfinite:
                special[counted][node.nonfinite] += 1
            for name, measured in graph.measures.items():
                totals[name][number] += measured.get(number, 0)
        if node.parent >= 0:
            if is_group:
                kinds[node.parent].update(kinds[number])
                special[node.parent].update(special[number])
            for sums in totals.values():
                sums[node.parent] += sums[number]
        if is_group and kinds[number].total() > (SMALLEST if node.kind == "op" else 0):
            children[node.parent].insert(0, number)

    def lines(parent: int, level: int) -> Iterator[str]:
        for number in children[parent]:
            node, counts = graph.nodes[number], kinds[number]
            most = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:NAMED]
            named = ", ".join(f"{count:,} {kind}" for kind, count in most)
            rest = counts.total() - sum(count for _, count in most)
            words = [plural(counts.total(), "op"), named + (f", {rest:,} others" if rest else "")]
            measures = ((name, sums[number]) for name, sums in totals.items() if sums[number])
            words += [
                f"{f'{total:,.0f}' if total.is_integer() else number_text(total)} {name}"
                for name, total in measures
            ]
            words += [f"{plural(count, 'op')} with {word}" for word, count in sorted(special[number].items())]
            line = f":{node.line}" if node.line else ""
            yield f"{'  ' * level}{node.label}{line}  {'; '.join(filter(None, words))}"
            if depth is None or level + 1 < depth:
                yield from lines(number, level + 1)

    yield from lines(-1, 0)


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
        "measures": {name: sorted(measured.items()) for name, measured in graph.measures.items()},
        "strings": list(table),
    }


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
        paths.append((top, (*path, f"{node.label} {node.name}".strip().replace("/", "∕"))))
        if node.kind not in ("op", "argument"):
            continue
        # An operation with regions is a node in its own group, beside what is in the regions.
        namespace_path = paths[number][1] if number in has_children else path
        graphs[top]["nodes"].append(_node(graph, number, node, "/".join(namespace_path), incoming[number]))
    return {"label": graph.title, "graphs": graphs}


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
        **{name: str(measured[number]) for name, measured in graph.measures.items() if number in measured},
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
