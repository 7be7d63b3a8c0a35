"""Memory by liveness: the bytes of all values that are held while an operation is carried out.

A value is held from the operation that defines it to the last one that uses it. Arguments that are not
donated are the caller's and held to the end. A view takes no memory, a loop hands its values on in place, and
an elementwise operation or an update takes the memory of an operand that nothing uses afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct

from shlo.costs.call_graph import CallGraph
from shlo.costs.op_work import OpFacts, OpWorks, known_bytes
from shlo.ir.attributes import ArrayAttr, Attribute, DictionaryAttr, IntegerAttr
from shlo.ir.operations import Block, Function, Operation, Region, ValueTable
from shlo.ir.types import I1, IntegerType

DONATED: Final = ("tf.aliasing_output", "jax.buffer_donor")
"""Attributes of arguments whose memory a function may use for results."""


class _Buffer(Struct, eq=False):
    """A piece of memory, and how many values are in it."""

    size: int
    values: int = 0


class _Caller(Struct):
    """How a function is called: with how many bytes held elsewhere, and which arguments it may overwrite."""

    held: int
    donated: tuple[bool, ...]

    def merge(self, other: _Caller) -> None:
        """Takes the worse of two calls."""
        self.held = max(self.held, other.held)
        self.donated = tuple(one and another for one, another in zip(self.donated, other.donated))


class Memory:
    """The bytes that are held at each operation that runs when a function runs."""

    def __init__(self, graph: CallGraph, works: OpWorks) -> None:
        self._at: dict[int, int] = {}
        entry = graph.order[0]
        callers = {entry.name: _Caller(0, _donated(entry))}
        for function in graph.order:
            if (
                function.body is not None and function.name in callers
            ):  # others are called by kernels' regions
                frame = _Frame(graph, works, function.name, self._at, callers)
                frame.run(function.body, callers[function.name])

    def at(self, operation: Operation) -> int:
        """Returns the bytes that are held while an operation of a function is carried out."""
        return self._at.get(id(operation), 0)


class _Frame:
    """The values of a function, or of a region that numbers its values anew, while it runs."""

    def __init__(
        self, graph: CallGraph, works: OpWorks, name: str, at: dict[int, int], callers: dict[str, _Caller]
    ) -> None:
        self._graph, self._works, self._name = graph, works, name
        self._at, self._callers = at, callers
        self._held = 0
        self._buffers: dict[int, list[_Buffer]] = {}

    def run(self, region: Region, caller: _Caller) -> None:
        """Goes through a function's blocks."""
        self._held = caller.held
        self._region(region, caller.donated)

    def _region(self, region: Region, owned: Sequence[bool] = ()) -> None:
        for number, block in enumerate(region.blocks):
            self._block(block, region.values, owned if number == 0 else ())

    def _block(self, block: Block, table: ValueTable, owned: Sequence[bool]) -> None:
        """Goes through a block; `owned` tells which arguments may be overwritten, all that it leaves out."""
        before = self._held
        last = dict.fromkeys(block.arguments, -1)
        for index, operation in enumerate(block.operations):
            for value in operation.results:
                last[value] = index
            for value in (
                _used(operation) if operation.regions or operation.successors else operation.operands
            ):
                if value in last:
                    last[value] = index
        ends: dict[int, list[int]] = {}
        for value, index in last.items():
            ends.setdefault(index, []).append(value)
        self._define(block.arguments, [known_bytes(table.types[value]) for value in block.arguments])
        for value, is_owned in zip(block.arguments, owned):
            if not is_owned:
                self._buffers[value][0].values += 1
        self._drop(ends.get(-1, ()))
        for index, operation in enumerate(block.operations):
            self._carry_out(operation, ends.get(index, ()))
        self._held = before

    def _carry_out(self, operation: Operation, ending: Sequence[int]) -> None:
        """Carries an operation out; `ending` are the values that nothing uses behind it."""
        facts = self._works.of(operation.signature)
        results = operation.results
        dropped = [value for value in ending if value not in results] if ending else ()
        before, reused = self._held, None
        if facts.callee is not None or (operation.regions and not facts.has_kernel):
            if facts.callee is not None:
                self._call(operation, facts.callee, dropped)
            self._drop(dropped)
            for region in operation.regions:
                self._region(region)
            self._define(results, facts.result_bytes)
        else:
            reused = self._reused(operation, facts, dropped)
            if reused is None:
                self._define(results, facts.result_bytes)
            else:
                for value in results:
                    self._hold(value, reused)
            before = self._held
            self._drop(dropped)
        key = id(operation)
        self._at[key] = max(self._at.get(key, 0), before, self._held)
        if len(dropped) < len(ending):
            self._drop([value for value in ending if value in results])

    def _reused(self, operation: Operation, facts: OpFacts, dropped: Sequence[int]) -> list[_Buffer] | None:
        """Returns the memory of operands that the results take, None where they need memory of their own."""
        if facts.work is None:
            return None
        if facts.work.is_view:
            return [buffer for value in operation.operands for buffer in self._buffers.get(value, ())]
        if len(operation.results) != 1 or not dropped:
            return None
        operands = (
            operation.operands
            if facts.is_elementwise
            else operation.operands[: facts.work.in_place is not None]
        )
        for value in operands:
            buffers = self._buffers.get(value, ())
            if (
                len(buffers) == 1
                and buffers[0].size == facts.result_bytes[0]
                and self._is_free(buffers[0], dropped)
            ):
                return list(buffers)
        return None

    def _is_free(self, buffer: _Buffer, dropped: Sequence[int]) -> bool:
        """Returns whether nothing is left in a buffer once some values are dropped."""
        return buffer.values == sum(self._buffers.get(value, []).count(buffer) for value in dropped)

    def _call(self, operation: Operation, callee: str, dropped: Sequence[int]) -> None:
        """Notes how a function is called."""
        if self._graph.find(callee) is None or self._graph.is_cyclic(self._name, callee):
            return
        buffers = {
            id(buffer): buffer for value in operation.operands for buffer in self._buffers.get(value, ())
        }
        held = self._held - sum(buffer.size for buffer in buffers.values())
        donated = tuple(
            all(self._is_free(buffer, dropped) for buffer in self._buffers.get(value, ()))
            for value in operation.operands
        )
        caller = _Caller(held, donated)
        first_caller = self._callers.setdefault(callee, caller)
        first_caller.merge(caller)

    def _define(self, values: Sequence[int], sizes: Sequence[int]) -> None:
        for value, size in zip(values, sizes):
            self._held += size
            self._buffers[value] = [_Buffer(size, 1)]

    def _hold(self, value: int, buffers: list[_Buffer]) -> None:
        self._buffers[value] = buffers
        for buffer in buffers:
            buffer.values += 1

    def _drop(self, values: Sequence[int]) -> None:
        for value in values:
            for buffer in self._buffers.pop(value, ()):
                buffer.values -= 1
                if not buffer.values:
                    self._held -= buffer.size


def _used(operation: Operation) -> Iterator[int]:
    """Yields the values that an operation uses, in its regions and those of successors too."""
    yield from operation.operands
    for _, values in operation.successors:
        yield from values
    for region in operation.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield from _used(inner)


def _donated(function: Function) -> tuple[bool, ...]:
    """Returns for each argument of a function whether its memory may be used for results."""
    attributes = function.operation.attribute("arg_attrs")
    entries = attributes.values if isinstance(attributes, ArrayAttr) else ()
    dictionaries = [entry.as_dict() if isinstance(entry, DictionaryAttr) else {} for entry in entries]
    dictionaries += [{}] * (len(function.type.inputs) - len(dictionaries))
    return tuple(any(_is_set(attributes.get(name)) for name in DONATED) for attributes in dictionaries)


def _is_set(attribute: Attribute | None) -> bool:
    if isinstance(attribute, IntegerAttr) and isinstance(attribute.type, IntegerType):
        return attribute.value != 0 or attribute.type != I1
    return attribute is not None
