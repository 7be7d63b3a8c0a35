"""Elementwise operations of a block that wait, until something else needs their results or the block ends.

They are one pass over their arrays then; what nothing needs by then is never stored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct

from shlo.interpreter.jit.native.elementwise import Emit
from shlo.interpreter.jit.native.lines import Lines, loop_text
from shlo.interpreter.jit.native.numbers import Number
from shlo.interpreter.jit.native.values import Memory, NativeValue, Scalar, Splat, load, store
from shlo.interpreter.kernels.shapes import Sizes
from shlo.interpreter.program.code import CodeBlock

LEAST_PASS = 64
"""Elements from which on operations wait for each other; loops over fewer are unrolled."""

Write = Callable[[Lines, Sequence[str]], str]
"""Writes what computes an element of those of the operands; returns its name."""


class Pending(Struct, eq=False):
    """An array, or the total of one, that no line computes yet.

    Args:
        number: the type of an element.
        shape: the shape, () of a total.
        count: how many elements the pass has that computes it.
        operands: what it is computed of, of a total the array and the initial value.
        write: writes the computation of an element.
        owner: the block that may overwrite its memory.
        holders: how many registers have it.
        value: where it is, once it is computed.
    """

    number: Number
    shape: Sizes
    count: int
    operands: tuple[NativeValue | Pending, ...]
    write: Write
    owner: CodeBlock
    holders: int = 0
    value: Memory | Scalar | None = None

    @property
    def is_total(self) -> bool:
        """Whether it is the total of an array."""
        return not self.shape


BlockValue = NativeValue | Pending
"""A value of a block: one that is there, or waits."""


def known(value: BlockValue) -> BlockValue:
    """Returns what a value is now."""
    return value.value if isinstance(value, Pending) and value.value is not None else value


def elementwise_write(emit: Emit, number: Number) -> Write:
    """Returns what writes an operation on operands of a type."""
    return lambda lines, names: emit(lines, number, names)


def select_write(number: Number) -> Write:
    """Returns what writes the choice between two elements."""
    type_ = number.llvm
    return lambda lines, names: lines.value(f"select i1 {names[0]}, {type_} {names[1]}, {type_} {names[2]}")


def pass_text(
    lines: Lines, name: str, nodes: Sequence[Pending], targets: Mapping[Pending, Sequence[Memory | Scalar]]
) -> str:
    """Returns a function of one loop that computes those of the nodes that have targets, and what these need,
    and adds its call to `lines`. A target may be an array that nodes read.
    """
    writer = _Pass(lines)
    needed = set(targets)
    for node in reversed(nodes):
        if node in needed:
            needed.update(operand for operand in node.operands if isinstance(operand, Pending))
    for node in nodes:
        if node in needed:
            writer.compute(node)
    for node, places in targets.items():
        for place in places:
            writer.store(node, place)
    return writer.text(name, nodes[0].count)


class _Pass:
    def __init__(self, outer: Lines) -> None:
        self._outer = outer
        self._lines = Lines()
        self._before: list[str] = []
        self._after = Lines()
        self._parameters: list[str] = []
        self._arguments: list[str] = []
        self._pointers: dict[str, str] = {}
        self._elements: dict[object, str] = {}
        self._loaded: list[tuple[Scalar, str]] = []

    def _parameter(self, type_: str, argument: str, is_array: bool = False) -> str:
        name = f"%p{len(self._parameters)}"
        self._parameters.append(f"{type_}{' noalias' * is_array} {name}")
        self._arguments.append(f"{type_} {argument}")
        return name

    def _array(self, value: Memory) -> Memory:
        if value.pointer not in self._pointers:
            self._pointers[value.pointer] = self._parameter("ptr", value.pointer, is_array=True)
        return Memory(value.number, value.shape, self._pointers[value.pointer])

    def _element(self, value: BlockValue) -> str:
        if value in self._elements:
            return self._elements[value]
        value = known(value)
        if isinstance(value, Splat):
            value = value.scalar
        if isinstance(value, Scalar) and not value.is_variable:
            return value.text
        if value not in self._elements:
            assert not isinstance(value, Pending)
            if isinstance(value, Memory):
                text = load(self._lines, self._array(value), "%i")
            else:
                text = self._parameter(value.number.llvm, load(self._outer, value, "0"))
            self._elements[value] = text
        return self._elements[value]

    def compute(self, node: Pending) -> None:
        """Writes the computation of an element of a node, or what adds it to a total."""
        if not node.is_total:
            operands = [self._element(operand) for operand in node.operands]
            self._elements[node] = node.write(self._lines, operands)
            return
        array, initial = node.operands
        type_, total = node.number.llvm, f"%total{len(self._before)}"
        self._before += [
            f"  {total} = alloca {type_}",
            f"  store {type_} {self._element(initial)}, ptr {total}",
        ]
        so_far = self._lines.value(f"load {type_}, ptr {total}")
        after = node.write(self._lines, [so_far, self._element(array)])
        self._lines.line(f"store {type_} {after}, ptr {total}")
        self._elements[node] = total

    def store(self, node: Pending, place: Memory | Scalar) -> None:
        """Writes the storing of a node where it goes."""
        if isinstance(place, Memory):
            store(self._lines, self._array(place), "%i", self._elements[node])
            return
        type_ = node.number.llvm
        scratch = self._outer.scratch(type_)
        parameter = self._parameter("ptr", scratch, is_array=True)
        total = f"{parameter}.total"
        self._after.line(f"{total} = load {type_}, ptr {self._elements[node]}")
        self._after.line(f"store {type_} {total}, ptr {parameter}")
        self._loaded.append((place, scratch))

    def text(self, name: str, count: int) -> str:
        """Returns the function; adds its call, and the storing of totals."""
        outer = self._outer
        outer.line(f"call void {name}({', '.join([*self._arguments, f'i64 {count}'])})")
        for place, scratch in self._loaded:
            total = outer.value(f"load {place.number.llvm}, ptr {scratch}")
            store(outer, place, "0", total)
        return loop_text(name, self._parameters, self._lines, self._before, self._after.lines)
