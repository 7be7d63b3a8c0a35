"""A program as a graph: immutable data that pages, text and other programs' formats are made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

NodeKind = Literal["function", "scope", "region", "argument", "op"]
"""What a node is. Functions, scopes and regions are groups; so is an operation that has regions."""


class GraphNode(Struct, frozen=True):
    """A node of the tree of groups. `parent` is the number of the group that it is in, which is lower than
    its own, -1 for a function. What does not apply is empty; `line` counts from 1, 0 where there is no
    text."""

    kind: NodeKind
    label: str
    name: str
    parent: int
    types: tuple[str, ...] = ()
    line: int = 0
    text: str = ""
    sharding: str = ""
    value: str = ""
    nonfinite: Literal["", "NaN", "Inf"] = ""


class GraphEdge(Struct, frozen=True):
    """A value from the node that gives it to one that uses it: the result's and the operand's number."""

    source: int
    target: int
    type: str
    result: int
    operand: int


class Graph(Struct, frozen=True):
    """The nodes, groups before what is in them, and the edges between operations and arguments. `measures`
    are numbers of operations by what they measure (`FLOPs`), then by node."""

    title: str
    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    measures: Mapping[str, Mapping[int, float]]

    def count(self) -> int:
        """Returns how many operations there are."""
        return sum(node.kind == "op" for node in self.nodes)
