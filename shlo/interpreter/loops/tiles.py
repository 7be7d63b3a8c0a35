"""The machine code of `runtime.copies`: a matrix whose columns are contiguous, copied row by row.

It goes from tile to tile, squares of a few elements: the columns of one are loaded as vectors, which exchange
elements until they are its rows, in as many rounds as a row's number has bits. A tile's row fills a line of
the cache, or a good part of it.

A large result goes past the cache, strip by strip: stored as usual, each line of it would be read before.
Several lines of each row are collected in a buffer on the stack, and stored from the first whole one on.
While they are stored, lines of the source that come next are fetched.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from shlo.interpreter.loops.lines import Lines
from shlo.interpreter.loops.machine import Machine, MachineFunction
from shlo.interpreter.runtime.copies import LINE, STRIP, STRIP_ROWS, Element

STRIP_SIDE: Final = 8
"""Elements of a side of the tiles of a strip: no more columns are loaded at a time than lines whose addresses
compete for the same few of the cache."""

AHEAD: Final = 16
"""Columns that are fetched before they are loaded."""


@cache
def _machine(element: Element) -> Machine:
    return Machine(_text(element.bytes, element.side), "copy", integers=1)


def native_tiles(element: Element) -> MachineFunction | None:
    """Returns machine code of a frame, and of whether that tells of a strip; None where none can be made.

    The frame holds numbers of 64 bits: the addresses of the source and of the target, by how many bytes a
    column of the source and a row of the target are further on than the one before, and how many rows and
    columns there are, multiples of a tile's side above 0. A strip has at least `STRIP_ROWS` rows, and the
    columns of `STRIP` bytes, or those of a line more: its rows are stored from the first of a line on.
    """
    try:
        return _machine(element).function
    except (MemoryError, OSError, RuntimeError):
        return None


def _text(size: int, side: int) -> str:
    return "\n".join(
        [
            _tiles_text(size, side),
            _strip_text(size),
            "declare void @llvm.prefetch.p0(ptr, i32, i32, i32)",
            "declare i64 @llvm.smin.i64(i64, i64)",
            "define i64 @copy(ptr %frame, i64 %is_strip) {",
            "  %strips = icmp ne i64 %is_strip, 0",
            "  br i1 %strips, label %strip, label %tiles",
            "strip:",
            "  call void @strip(ptr %frame)",
            "  ret i64 0",
            "tiles:",
            "  call void @tiles(ptr %frame)",
            "  ret i64 0",
            "}",
            "!0 = !{i32 1}",
        ]
    )


def _members() -> list[str]:
    """Returns the lines that load what the frame holds."""
    lines: list[str] = []
    names = ("%source", "%target", "%source_step", "%target_step", "%rows", "%columns")
    for number, name in enumerate(names):
        lines.append(f"  {name}_at = getelementptr i64, ptr %frame, i64 {number}")
        lines.append(f"  {name} = load {'ptr' if number < 2 else 'i64'}, ptr {name}_at")
    return lines


def _places(lines: Lines, first: str, step: str, count: int) -> list[str]:
    """Returns the addresses of vectors, each a step behind the one before."""
    found = [first]
    while len(found) < count:
        found.append(lines.value(f"getelementptr i8, ptr {found[-1]}, i64 {step}"))
    return found


def _behind(lines: Lines, base: str, offset: str | int) -> str:
    return lines.value(f"getelementptr i8, ptr {base}, i64 {offset}")


def _fetch(lines: Lines, place: str) -> None:
    lines.line(f"call void @llvm.prefetch.p0(ptr {place}, i32 0, i32 3, i32 1)")


def _transposed(lines: Lines, size: int, places: list[str]) -> tuple[list[str], str]:
    """Returns the rows of a tile whose columns are at these addresses, and their type."""
    side = len(places)
    type_ = f"<{side} x i{8 * size}>"
    vectors = [lines.value(f"load {type_}, ptr {each}, align {size}") for each in places]
    bit = side // 2
    while bit:
        vectors = _exchanged(lines, vectors, type_, bit)
        bit //= 2
    return vectors, type_


def _tiles_text(size: int, side: int) -> str:
    tile = Lines()
    source = _behind(tile, "%source_row", tile.value("mul i64 %source_step, %column"))
    vectors, type_ = _transposed(tile, size, _places(tile, source, "%source_step", side))
    target = _behind(tile, "%target_row", tile.value(f"mul i64 %column, {size}"))
    for each, place in zip(vectors, _places(tile, target, "%target_step", side), strict=True):
        tile.line(f"store {type_} {each}, ptr {place}, align {size}")
    return "\n".join(
        [
            "define internal void @tiles(ptr %frame) {",
            "begin:",
            *_members(),
            "  br label %row_of_tiles",
            "row_of_tiles:",
            "  %row = phi i64 [0, %begin], [%next_row, %row_ends]",
            f"  %source_offset = mul i64 %row, {size}",
            "  %source_row = getelementptr i8, ptr %source, i64 %source_offset",
            "  %target_offset = mul i64 %row, %target_step",
            "  %target_row = getelementptr i8, ptr %target, i64 %target_offset",
            "  br label %tile",
            "tile:",
            "  %column = phi i64 [0, %row_of_tiles], [%next_column, %tile]",
            *tile.lines,
            f"  %next_column = add i64 %column, {side}",
            "  %more_columns = icmp slt i64 %next_column, %columns",
            "  br i1 %more_columns, label %tile, label %row_ends",
            "row_ends:",
            f"  %next_row = add i64 %row, {side}",
            "  %more_rows = icmp slt i64 %next_row, %rows",
            "  br i1 %more_rows, label %row_of_tiles, label %end",
            "end:",
            "  ret void",
            "}",
        ]
    )


def _strip_text(size: int) -> str:
    side, pitch = STRIP_SIDE, STRIP + LINE
    in_column, in_row = STRIP_ROWS * size // LINE, STRIP // LINE
    lines = Lines()
    places = _places(lines, "%tile_source", "%source_step", side)
    for each in places:
        _fetch(lines, _behind(lines, each, "%ahead"))
    vectors, type_ = _transposed(lines, size, places)
    for vector, place in zip(vectors, _places(lines, "%tile_target", str(pitch), side), strict=True):
        lines.line(f"store {type_} {vector}, ptr {place}, align {size}")
    tile, lines.lines = lines.lines, []
    address = lines.value("ptrtoint ptr %target_row to i64")
    before = lines.value(f"and i64 {lines.value(f'sub i64 0, {address}')}, {LINE - 1}")
    buffer_line, target_line = _behind(lines, "%buffer_row", before), _behind(lines, "%target_row", before)
    type_ = f"<{LINE // 4} x i32>"
    for number in range(in_row):
        line = lines.value(f"add i64 %first_line, {number}")
        column = lines.value(f"udiv i64 {line}, {in_column}")
        offset = lines.value(f"mul i64 {lines.value(f'urem i64 {line}, {in_column}')}, {LINE}")
        offset = lines.value(f"add i64 {offset}, {lines.value(f'mul i64 {column}, %source_step')}")
        _fetch(lines, _behind(lines, "%source_below", offset))
        value = lines.value(f"load {type_}, ptr {_behind(lines, buffer_line, number * LINE)}, align {size}")
        place = _behind(lines, target_line, number * LINE)
        lines.line(f"store {type_} {value}, ptr {place}, align {LINE}, !nontemporal !0")
    return "\n".join(
        [
            "define internal void @strip(ptr %frame) {",
            "begin:",
            f"  %buffer = alloca [{STRIP_ROWS * pitch} x i8], align {LINE}",
            *_members(),
            f"  %columns_ahead = mul i64 %source_step, {AHEAD}",
            "  %all_columns = mul i64 %source_step, %columns",
            "  %columns_back = sub i64 %columns_ahead, %all_columns",
            f"  %rows_ahead = add i64 %columns_back, {STRIP_ROWS * size}",
            "  br label %row_of_tiles",
            "row_of_tiles:",
            "  %row = phi i64 [0, %begin], [%next_row, %row_ends]",
            f"  %source_offset = mul i64 %row, {size}",
            "  %source_row = getelementptr i8, ptr %source, i64 %source_offset",
            f"  %source_below = getelementptr i8, ptr %source_row, i64 {STRIP_ROWS * size}",
            "  br label %columns_of_tiles",
            "columns_of_tiles:",
            "  %column = phi i64 [0, %row_of_tiles], [%next_column, %columns_end]",
            f"  %column_ahead = add i64 %column, {AHEAD}",
            "  %is_here = icmp slt i64 %column_ahead, %columns",
            "  %ahead = select i1 %is_here, i64 %columns_ahead, i64 %rows_ahead",
            "  %column_offset = mul i64 %column, %source_step",
            "  %source_column = getelementptr i8, ptr %source_row, i64 %column_offset",
            f"  %buffer_offset = mul i64 %column, {size}",
            "  %buffer_column = getelementptr i8, ptr %buffer, i64 %buffer_offset",
            "  br label %tile",
            "tile:",
            "  %inner_row = phi i64 [0, %columns_of_tiles], [%next_inner_row, %tile]",
            f"  %inner_source = mul i64 %inner_row, {size}",
            "  %tile_source = getelementptr i8, ptr %source_column, i64 %inner_source",
            f"  %inner_target = mul i64 %inner_row, {pitch}",
            "  %tile_target = getelementptr i8, ptr %buffer_column, i64 %inner_target",
            *tile,
            f"  %next_inner_row = add i64 %inner_row, {side}",
            f"  %more_inner_rows = icmp slt i64 %next_inner_row, {STRIP_ROWS}",
            "  br i1 %more_inner_rows, label %tile, label %columns_end",
            "columns_end:",
            f"  %next_column = add i64 %column, {side}",
            "  %more_columns = icmp slt i64 %next_column, %columns",
            "  br i1 %more_columns, label %columns_of_tiles, label %store",
            "store:",
            "  %number = phi i64 [0, %columns_end], [%next_number, %store]",
            f"  %first_line = mul i64 %number, {in_row}",
            f"  %row_offset = mul i64 %number, {pitch}",
            "  %buffer_row = getelementptr i8, ptr %buffer, i64 %row_offset",
            "  %target_number = add i64 %row, %number",
            "  %target_offset = mul i64 %target_number, %target_step",
            "  %target_row = getelementptr i8, ptr %target, i64 %target_offset",
            *lines.lines,
            "  %next_number = add i64 %number, 1",
            f"  %more_numbers = icmp slt i64 %next_number, {STRIP_ROWS}",
            "  br i1 %more_numbers, label %store, label %row_ends",
            "row_ends:",
            f"  %last = sub i64 %rows, {STRIP_ROWS}",
            f"  %below = add i64 %row, {STRIP_ROWS}",
            "  %next_row = call i64 @llvm.smin.i64(i64 %below, i64 %last)",
            "  %more_rows = icmp slt i64 %row, %last",
            "  br i1 %more_rows, label %row_of_tiles, label %end",
            "end:",
            "  fence seq_cst",
            "  ret void",
            "}",
        ]
    )


def _exchanged(lines: Lines, vectors: list[str], type_: str, bit: int) -> list[str]:
    """Returns the vectors of a tile after each pair of them whose numbers differ in one bit has exchanged the
    elements of which that bit of the number is not its own."""
    side = len(vectors)
    found = list(vectors)
    for low in range(side):
        high = low | bit
        if low == high:
            continue
        for number, kept in ((low, 0), (high, bit)):
            elements = [(each & ~bit | kept) + (side if each & bit else 0) for each in range(side)]
            mask = ", ".join(f"i32 {each}" for each in elements)
            found[number] = lines.value(
                f"shufflevector {type_} {vectors[low]}, {type_} {vectors[high]}, <{side} x i32> <{mask}>"
            )
    return found
