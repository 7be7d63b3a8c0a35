"""The machine code of `runtime.copies`: a matrix whose columns are contiguous, copied row by row.

It goes from tile to tile, squares of a few elements: the columns of one are loaded as vectors, which exchange
elements until they are its rows, in as many rounds as a row's number has bits. A tile's row fills a line of
the cache, or a good part of it.
"""

from __future__ import annotations

from functools import cache

from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.machine import Function, Machine
from shlo.interpreter.runtime.copies import Element


@cache
def _machine(element: Element) -> Machine:
    return Machine(_text(element.bytes, element.side), "tiles", integers=0)


def native_tiles(element: Element) -> Function | None:
    """Returns machine code of a frame; None where none can be made.

    The frame holds numbers of 64 bits: the addresses of the source and of the target, by how many bytes a
    column of the source and a row of the target are further on than the one before, and how many rows and
    columns there are, multiples of a tile's side above 0.
    """
    try:
        return _machine(element).function
    except (MemoryError, OSError, RuntimeError):
        return None


def _text(size: int, side: int) -> str:
    vector = f"<{side} x i{8 * size}>"
    names = ("%source", "%target", "%source_step", "%target_step", "%rows", "%columns")
    members: list[str] = []
    for number, name in enumerate(names):
        members.append(f"  {name}_at = getelementptr i64, ptr %frame, i64 {number}")
        members.append(f"  {name} = load {'ptr' if number < 2 else 'i64'}, ptr {name}_at")
    tile = Lines()

    def places(base: str, step: str, row: str, column: str) -> list[str]:
        """Returns the addresses of `side` vectors, each a step behind the one before."""
        first = tile.value(f"getelementptr i8, ptr {base}, i64 {tile.value(f'mul i64 {row}, {column}')}")
        found = [first]
        while len(found) < side:
            found.append(tile.value(f"getelementptr i8, ptr {found[-1]}, i64 {step}"))
        return found

    sources = places("%source_row", "%source_step", "%column", "%source_step")
    targets = places("%target_row", "%target_step", "%column", str(size))
    vectors = [tile.value(f"load {vector}, ptr {each}, align {size}") for each in sources]
    bit = side // 2
    while bit:
        vectors = _exchanged(tile, vectors, vector, bit)
        bit //= 2
    for each, place in zip(vectors, targets, strict=True):
        tile.line(f"store {vector} {each}, ptr {place}, align {size}")
    return "\n".join(
        [
            "define i64 @tiles(ptr %frame) {",
            "begin:",
            *members,
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
            "  ret i64 0",
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
