"""A chain of elementwise operations as machine code: a function of a frame and a range of elements.

The frame has a word for each input that a call passes and for each output: the address of an object, of a
NumPy scalar or of an array, whose data must lie row by row.

Operations that are instructions are one pass over the elements, which LLVM makes of vectors. NumPy's own
loops for the other functions need their operands in memory: the chain is cut into levels, and goes tile by
tile, which stay in the cache, through all of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from shlo.interpreter.kernels.shapes import row_major_strides
from shlo.interpreter.loops.chain import ChainStep, FusedChain, is_broadcast
from shlo.interpreter.loops.elements import Element, FloatCall, Ufunc, element_of
from shlo.interpreter.loops.expressions import ZERO, ArrayMemory, ConstantExpr, Expr, NameExpr, affine
from shlo.interpreter.loops.functions import call_loop, loop_of
from shlo.interpreter.loops.llvm import print_functions
from shlo.interpreter.loops.numbers import INDEX, POINTER, Number, number_of
from shlo.interpreter.loops.statements import LoopBuilder, merged_dimensions
from shlo.interpreter.runtime.tiers import Unsupported
from shlo.ir.types import RankedTensorType

MOST_STEPS: Final = 400
TILE: Final = 1024
"""Elements of a tile."""
LEAST_TILE: Final = 128
TILES_BYTES: Final = 1 << 16
"""Bytes that all buffers of a tile take together at most: the stack of a thread has them."""


class _Node(Struct, eq=False):
    """A value of each element. `level` is the number of the pass that computes it, or of the first that may
    use it where something else does (an input, a call, an expansion).

    Args:
        number: the type.
        level: the level.
        element: what an element is computed by; None where memory holds it.
        operands: what it is computed of.
        scalar: what it is, where it is one number.
        memory: an array, or the buffer of a tile.
        is_kept: whether something behind its pass needs it.
        is_buffer: whether its memory has a tile.
        is_local: whether its memory begins with the first element of a call.
    """

    number: Number
    level: int = 0
    element: Element | None = None
    operands: tuple[_Node, ...] = ()
    scalar: Expr | None = None
    memory: ArrayMemory | None = None
    is_kept: bool = False
    is_buffer: bool = False
    is_local: bool = False


class _LoopCall(Struct, frozen=True):
    """A call of the loop of a ufunc or formula, between passes."""

    ufunc: Ufunc
    operands: tuple[_Node, ...]
    result: _Node


class _Expansion(Struct, frozen=True):
    """A broadcast: the elements of a smaller array for those of a tile. `parts` are sizes and strides of the
    dimensions, from the outermost."""

    source: ArrayMemory
    result: _Node
    parts: tuple[tuple[int, int], ...]


class ChainEmitter:
    """Writes one chain. Raises Unsupported for what it cannot write."""

    def __init__(self, chain: FusedChain) -> None:
        if len(chain.steps) > MOST_STEPS:
            raise Unsupported("too many operations")
        self._chain = chain
        self._b = LoopBuilder()
        self._frame = NameExpr(POINTER, "frame")
        self._range = NameExpr(INDEX, "from"), NameExpr(INDEX, "to")
        self._words = 0
        self._nodes: dict[str, _Node] = {}
        self._computed: list[_Node] = []
        self._calls: list[_LoopCall] = []
        self._expansions: list[_Expansion] = []

    def emit(self) -> str:
        """Returns the text of `i64 @chain(ptr %frame, i64 %from, i64 %to)`."""
        chain, (start, end) = self._chain, self._range
        self._nodes = {name: self._input(name) for name in chain.inputs}
        inputs = {id(node) for node in self._nodes.values()}
        for step in chain.steps:
            self._nodes[step.result] = self._step(step)
        for name in chain.computed:
            node = self._nodes[name]
            if node.scalar is not None or node.memory is not None or id(node) in inputs:
                raise Unsupported("an output that is an input")
            node.memory, node.is_kept = self._array(node.number), True
            node.is_local = name not in chain.outputs
        b, tile = self._b, self._place_buffers()
        if not self._calls and not self._expansions:
            self._write_tile(start, b.let(end - start))
        else:

            def part(number: Expr) -> None:
                at = b.let(start + number * tile)
                self._write_tile(at, b.let((end - at).minimum(tile)))

            b.loop(b.let((end - start + (tile - 1)) / tile), part)
        return print_functions([b.function("chain", (self._frame, start, end))])

    @property
    def functions(self) -> int:
        """How many functions of NumPy's are called for each element."""
        return len(self._calls)

    # Values

    def _word(self) -> int:
        self._words += 1
        return self._words - 1

    def _array(self, number: Number) -> ArrayMemory:
        return self._b.array_at(self._frame, self._word(), number)

    def _input(self, name: str) -> _Node:
        type_ = self._chain.types[name]
        number = number_of(type_)
        if name in self._chain.constants:
            return _Node(number, scalar=ConstantExpr(number, self._chain.constants[name]))
        if isinstance(type_, RankedTensorType) and type_.static_shape == ():
            scalar = self._b.number_at(self._frame, self._word(), number)
            return _Node(number, scalar=self._b.at_entry(scalar))
        return _Node(number, memory=self._array(number))

    def _add(self, number: Number, operands: Sequence[_Node], element: Element) -> _Node:
        level = max(operand.level for operand in operands)
        node = _Node(number, level, element, tuple(operands))
        self._computed.append(node)
        for operand in operands:
            operand.is_kept = operand.is_kept or operand.level < level
        return node

    def _step(self, step: ChainStep) -> _Node:
        op_view, operands = step.bound.op_view, [self._nodes[name] for name in step.operands]
        if is_broadcast(step.bound):
            return self._broadcast(step, operands[0])
        result = number_of(op_view.result_types[0])
        element = element_of(op_view, step.bound.evaluate, operands[0].number, result)
        if element is not None:
            return self._add(result, operands, element)
        call = FloatCall(step.bound, [operand.number for operand in operands], result)
        if not call.is_plain:
            operands = [self._add(call.number, [operand], call.before) for operand in operands]
        if all(operand.scalar is not None for operand in operands):
            raise Unsupported("a function of numbers")
        loop_of(call.ufunc, call.number, len(operands))
        for operand in operands:
            operand.is_kept = True
        level = 1 + max(operand.level for operand in operands)
        called = _Node(call.number, level, is_kept=True)
        self._calls.append(_LoopCall(call.ufunc, tuple(operands), called))
        return called if call.is_plain else self._add(result, [called], call.after)

    def _broadcast(self, step: ChainStep, operand: _Node) -> _Node:
        shape, op_view = self._chain.shape, step.bound.op_view
        source_shape = op_view.tensor_type(0).static_shape
        if operand.scalar is not None:
            return operand
        if operand.memory is None:
            raise Unsupported("a broadcast of a result")
        dimensions = op_view.integers("broadcast_dimensions")
        if list(dimensions) != sorted(dimensions):
            raise Unsupported("a broadcast that transposes")
        if math.prod(source_shape) == self._chain.count:
            return operand
        if math.prod(source_shape) == 1:
            return _Node(operand.number, scalar=self._b.at_entry(operand.memory.at(ZERO)))
        strides = [0] * len(shape)
        for size, stride, dimension in zip(source_shape, row_major_strides(source_shape, 1), dimensions):
            strides[dimension] = stride if size != 1 else 0
        sizes, steps, _ = merged_dimensions(shape, strides, strides)
        parts = [(size, stride) for size, stride in zip(sizes, steps) if size > 1] or [(1, 0)]
        result = _Node(operand.number, is_kept=True)
        self._expansions.append(_Expansion(operand.memory, result, tuple(parts)))
        return result

    # Tiles

    def _place_buffers(self) -> int:
        """Reserves a tile's buffers, one for each value that goes through memory and is no output; returns
        the elements of a tile.
        """
        memories = [call.result for call in self._calls] + [
            expansion.result for expansion in self._expansions
        ]
        in_memory = [node for node in (*self._computed, *memories) if node.is_kept and node.memory is None]
        width, tile = sum(node.number.size for node in in_memory), TILE
        while width * tile > TILES_BYTES:
            tile //= 2
        if tile < LEAST_TILE:
            raise Unsupported("too many values in memory")
        for node in in_memory:
            node.memory, node.is_buffer = self._b.scratch(node.number, tile), True
        return tile

    def _write_tile(self, at: Expr, n: Expr) -> None:
        for expansion in self._expansions:
            self._expand(expansion, at, n)
        levels = [node.level for node in (*self._computed, *(call.result for call in self._calls))]
        for level in range(1 + max(levels, default=0)):
            for call in self._calls:
                if call.result.level == level:
                    self._call(call, at, n)
            nodes = [node for node in self._computed if node.level == level]
            if nodes:
                self._write_level(nodes, at, n)

    def _of_tile(self, node: _Node, at: Expr) -> ArrayMemory:
        """Returns the memory of a value's elements of the tile."""
        assert node.memory is not None
        if node.is_buffer:
            return node.memory
        offset = at - self._range[0] if node.is_local else at
        return ArrayMemory(node.number, (), self._b.let(node.memory.address(offset)))

    def _call(self, call: _LoopCall, at: Expr, n: Expr) -> None:
        number, pointers, steps = call.result.number, list[Expr](), list[int]()
        for node in (*call.operands, call.result):
            if node.scalar is not None:
                scratch = self._b.scratch(number)
                self._b.store(scratch, ZERO, node.scalar)
                pointers.append(scratch.pointer)
            else:
                pointers.append(self._of_tile(node, at).pointer)
            steps.append(0 if node.scalar is not None else number.size)
        call_loop(self._b, loop_of(call.ufunc, number, len(call.operands)), pointers, [n], steps)

    def _write_level(self, nodes: Sequence[_Node], at: Expr, n: Expr) -> None:
        """Writes the pass of a level."""
        used = dict.fromkeys(operand for node in nodes for operand in node.operands)
        inner = {id(node) for node in nodes}
        read = {
            node: self._of_tile(node, at) for node in used if id(node) not in inner and node.scalar is None
        }
        written = {node: self._of_tile(node, at) for node in nodes if node.is_kept}

        def element(index: Expr) -> None:
            values = {node: memory.at(index) for node, memory in read.items()}
            values.update({node: node.scalar for node in used if node.scalar is not None})
            for node in nodes:
                assert node.element is not None
                values[node] = node.element(*[values[operand] for operand in node.operands])
            self._b.store_all([(memory, index, values[node]) for node, memory in written.items()])

        self._b.one_pass(n, element)

    def _expand(self, expansion: _Expansion, at: Expr, n: Expr) -> None:
        """Writes a pass over the rows of the innermost dimension that a tile has a part of."""
        *outer, (size, stride) = expansion.parts
        b, source, target = self._b, expansion.source, expansion.result.memory
        assert target is not None
        first = b.let(at / size)

        def row(number: Expr) -> None:
            row = b.let(first + number)
            rest, offset = row, ZERO
            for extent, step in reversed(outer[1:]):
                offset, rest = offset + rest % extent * step, rest / extent
            if outer:
                offset = offset + rest * outer[0][1]
            start = b.let((row * size).call("max", at))
            length = b.let(((row + 1) * size).minimum(at + n) - start)
            begin = b.let(offset + (start - row * size) * stride)
            repeated = None if stride else b.let(source.at(begin))
            to = b.let(start - at)

            def element(index: Expr) -> None:
                b.store(
                    target,
                    to + index,
                    source.at(affine(begin, [index], [stride])) if repeated is None else repeated,
                )

            b.loop(length, element)

        b.one_pass(b.let((at + n - 1) / size - first + 1), row)
