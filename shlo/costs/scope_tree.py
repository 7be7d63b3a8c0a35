"""Costs by name scope as a tree, each node with what is inside of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from shlo.costs.model import NO_WORK, Group, Work


class ScopeNode(Struct):
    """A part of a name stack: the work of its own operations and of all below it."""

    name: str
    work: Work = NO_WORK
    count: int = 0
    children: dict[str, ScopeNode] = field(default_factory=dict[str, "ScopeNode"])

    def walk(self, depth: int = 0) -> Iterator[tuple[int, ScopeNode]]:
        """Yields the nodes below with their depth, those with the most work first."""
        for child in sorted(self.children.values(), key=weight, reverse=True):
            yield depth, child
            yield from child.walk(depth + 1)


def weight(node: ScopeNode) -> tuple[int, int]:
    """Returns by what nodes are ordered: operations, then bytes."""
    return node.work.operations, node.work.accessed_bytes


def scope_tree(scopes: Iterable[Group]) -> ScopeNode:
    """Returns the tree of the scopes; a part whose only work is in one other part is joined with it."""
    root = ScopeNode("")
    for group in scopes:
        nodes = [root]
        for part in group.path or ("(no scope)",):
            nodes.append(nodes[-1].children.setdefault(part, ScopeNode(part)))
        for node in nodes:
            node.work += group.work
            node.count += group.count
    for child in list(root.children.values()):
        _join(child)
    return root


def _join(node: ScopeNode) -> None:
    while len(node.children) == 1:
        (only,) = node.children.values()
        if only.count != node.count:
            break
        node.name, node.children = f"{node.name}/{only.name}", only.children
    for child in node.children.values():
        _join(child)
