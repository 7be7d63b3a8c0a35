"""A chain of elementwise operations as machine code: a function of a frame and a range of elements.

The frame has a word for each input that a call passes and for each output: the bytes of a number, or the
address of an array's object, whose data every array must hold row by row.

Operations that are instructions are written into one loop, which LLVM makes of vectors. NumPy's own loops for
the other functions need their operands in memory: the chain is cut into levels, and goes tile by tile, which
stay in the cache, through all of them. A level's loop is a function of its own, which LLVM is told reads and
writes different memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from msgspec import Struct, field

from shlo.interpreter.jit.chain import Chain, Step, is_broadcast
from shlo.interpreter.jit.native.elementwise import convert, elementwise, function_of_floats
from shlo.interpreter.jit.native.lines import Lines, loop_text
from shlo.interpreter.jit.native.numbers import FLOAT64, Number, number_of
from shlo.interpreter.jit.native.objects import data_offset
from shlo.interpreter.jit.native.ufunc_loops import Function, loop_of
from shlo.interpreter.jit.native.ufunc_loops import call as call_loop
from shlo.interpreter.jit.native.values import Memory, load, merged_dimensions, store
from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.kernels.shapes import row_major_strides
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.types import RankedTensorType

MOST_STEPS: Final = 400
TILE: Final = 1024
"""Elements of a tile."""
LEAST_TILE: Final = 128
TILES_BYTES: Final = 1 << 16
"""Bytes that all buffers of a tile take together at most: the stack of a thread has them."""

Write = Callable[[Lines, Sequence[str]], str]
"""Writes what computes an element of those of the operands; returns its name."""


class _Node(Struct, eq=False):
    """A value of each element. `level` is the number of the loop that computes it, or of the first that may
    use it where something else does (an input, a call, an expansion).

    Args:
        number: the type.
        write: writes its instructions; None where memory holds it.
        operands: what it is computed of.
        place: the name of its address for the first element of a tile, in the outer function.
        literal: its text, where it is one number: a constant, or the name of a parameter.
    """

    number: Number
    level: int
    write: Write | None = None
    operands: tuple[_Node, ...] = ()
    place: str = ""
    literal: str = ""
    output: int | None = None
    is_kept: bool = False
    is_local: bool = False
    """Whether its memory begins with the first element of a call."""

    @property
    def is_memory(self) -> bool:
        return not self.literal and self.write is None


class _Call(Struct, frozen=True):
    """A call of the loop of a ufunc or formula, between the loops of levels."""

    ufunc: Function
    operands: tuple[_Node, ...]
    result: _Node


class _Expansion(Struct, frozen=True):
    """A broadcast: the elements of a smaller array for those of a tile."""

    source: str
    result: _Node
    parts: tuple[tuple[int, int], ...]
    """Sizes and strides of the dimensions, from the outermost."""


class _Plan(Struct):
    nodes: list[_Node] = field(default_factory=list["_Node"])
    calls: list[_Call] = field(default_factory=list[_Call])
    expansions: list[_Expansion] = field(default_factory=list[_Expansion])


class ChainEmitter:
    """Writes one chain. Raises Unsupported for what it cannot write."""

    def __init__(self, chain: Chain) -> None:
        if len(chain.steps) > MOST_STEPS:
            raise Unsupported("too many operations")
        self._chain = chain
        self._plan = _Plan()
        self._nodes: list[_Node] = []
        self._begin: list[str] = []
        self._functions: list[str] = []
        self._words = 0

    def emit(self) -> str:
        """Returns the text of `i64 @chain(ptr %frame, i64 %from, i64 %to)`."""
        chain = self._chain
        sources = [self._input(position) for position in range(len(chain.inputs))]
        self._nodes = sources
        for step in chain.steps:
            self._nodes.append(self._step(step))
        for position, number in enumerate(chain.outputs):
            self._output(position, number)
        return self._text()

    @property
    def functions(self) -> int:
        """How many functions of NumPy's are called for each element."""
        return len(self._plan.calls)

    # Values

    def _word(self) -> int:
        self._words += 1
        return 8 * (self._words - 1)

    def _input(self, position: int) -> _Node:
        type_ = self._chain.inputs[position]
        number = number_of(type_)
        if position in self._chain.constants:
            return _Node(number, 0, literal=number.literal(self._chain.constants[position]))
        name, offset = f"%in{position}", self._word()
        self._begin.append(f"  {name}.at = getelementptr i8, ptr %frame, i64 {offset}")
        if isinstance(type_, RankedTensorType) and type_.static_shape == ():
            self._begin.append(f"  {name}.memory = load {number.memory}, ptr {name}.at")
            changed = "trunc" if number.memory != number.llvm else "bitcast"
            self._begin.append(f"  {name} = {changed} {number.memory} {name}.memory to {number.llvm}")
            return _Node(number, 0, literal=name)
        self._begin += _data_of(name)
        return _Node(number, 0, place=name)

    def _output(self, position: int, number: int) -> None:
        node = self._nodes[number]
        if node.literal or node.output is not None or node.place.startswith("%in"):
            raise Unsupported("an output that is an input")
        name, offset = f"%out{position}", self._word()
        self._begin.append(f"  {name}.at = getelementptr i8, ptr %frame, i64 {offset}")
        self._begin += _data_of(name)
        node.output, node.is_kept, node.place = position, True, name
        node.is_local = position >= self._chain.stored

    def _add(self, number: Number, operands: Sequence[_Node], write: Write) -> _Node:
        level = max(operand.level for operand in operands)
        node = _Node(number, level, write, tuple(operands))
        self._plan.nodes.append(node)
        for operand in operands:
            operand.is_kept = operand.is_kept or operand.level < level
        return node

    def _called(self, ufunc: Function, number: Number, operands: Sequence[_Node]) -> _Node:
        if not any(operand.is_memory or operand.write for operand in operands):
            raise Unsupported("a function of numbers")
        loop_of(ufunc, (number.dtype,) * (len(operands) + 1))
        for operand in operands:
            operand.is_kept = True
        result = _Node(number, 1 + max(operand.level for operand in operands), is_kept=True)
        self._plan.calls.append(_Call(ufunc, tuple(operands), result))
        return result

    # Steps

    def _step(self, step: Step) -> _Node:
        op_view, operands = step.bound.op_view, [self._nodes[number] for number in step.operands]
        if is_broadcast(step.bound):
            return self._broadcast(step, operands[0])
        result = number_of(op_view.result_types[0])
        if step.name == "stablehlo.select":
            return self._add(result, operands, _selected(result))
        number = operands[0].number
        if step.name == "stablehlo.logistic":
            return self._logistic(operands[0])
        emit = elementwise(op_view, number, result)
        if emit is not None:
            write = emit
            return self._add(result, operands, lambda lines, names: write(lines, number, names))
        return self._function(step, operands, result)

    def _function(self, step: Step, operands: Sequence[_Node], result: Number) -> _Node:
        found = function_of_floats(step.bound.op_view, step.bound.evaluate)
        if found is None or result.kind is not Kind.FLOAT or operands[0].number != result:
            raise Unsupported(step.name)
        ufunc, in_float64 = found
        if not in_float64 or result == FLOAT64:
            return self._called(ufunc, result, operands)
        wide = [self._converted(operand, FLOAT64) for operand in operands]
        return self._converted(self._called(ufunc, FLOAT64, wide), result)

    def _converted(self, node: _Node, number: Number) -> _Node:
        source = node.number
        return self._add(number, [node], lambda lines, names: convert(lines, source, number, names[0]))

    def _logistic(self, operand: _Node) -> _Node:
        """Writes 1 / (1 + exp(-x)) in f64, as the kernel does."""
        number, one = operand.number, FLOAT64.literal(1)
        if number.kind is not Kind.FLOAT:
            raise Unsupported("logistic")

        def opposite(lines: Lines, names: Sequence[str]) -> str:
            return lines.value(f"fneg double {convert(lines, number, FLOAT64, names[0])}")

        def quotient(lines: Lines, names: Sequence[str]) -> str:
            more = lines.value(f"fadd double {names[0]}, {one}")
            return convert(lines, FLOAT64, number, lines.value(f"fdiv double {one}, {more}"))

        power = self._called(np.exp, FLOAT64, [self._add(FLOAT64, [operand], opposite)])
        return self._add(number, [power], quotient)

    def _broadcast(self, step: Step, operand: _Node) -> _Node:
        shape, op_view = self._chain.shape, step.bound.op_view
        own = op_view.tensor_type(0).static_shape
        if operand.literal:
            return operand
        if not operand.place.startswith("%in"):
            raise Unsupported("a broadcast of a result")
        dimensions = op_view.integers("broadcast_dimensions")
        if list(dimensions) != sorted(dimensions):
            raise Unsupported("a broadcast that transposes")
        if math.prod(own) == 1:
            return self._first_element(operand)
        strides = [0] * len(shape)
        for size, stride, dimension in zip(own, row_major_strides(own, 1), dimensions):
            strides[dimension] = stride if size != 1 else 0
        merged, merged_strides, _ = merged_dimensions(shape, strides, strides)
        parts = [(size, stride) for size, stride in zip(merged, merged_strides) if size > 1] or [(1, 0)]
        result = _Node(operand.number, 0, is_kept=True)
        self._plan.expansions.append(_Expansion(operand.place, result, tuple(parts)))
        return result

    def _first_element(self, operand: _Node) -> _Node:
        """Writes the loading of an array's only element, before the first tile."""
        number, lines = operand.number, Lines()
        name = f"{operand.place}.element"
        if not any(line.startswith(f"  {name} =") for line in self._begin):
            loaded = f"{name}.memory" if number.memory != number.llvm else name
            lines.line(f"{loaded} = load {number.memory}, ptr {operand.place}")
            if loaded != name:
                lines.line(f"{name} = icmp ne {number.memory} {loaded}, 0")
            self._begin += lines.lines
        return _Node(number, 0, literal=name)

    # Text

    def _text(self) -> str:
        buffers = self._place_buffers()
        tile = f"{buffers[1]}" if self._plan.calls or self._plan.expansions else ""
        body = Lines()
        body.line("%from.here = sub i64 %at, %from")
        if tile:
            left = body.value("sub i64 %to, %at")
            body.lines.append(f"  %n = call i64 @llvm.umin.i64(i64 {left}, i64 {tile})")
        else:
            body.lines.append("  %n = sub i64 %to, %at")
        for number, expansion in enumerate(self._plan.expansions):
            self._functions.append(_expansion_text(number, expansion))
            target = self._address(body, expansion.result)
            body.line(f"call void @expand{number}(ptr {expansion.source}, ptr {target}, i64 %at, i64 %n)")
        levels = 1 + max(
            [node.level for node in (*self._plan.nodes, *(call.result for call in self._plan.calls))],
            default=0,
        )
        for level in range(levels):
            for call in self._plan.calls:
                if call.result.level == level:
                    self._write_call(body, call)
            self._write_level(body, level)
        return "\n".join(
            [
                *self._functions,
                "define i64 @chain(ptr %frame, i64 %from, i64 %to) {",
                "enter:",
                *buffers[0],
                *self._begin,
                *body.entry,
                "  br label %tile",
                "tile:",
                "  %at = phi i64 [%from, %enter], [%next, %tile]",
                *body.lines,
                "  %next = add i64 %at, %n",
                "  %more = icmp slt i64 %next, %to",
                "  br i1 %more, label %tile, label %end",
                "end:",
                "  ret i64 0",
                "}",
            ]
        )

    def _place_buffers(self) -> tuple[list[str], int]:
        """Returns the lines that reserve a tile's buffers, one for each value that goes through memory and is
        no output, and the elements of a tile.
        """
        memories = [
            *(call.result for call in self._plan.calls),
            *(each.result for each in self._plan.expansions),
        ]
        kept = [node for node in (*self._plan.nodes, *memories) if node.is_kept and not node.place]
        width = sum(node.number.dtype.itemsize for node in kept)
        tile = TILE
        while width * tile > TILES_BYTES:
            tile //= 2
        if tile < LEAST_TILE:
            raise Unsupported("too many values in memory")
        lines: list[str] = []
        for position, node in enumerate(kept):
            node.place = f"%buffer{position}"
            lines.append(f"  {node.place} = alloca [{tile} x {node.number.memory}], align 64")
        return lines, tile

    def _address(self, lines: Lines, node: _Node) -> str:
        """Returns the address of a value's first element of the tile."""
        if node.place.startswith("%buffer"):
            return node.place
        index = "%from.here" if node.is_local else "%at"
        return lines.value(f"getelementptr {node.number.memory}, ptr {node.place}, i64 {index}")

    def _write_call(self, lines: Lines, call: _Call) -> None:
        number, nodes = call.result.number, (*call.operands, call.result)
        loop = loop_of(call.ufunc, (number.dtype,) * len(nodes))
        pointers: list[str] = []
        for node in nodes:
            if node.literal:
                pointers.append(lines.scratch(number.llvm))
                lines.line(f"store {number.llvm} {node.literal}, ptr {pointers[-1]}")
            else:
                pointers.append(self._address(lines, node))
        steps = [0 if node.literal else number.dtype.itemsize for node in nodes]
        call_loop(lines, loop, pointers, ("%n",), steps)

    def _write_level(self, outer: Lines, level: int) -> None:
        """Writes the loop of a level as a function, and its call."""
        nodes = [node for node in self._plan.nodes if node.level == level]
        if not nodes:
            return
        lines, texts = Lines(), dict[_Node, str]()
        parameters: list[str] = []
        arguments: list[str] = []

        def pointer(node: _Node) -> Memory:
            parameters.append(f"ptr noalias %p{len(parameters)}")
            arguments.append(f"ptr {self._address(outer, node)}")
            return Memory(node.number, (), parameters[-1].split()[-1])

        def text_of(node: _Node) -> str:
            if node not in texts and node.literal.startswith("%in"):
                parameters.append(f"{node.number.llvm} %p{len(parameters)}")
                arguments.append(f"{node.number.llvm} {node.literal}")
                texts[node] = parameters[-1].split()[-1]
            elif node not in texts:
                texts[node] = node.literal or load(lines, pointer(node), "%i")
            return texts[node]

        for node in nodes:
            assert node.write is not None
            texts[node] = node.write(lines, [text_of(operand) for operand in node.operands])
        for node in nodes:
            if node.is_kept:
                store(lines, pointer(node), "%i", texts[node])
        self._functions.append(loop_text(f"@level{level}", parameters, lines))
        outer.line(f"call void @level{level}({', '.join([*arguments, 'i64 %n'])})")


def _data_of(name: str) -> list[str]:
    """Returns the lines that load the address of an array's data, whose object's is at `name.at`."""
    return [
        f"  {name}.object = load ptr, ptr {name}.at",
        f"  {name}.data = getelementptr i8, ptr {name}.object, i64 {data_offset()}",
        f"  {name} = load ptr, ptr {name}.data",
    ]


def _selected(number: Number) -> Write:
    def write(lines: Lines, names: Sequence[str]) -> str:
        return lines.value(f"select i1 {names[0]}, {number.llvm} {names[1]}, {number.llvm} {names[2]}")

    return write


def _expansion_text(number: int, expansion: _Expansion) -> str:
    """Returns a function that copies, run by run of the innermost dimension, the elements of a tile."""
    *outer, (size, stride) = expansion.parts
    memory = expansion.result.number.memory
    lines = Lines()
    lines.lines += [
        "  %place = add i64 %at, %done",
        f"  %row = udiv i64 %place, {size}",
        f"  %column = urem i64 %place, {size}",
        "  %left = sub i64 %n, %done",
        f"  %room = sub i64 {size}, %column",
        "  %length = call i64 @llvm.umin.i64(i64 %left, i64 %room)",
    ]
    row, offset = "%row", "0"
    for position, (extent, step) in enumerate(reversed(outer)):
        is_first = position == len(outer) - 1
        index = row if is_first else lines.value(f"urem i64 {row}, {extent}")
        if step:
            step_offset = lines.value(f"mul i64 {index}, {step}")
            offset = lines.value(f"add i64 {offset}, {step_offset}")
        if not is_first:
            row = lines.value(f"udiv i64 {row}, {extent}")
    if stride:
        offset = lines.value(f"add i64 {offset}, %column")
    source = lines.value(f"getelementptr {memory}, ptr %source, i64 {offset}")
    target = lines.value(f"getelementptr {memory}, ptr %target, i64 %done")
    element = lines.value(f"load {memory}, ptr {source}")
    before = len(lines.lines)
    if stride:
        at = lines.value(f"getelementptr {memory}, ptr {source}, i64 %i")
        element = lines.value(f"load {memory}, ptr {at}")
    at = lines.value(f"getelementptr {memory}, ptr {target}, i64 %i")
    lines.line(f"store {memory} {element}, ptr {at}")
    return "\n".join(
        [
            f"define internal void @expand{number}"
            "(ptr noalias %source, ptr noalias %target, i64 %at, i64 %n) noinline {",
            "enter:",
            "  br label %run",
            "run:",
            "  %done = phi i64 [0, %enter], [%after, %ran]",
            *lines.lines[:before],
            "  br label %loop",
            "loop:",
            "  %i = phi i64 [0, %run], [%next, %loop]",
            *lines.lines[before:],
            "  %next = add nuw nsw i64 %i, 1",
            "  %more = icmp slt i64 %next, %length",
            "  br i1 %more, label %loop, label %ran",
            "ran:",
            "  %after = add i64 %done, %length",
            "  %again = icmp slt i64 %after, %n",
            "  br i1 %again, label %run, label %end",
            "end:",
            "  ret void",
            "}",
        ]
    )
