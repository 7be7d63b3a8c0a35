"""The graph of a module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from shlo.graph.model import Graph, GraphEdge, GraphNode, NodeKind
from shlo.ir.attributes import StringAttr
from shlo.ir.locations import Location, resolve
from shlo.ir.name_stack import scope_of, scope_parts
from shlo.ir.operations import Block, Function, Module, Operation, ValueTable
from shlo.ir.source import Source
from shlo.ir.types import Type
from shlo.runner.observed import Observed
from shlo.text.shortening import clipped

LONGEST_TEXT: Final = 240
"""How many characters of an operation's text a node has."""
DEEPEST_SCOPE: Final = 32
"""How many parts of a name stack are groups in each other."""
FEW_ARGUMENTS: Final = 8
"""How many arguments of a block are among its operations; more are a group of their own."""
_SHARDINGS: Final = ("sdy.sharding", "mhlo.sharding")

Measures = Mapping[str, Mapping[int, float]]
"""Numbers of operations by what they measure, then by where the operation starts in the text."""


def graph_of(
    module: Module,
    title: str = "",
    values: Mapping[int, Observed] | None = None,
    measures: Measures | None = None,
) -> Graph:
    """Returns the graph of a module's functions.

    Args:
        module: the program.
        title: what the program is called; the module's name by default.
        values: what a run saw, by where the operation starts in the text.
        measures: numbers such as costs.
    """
    builder = _Builder(module.source, values or {})
    for function in module.functions.values():
        builder.add_function(function)
    placed = builder.starts
    numbers = {
        name: {placed[start]: number for start, number in measured.items() if start in placed}
        for name, measured in (measures or {}).items()
    }
    return Graph(title or module.name or "program", tuple(builder.nodes), tuple(builder.edges), numbers)


class _Builder:
    """Nodes and edges so far; `starts` has the number of an operation's node by where it starts.

    What many operations share is made once: texts of types, and parts of name stacks, by the identity of the
    location, which the module keeps.
    """

    def __init__(self, source: Source | None, values: Mapping[int, Observed]) -> None:
        self.nodes: list[GraphNode] = []
        self.edges: list[GraphEdge] = []
        self.starts: dict[int, int] = {}
        self._source = source
        self._values = values
        self._groups: dict[tuple[int, str], int] = {}
        self._makers: dict[tuple[int, int], tuple[int, int]] = {}
        self._type_texts: dict[Type, str] = {}
        self._scope_parts: dict[int, tuple[str, ...]] = {}

    def add_function(self, function: Function) -> None:
        body = function.body
        words = f"{len(function.type.inputs)} to {len(function.type.results)} values"
        group = self._add("function", f"@{function.name}", words, -1, line=self._line(function.span.start))
        if body is None:
            return
        prefix = _common_prefix(
            self._parts(operation.location)
            for block in body.blocks
            for operation in block.operations
            if operation.results
        )
        for block in body.blocks:
            self._add_block(block, body.values, group, function.span.start, prefix)

    def _add_block(
        self, block: Block, table: ValueTable, group: int, base: int, prefix: tuple[str, ...]
    ) -> None:
        few = len(block.arguments) <= FEW_ARGUMENTS
        place = group if few else self._add("scope", "arguments", "", group)
        for number, value in enumerate(block.arguments):
            type_ = self._type_text(table.types[value])
            name = f"%{table.names[value]}" if table.names[value] else f"argument {number}"
            node = self._add("argument", "argument", name, place, (type_,))
            self._makers[id(table), value] = node, 0
        for index, (operation, parts) in enumerate(zip(block.operations, self._scopes(block, prefix))):
            start = block.span(index, base).start
            inner = parts[len(prefix) :] if parts[: len(prefix)] == prefix else parts
            self._add_operation(operation, table, self._scope(group, inner), start, (*prefix, *inner))

    def _add_operation(
        self, operation: Operation, table: ValueTable, group: int, start: int, scope: tuple[str, ...]
    ) -> None:
        seen = self._values.get(start)
        names = [table.names[value] for value in operation.results]
        callee = operation.attribute("callee") or operation.attribute("call_target_name")
        label = operation.name.removeprefix("stablehlo.").removeprefix("func.")
        node = self._add(
            "op",
            f"{label} {callee}" if callee is not None else label,
            ", ".join(f"%{name}" for name in names if name),
            group,
            tuple(map(self._type_text, operation.result_types)),
            line=self._line(start),
            text=self._text(operation, start),
            sharding=_sharding(operation),
            value=seen.text if seen else "",
            nonfinite=seen.nonfinite if seen else "",
        )
        self.starts[start] = node
        for number, value in enumerate(operation.operands):
            self._use(table, value, node, number)
        for _, passed in operation.successors:
            for value in passed:
                self._use(table, value, node, len(operation.operands))
        for number, value in enumerate(operation.results):
            self._makers[id(table), value] = node, number
        regions = [region for region in operation.regions if region.blocks]
        for number, region in enumerate(regions):
            inside = node
            if len(regions) > 1:
                words = ("cond", "do") if operation.name == "stablehlo.while" else ()
                label = words[number] if number < len(words) else f"region {number}"
                inside = self._add("region", label, "", node)
            for block in region.blocks:
                self._add_block(block, region.values, inside, start, scope)

    def _use(self, table: ValueTable, value: int, node: int, operand: int) -> None:
        maker = self._makers.get((id(table), value))
        if maker is not None:
            type_ = self._type_text(table.types[value])
            self.edges.append(GraphEdge(maker[0], node, type_, maker[1], operand))

    def _type_text(self, type_: Type) -> str:
        text = self._type_texts.get(type_)
        if text is None:
            text = self._type_texts[type_] = str(type_)
        return text

    def _parts(self, location: Location | None) -> tuple[str, ...]:
        """Returns the parts of the name stack of a location."""
        location = resolve(location)
        parts = self._scope_parts.get(id(location))
        if parts is None:
            parts = self._scope_parts[id(location)] = scope_parts(scope_of(location))
        return parts

    def _scopes(self, block: Block, prefix: tuple[str, ...]) -> list[tuple[str, ...]]:
        """Returns the parts of the name stack of each operation; of a constant without any, those that its
        users share."""
        scopes = [self._parts(operation.location) for operation in block.operations]
        users: dict[int, list[tuple[str, ...]]] = {
            value: []
            for operation, scope in zip(block.operations, scopes)
            if len(scope) <= len(prefix) and not operation.operands
            for value in operation.results
        }
        for operation, scope in zip(block.operations, scopes):
            for value in users.keys() & operation.operands:
                users[value].append(scope)
        for index, operation in enumerate(block.operations):
            found = [scope for value in operation.results for scope in users.get(value, ())]
            if found and all(found):
                scopes[index] = _common_prefix(iter(found)) or scopes[index]
        return scopes

    def _scope(self, group: int, parts: tuple[str, ...]) -> int:
        """Returns the group of a name scope inside of another group."""
        for part in parts[:DEEPEST_SCOPE]:
            key = group, part
            if key not in self._groups:
                self._groups[key] = self._add("scope", part, "", group)
            group = self._groups[key]
        return group

    def _add(
        self, kind: NodeKind, label: str, name: str, parent: int, types: tuple[str, ...] = (), **others: Any
    ) -> int:
        self.nodes.append(GraphNode(kind, label, name, parent, types, **others))
        return len(self.nodes) - 1

    def _line(self, start: int) -> int:
        return self._source.line_of(start) if self._source else 0

    def _text(self, operation: Operation, start: int) -> str:
        """Returns the line that an operation starts with, without its location."""
        if self._source is None:
            return ""
        end = self._source.text.find("\n", start)
        line = self._source.text[start : end if end >= 0 else None][: 4 * LONGEST_TEXT]
        line = line.rpartition(" loc(")[0] or line if " loc(" in line else line
        return clipped(line, LONGEST_TEXT, " ...")


def _sharding(operation: Operation) -> str:
    for name in _SHARDINGS:
        attribute = operation.attribute(name)
        if attribute is not None:
            return attribute.value if isinstance(attribute, StringAttr) else str(attribute)
    return ""


def _common_prefix(scopes: Iterator[tuple[str, ...]]) -> tuple[str, ...]:
    """Returns the parts that all name stacks begin with; operations without one do not count."""
    prefix: tuple[str, ...] | None = None
    for scope in scopes:
        if not scope:
            continue
        if prefix is None:
            prefix = scope
        length = next((at for at, pair in enumerate(zip(prefix, scope)) if pair[0] != pair[1]), None)
        prefix = prefix[: min(len(prefix), len(scope)) if length is None else length]
        if not prefix:
            break
    return prefix or ()


def cost_measures(module: Module, entry: str) -> Measures:
    """Returns FLOPs and bytes of operations in one run of a function, by where they start; nothing where
    there is no such function."""
    from shlo.costs.analysis import cost

    function = module.functions.get(entry)
    if function is None or function.body is None:
        return {}
    costs = cost(module, entry).operations
    return {
        "FLOPs": {entry.span.start: entry.total.flops for entry in costs if entry.total.flops},
        "bytes": {
            entry.span.start: entry.total.accessed_bytes for entry in costs if entry.total.accessed_bytes
        },
    }
