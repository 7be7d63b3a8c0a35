"""Elementwise operations of a block that wait, until something else needs their results or the block ends.

They are one pass over their arrays then; what nothing needs by then is never stored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.loops.elements import Element
from shlo.interpreter.loops.expressions import ZERO, Expr, LoopVariable, NameExpr, Place, Value, index_of
from shlo.interpreter.loops.numbers import Number
from shlo.interpreter.loops.statements import LoopBuilder, Statement, Store
from shlo.interpreter.program.code import CodeBlock

LEAST_PASS: Final = 64
"""Elements from which on operations wait for each other; loops over fewer are unrolled."""


class Pending(Struct, eq=False):
    """An array, or the total of one, that no line computes yet.

    Args:
        number: the type of an element.
        shape: the shape, () of a total.
        count: how many elements the pass has that computes it.
        operands: what it is computed of, of a total the array and the initial value.
        element: what an element is computed by, or what adds one to the total.
        owner: the block that may overwrite its memory.
        holders: how many registers have it.
        value: where it is, once it is computed.
    """

    number: Number
    shape: Sizes
    count: int
    operands: tuple[Value | Pending, ...]
    element: Element
    owner: CodeBlock
    holders: int = 0
    value: Place | None = None

    @property
    def is_total(self) -> bool:
        """Whether it is the total of an array."""
        return not self.shape


BlockValue = Value | Pending
"""A value of a block: one that is there, or waits."""


def current(value: BlockValue) -> BlockValue:
    """Returns what a value is now."""
    return value.value if isinstance(value, Pending) and value.value is not None else value


def write_pass(b: LoopBuilder, nodes: Sequence[Pending], targets: Mapping[Pending, Sequence[Place]]) -> None:
    """Writes a pass that computes those of the nodes that have targets, and what these need. A target may be
    an array that nodes read.
    """
    needed = set(targets)
    for node in reversed(nodes):
        if node in needed:
            needed.update(operand for operand in node.operands if isinstance(operand, Pending))
    totals = {node: b.name(node.number, "total") for node in nodes if node in needed and node.is_total}
    variables = {node: LoopVariable(node.number, name.text) for node, name in totals.items()}
    before: list[Statement] = []
    for node, variable in variables.items():
        initial = current(node.operands[1])
        assert not isinstance(initial, Pending)
        before.append(Store([(variable, ZERO, initial.at(ZERO))]))
    results = {node: b.scratch(node.number) for node in variables if targets.get(node)}
    after = [Store([(memory, ZERO, variables[node].at(ZERO))]) for node, memory in results.items()]

    def element(index: NameExpr) -> None:
        values: dict[object, Expr] = {}

        def value_of(operand: BlockValue) -> Expr:
            operand = operand if operand in values else current(operand)
            if operand not in values:
                assert not isinstance(operand, Pending)
                values[operand] = operand.at(index)
            return values[operand]

        for node in nodes:
            if node in needed:
                operands = [*node.operands]
                if node.is_total:
                    array = value_of(operands[0])
                    values[node] = node.element(variables[node].at(ZERO), array)
                else:
                    values[node] = node.element(*map(value_of, operands))
        stores = [(variable, ZERO, values[node]) for node, variable in variables.items()]
        for node, places in targets.items():
            stores += [(target, index, values[node]) for target in places if not node.is_total]
        b.store_all(stores)

    b.one_pass(index_of(nodes[0].count), element, [*variables.values()], before, after)
    for node, memory in results.items():
        for target in targets[node]:
            b.store(target, ZERO, memory.at(ZERO))
