"""Programs as graphs: groups, edges, what a run saw, and what other programs read."""

from __future__ import annotations

import base64
import json
import re
import zlib
from typing import Any
from xml.etree import ElementTree

from msgspec.structs import replace

import shlo
from shlo.graph.build import FEW_ARGUMENTS, graph_of
from shlo.graph.formats import graph_data, model_explorer_json, outline_lines
from shlo.graph.model import Graph
from shlo.pages.graph import DRAWN, graph_page, graph_svg

SVG = "{http://www.w3.org/2000/svg}"

SCOPED = """func.func @main(%x: tensor<3xf32>, %n: tensor<i32>) -> tensor<3xf32> {
  %a = stablehlo.add %x, %x {mhlo.sharding = "{replicated}"} : tensor<3xf32> loc("jit(f)/outer/add")
  %y = stablehlo.log %a : tensor<3xf32> loc("jit(f)/outer/inner/log")
  %z:2 = stablehlo.while(%i = %n, %v = %y) : tensor<i32>, tensor<3xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %w = stablehlo.multiply %v, %a : tensor<3xf32>
    stablehlo.return %i, %w : tensor<i32>, tensor<3xf32>
  } loc("jit(f)/loop/while")
  return %z#1 : tensor<3xf32>
}
"""


def scoped() -> Graph:
    return graph_of(shlo.parse(SCOPED), "scoped")


def at(graph: Graph, label: str) -> int:
    return next(number for number, node in enumerate(graph.nodes) if node.label == label)


def path(graph: Graph, number: int) -> list[str]:
    """Returns the labels of the groups that a node is in, and its own."""
    node = graph.nodes[number]
    return [*(path(graph, node.parent) if node.parent >= 0 else []), node.label]


def test_operations_are_in_groups_of_their_function_scopes_and_regions() -> None:
    graph = scoped()
    assert path(graph, at(graph, "log")) == ["@main", "outer", "inner", "log"]
    assert path(graph, at(graph, "multiply")) == ["@main", "loop", "while", "do", "multiply"]
    assert all(node.parent < number for number, node in enumerate(graph.nodes))
    assert graph.nodes[at(graph, "add")].sharding == "{replicated}"
    assert graph.nodes[at(graph, "add")].line == 2


def test_constants_are_in_the_scope_that_all_their_users_share() -> None:
    graph = graph_of(
        shlo.parse("""func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %one = stablehlo.constant dense<1.0> : tensor<f32> loc("jit(f)")
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %three = stablehlo.constant dense<3.0> : tensor<f32>
  %a = stablehlo.add %x, %one : tensor<f32> loc("jit(f)/net/dense_0/add")
  %b = stablehlo.add %a, %two : tensor<f32> loc("jit(f)/net/dense_0/add")
  %c = stablehlo.add %b, %two : tensor<f32> loc("jit(f)/net/dense_1/add")
  %d = stablehlo.add %c, %three : tensor<f32> loc("jit(f)/loss/add")
  return %d, %three : tensor<f32>, tensor<f32>
}""")
    )
    paths = {node.name: path(graph, number)[1:-1] for number, node in enumerate(graph.nodes)}
    assert [paths[name] for name in ("%one", "%two", "%three")] == [["net", "dense_0"], ["net"], []]
    assert all(node.parent < number for number, node in enumerate(graph.nodes))


def test_many_arguments_are_a_group() -> None:
    names = [f"%p{n}" for n in range(FEW_ARGUMENTS + 1)]
    text = f"func.func @main({', '.join(f'{name}: tensor<f32>' for name in names)}) {{\n  return\n}}"
    graph = graph_of(shlo.parse(text))
    assert {tuple(path(graph, at(graph, "argument"))[:-1])} == {("@main", "arguments")}
    assert sum(node.parent == at(graph, "arguments") for node in graph.nodes) == len(names)


def test_edges_go_from_what_gives_a_value_to_what_uses_it_into_regions_too() -> None:
    graph = scoped()
    found = {
        (graph.nodes[edge.source].label, graph.nodes[edge.target].label, edge.result, edge.operand)
        for edge in graph.edges
    }
    assert {("add", "log", 0, 0), ("log", "while", 0, 1), ("while", "return", 1, 0)} <= found
    assert ("add", "multiply", 0, 1) in found
    uses = (len(operation.operands) for operation, _ in shlo.parse(SCOPED).walk())
    assert len(graph.edges) == sum(uses)


def test_the_outline_counts_what_is_in_each_group() -> None:
    graph = graph_of(
        shlo.parse(SCOPED), measures={"FLOPs": {SCOPED.index("%y = "): 3, SCOPED.index("%w = "): 6}}
    )
    lines = list(outline_lines(graph))
    assert lines[0] == "@main:1  8 ops; 3 return, 1 add, 1 compare, 1 log, 2 others; 9 FLOPs"
    assert lines[1:3] == ["  outer  2 ops; 1 add, 1 log; 3 FLOPs", "    inner  1 op; 1 log; 3 FLOPs"]
    assert list(outline_lines(graph, 1)) == lines[:1]


def test_model_explorer_finds_every_node_that_an_edge_names() -> None:
    collection = json.loads(json.dumps(model_explorer_json(scoped())))
    assert set(collection) == {"label", "graphs"}
    (graph,) = collection["graphs"]
    nodes = {node["id"]: node for node in graph["nodes"]}
    assert len(nodes) == len(graph["nodes"])
    for node in nodes.values():
        assert all(edge["sourceNodeId"] in nodes for edge in node["incomingEdges"])
    log = next(node for node in nodes.values() if node["label"] == "log")
    assert log["namespace"] == "outer/inner"
    assert log["outputsMetadata"][0]["attrs"] == [{"key": "tensor_shape", "value": "tensor<3xf32>"}]
    multiply = next(node for node in nodes.values() if node["label"] == "multiply")
    assert multiply["namespace"] == "loop/while %z#0, %z#1/do"
    assert [edge["targetNodeInputId"] for edge in multiply["incomingEdges"]] == ["0", "1"]


def test_a_page_is_whole_and_hostile_names_stay_text() -> None:
    hostile = "</script><img src=x onerror=alert(1)>"
    text = SCOPED.replace("jit(f)/outer", f"jit(f)/{hostile}").replace("@main", f'@"{hostile}"')
    page = graph_page(graph_of(shlo.parse(text), hostile))
    assert hostile not in page
    assert page.count("<img") == 1
    picture = base64.b64decode(page.partition("data:image/svg+xml;base64,")[2].partition('"')[0]).decode()
    assert "<img" not in picture
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert not re.search(r'(src|href)="?http', page)
    data: Any = json.loads(
        zlib.decompress(base64.b64decode(page.partition('"application/json">')[2].partition("<")[0]))
    )
    assert f"@{hostile}" in data["strings"]


def test_a_picture_has_the_closed_groups_and_edges_of_a_function() -> None:
    graph = scoped()
    picture = ElementTree.fromstring(graph_svg(graph))
    texts = ["".join(each.itertext()) for each in picture.iter(f"{SVG}text")]
    (function,) = (number for number, node in enumerate(graph.nodes) if node.label == "@main")
    inside = [node for node in graph.nodes if node.parent == function]
    assert len(list(picture.iter(f"{SVG}rect"))) == 1 + len(inside)
    assert {node.label for node in inside if node.kind == "scope"} <= set(texts)
    assert len(list(picture.iter(f"{SVG}path"))) > 0
    marked = replace(graph, nodes=tuple(replace(node, nonfinite="NaN") for node in graph.nodes))
    assert "#d500c8" not in graph_svg(graph)
    assert "#d500c8" in graph_svg(marked)


def test_a_picture_of_many_operations_says_how_many_are_not_in_it() -> None:
    lines = "".join(f"  %v{n + 1} = stablehlo.negate %v{n} : tensor<f32>\n" for n in range(100))
    text = f"func.func @main(%v0: tensor<f32>) -> tensor<f32> {{\n{lines}  return %v100 : tensor<f32>\n}}"
    picture = ElementTree.fromstring(graph_svg(graph_of(shlo.parse(text))))
    assert len(list(picture.iter(f"{SVG}rect"))) == 1 + DRAWN
    assert "".join(list(picture.iter(f"{SVG}text"))[-1].itertext()) == f"and {102 - DRAWN} more nodes"


def test_columns_have_an_entry_for_each_node() -> None:
    graph = scoped()
    data = graph_data(graph)
    columns = [name for name in data if name not in ("title", "edges", "measures", "strings")]
    assert {len(data[name]) for name in columns} == {len(graph.nodes)}
    assert len(data["edges"]) == 3 * len(graph.edges)
