"""The machine code of `runtime.copies`: a matrix whose columns are contiguous, copied row by row.

It goes from tile to tile, squares of a few elements: the columns of one are loaded as vectors, which exchange
elements until they are its rows, in as many rounds as a row's number has bits. A tile's row fills a line of
the cache, or a good part of it.

A large result goes past the cache, strip by strip: stored as usual, each line of it would be read before.
Several lines of each row are collected in a buffer on the stack, and stored from the first whole one on.
While they are stored, lines of the source that come next are fetched.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from msgspec import Struct

from shlo.interpreter.kernels.numeric import Kind
from shlo.interpreter.loops.expressions import (
    ZERO,
    ArrayMemory,
    ConstantExpr,
    Expr,
    NameExpr,
    OpExpr,
    index_of,
)
from shlo.interpreter.loops.llvm import print_functions
from shlo.interpreter.loops.machine import Machine, MachineFunction
from shlo.interpreter.loops.numbers import BYTE, INDEX, POINTER, Number
from shlo.interpreter.loops.statements import LoopBuilder, Store
from shlo.interpreter.runtime.copies import LINE, STRIP, STRIP_ROWS, Element

STRIP_SIDE: Final = 8
"""Elements of a side of the tiles of a strip: no more columns are loaded at a time than lines whose addresses
compete for the same few of the cache."""

AHEAD: Final = 16
"""Columns that are fetched before they are loaded."""
_LINE_OF_CACHE: Final = Number(np.dtype(np.uint32), Kind.UNSIGNED, lanes=LINE // 4)


class _Matrix(Struct, frozen=True):
    """What a frame holds: two addresses, the bytes between columns of the source and rows of the target,
    sizes.
    """

    source: Expr
    target: Expr
    source_step: Expr
    target_step: Expr
    rows: Expr
    columns: Expr


@cache
def _machine(element: Element) -> Machine:
    b, frame, is_strip = LoopBuilder(), NameExpr(POINTER, "frame"), NameExpr(INDEX, "strip")
    fields = [ArrayMemory(POINTER if word < 2 else INDEX, (), frame).at(index_of(word)) for word in range(6)]
    matrix = _Matrix(*map(b.let, fields))
    b.when(is_strip.equals(0), lambda: _write_tiles(b, matrix, element.bytes, element.side))
    b.when(is_strip.differs(0), lambda: _write_strip(b, matrix, element.bytes))
    return Machine(print_functions([b.function("copy", (frame, is_strip))]), "copy", integers=1)


def native_tiles(element: Element) -> MachineFunction:
    """Returns machine code of a frame, and of whether that tells of a strip.

    The frame holds numbers of 64 bits: the addresses of the source and of the target, by how many bytes a
    column of the source and a row of the target are further on than the one before, and how many rows and
    columns there are, multiples of a tile's side above 0. A strip has at least `STRIP_ROWS` rows, and the
    columns of `STRIP` bytes, or those of a line more: its rows are stored from the first of a line on.
    """
    return _machine(element).function


def _vectors(number: Number, first: Expr, step: Expr, count: int) -> list[ArrayMemory]:
    """Returns vectors, each a step behind the one before."""
    return [ArrayMemory(number, (), first.bytes_on(step * lane)) for lane in range(count)]


def _turn(b: LoopBuilder, sources: Sequence[ArrayMemory], targets: Sequence[ArrayMemory]) -> None:
    """Writes the copying of a tile: its columns are at the sources, its rows at the targets."""
    vectors, bit = [source.at(ZERO) for source in sources], len(sources) // 2
    while bit:
        vectors = _exchanged(vectors, bit)
        bit //= 2
    b.store_all([(target, ZERO, vector) for target, vector in zip(targets, vectors, strict=True)])


def _exchanged(vectors: list[Expr], bit: int) -> list[Expr]:
    """Returns the vectors of a tile after each pair of them whose numbers differ in one bit has exchanged the
    elements of which that bit of the number is not its own."""
    side, result = len(vectors), list(vectors)
    indices = Number(np.dtype(np.int32), Kind.SIGNED, lanes=side)
    for low in range(side):
        high = low | bit
        if low == high:
            continue
        for number, bit_value in ((low, 0), (high, bit)):
            mask = tuple((lane & ~bit | bit_value) + (side if lane & bit else 0) for lane in range(side))
            operands = (vectors[low], vectors[high], ConstantExpr(indices, mask))
            result[number] = OpExpr(vectors[low].number, "shuffle", operands)
    return result


def _tile_of(size: int, side: int) -> Number:
    return Number(np.dtype(f"u{size}"), Kind.UNSIGNED, lanes=side)


def _write_tiles(b: LoopBuilder, matrix: _Matrix, size: int, side: int) -> None:
    number = _tile_of(size, side)

    def tile(row: Expr, column: Expr) -> None:
        source = b.let(matrix.source.bytes_on(row * size + matrix.source_step * column))
        target = b.let(matrix.target.bytes_on(row * matrix.target_step + column * size))
        sources = _vectors(number, source, matrix.source_step, side)
        _turn(b, sources, _vectors(number, target, matrix.target_step, side))

    def row_of_tiles(row: Expr) -> None:
        b.loop(matrix.columns / side, lambda column: tile(row * side, column * side))

    b.loop(matrix.rows / side, row_of_tiles)


def _write_strip(b: LoopBuilder, matrix: _Matrix, size: int) -> None:
    side, pitch, step = STRIP_SIDE, STRIP + LINE, matrix.source_step
    in_column, in_row = STRIP_ROWS * size // LINE, STRIP // LINE
    number, buffer = _tile_of(size, side), b.scratch(BYTE, STRIP_ROWS * pitch)
    last = b.let(matrix.rows - STRIP_ROWS)

    def tile(row: Expr, column: Expr, inner_row: Expr) -> None:
        is_here = column + AHEAD < matrix.columns
        rows_ahead = step * AHEAD - step * matrix.columns + STRIP_ROWS * size
        ahead = b.let(is_here.choose(step * AHEAD, rows_ahead))
        source = b.let(matrix.source.bytes_on((row + inner_row) * size + column * step))
        sources = _vectors(number, source, step, side)
        for memory in sources:
            b.call("llvm.prefetch", memory.pointer.bytes_on(ahead))
        target = b.let(buffer.address(column * size + inner_row * pitch))
        _turn(b, sources, _vectors(number, target, index_of(pitch), side))

    def store(row: Expr, row_of_strip: Expr) -> None:
        """Writes the storing of a row's lines, and the fetching of as many lines of the source."""
        target = b.let(matrix.target.bytes_on((row + row_of_strip) * matrix.target_step))
        before = b.let((ZERO - target.convert(INDEX)).call("and", LINE - 1))
        buffer_line = b.let(buffer.address(row_of_strip * pitch + before))
        line = b.let(target.bytes_on(before))
        below = b.let(matrix.source.bytes_on(row * size + STRIP_ROWS * size))
        for line_number in range(in_row):
            at = b.let(row_of_strip * in_row + line_number)
            b.call("llvm.prefetch", below.bytes_on(at % in_column * LINE + at / in_column * step))
            offset = line_number * LINE
            source = ArrayMemory(_LINE_OF_CACHE, (), buffer_line.bytes_on(offset))
            to = ArrayMemory(_LINE_OF_CACHE, (), line.bytes_on(offset))
            b.body.append(Store([(to, ZERO, source.at(ZERO))], bypasses_cache=True))

    def strip(number_of_strip: Expr) -> None:
        row = b.let((number_of_strip * STRIP_ROWS).minimum(last))

        def columns(number_of_tile: Expr) -> None:
            column = b.let(number_of_tile * side)
            b.loop(index_of(STRIP_ROWS // side), lambda inner: tile(row, column, inner * side))

        b.loop(matrix.columns / side, columns)
        b.loop(index_of(STRIP_ROWS), lambda row_of_strip: store(row, row_of_strip))

    b.loop((matrix.rows + (STRIP_ROWS - 1)) / STRIP_ROWS, strip)
    b.call("fence")
