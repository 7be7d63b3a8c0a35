"""Outline of a program: its functions, and in each the scopes of the name stack, as a tree."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from shlo.debugger.inspect.areas import ScopeArea
from shlo.debugger.inspect.listing import IndexedOp, ProgramIndex
from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.name_stack import scope_path


class OutlineNode(Struct):
    """A function or scope: its path (`@main`, `jit(f)/layer_3`), how many operations are in it and below it,
    their first and last lines (0 where not known), how many of them were executed so far, whether a step of
    it is known to have made a NaN or infinity.
    """

    name: str
    path: str
    ops: int = 0
    first_line: int = 0
    last_line: int = 0
    executed: int = 0
    nonfinite: Nonfinite = NOTHING
    children: dict[str, OutlineNode] = field(default_factory=dict[str, "OutlineNode"])

    def add(self, op: IndexedOp, is_executed: bool, nonfinite: Nonfinite) -> None:
        """Counts an operation."""
        self.ops += 1
        self.executed += is_executed
        self.nonfinite |= nonfinite
        if op.line:
            self.first_line = min(self.first_line or op.line, op.line)
            self.last_line = max(self.last_line, op.line)

    def child(self, name: str, path: str) -> OutlineNode:
        """Returns the node of a name below this one."""
        node = self.children.get(name)
        if node is None:
            node = self.children[name] = OutlineNode(name, path)
        return node

    def walk(self, depth: int = 0) -> Iterator[tuple[int, OutlineNode]]:
        """Yields this node and all below with their depths, in order."""
        stack: list[tuple[int, OutlineNode]] = [(depth, self)]
        while stack:
            depth, node = stack.pop()
            yield depth, node
            stack.extend((depth + 1, child) for child in reversed(node.children.values()))


def outline_of(
    index: ProgramIndex,
    executed: set[tuple[CodeBlock, int]],
    nonfinite: dict[tuple[CodeBlock, int], Nonfinite],
) -> tuple[OutlineNode, ...]:
    """Returns the functions of a program, with their scopes below them."""
    functions: dict[str, OutlineNode] = {}
    parts_of: dict[str, tuple[str, ...]] = {}
    for op in index.ops:
        name = op.code.function.name
        key, scope = (op.code, op.index), op.origin.scope
        if scope not in parts_of:
            parts_of[scope] = scope_path(scope)
        node = functions.setdefault(name, OutlineNode(f"@{name}", f"@{name}"))
        is_executed, flags = key in executed, nonfinite.get(key, NOTHING)
        node.add(op, is_executed, flags)
        path = ""
        for part in parts_of[scope]:
            path = f"{path}/{part}" if path else part
            node = node.child(part, path)
            node.add(op, is_executed, flags)
    return tuple(functions.values())


def matching(roots: tuple[OutlineNode, ...], text: str) -> tuple[OutlineNode, ...]:
    """Returns the outermost nodes that a text names: `@f`, or a scope (see `ScopeArea`)."""
    if text.startswith("@"):
        return tuple(root for root in roots if root.name == text)
    area, nodes, stack = ScopeArea(text), list[OutlineNode](), list(reversed(roots))
    while stack:
        node = stack.pop()
        if not node.path.startswith("@") and area.depth_in(node.path) is not None:
            nodes.append(node)
        else:
            stack.extend(reversed(node.children.values()))
    return tuple(nodes)
