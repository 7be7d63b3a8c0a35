"""Operations of the earlier parse, found by their offsets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from typing import NamedTuple

from shlo.ir.attributes import IntegerAttr, StringAttr
from shlo.ir.operations import BROKEN, Block, Operation, ValueTable
from shlo.syntax.lexer.cursor import BLANK
from shlo.syntax.parser.parse_result import ParseResult
from shlo.syntax.printer.module import default_dialect_in

GENERIC = re.compile(r'(?:%[^=\n]*=\s*)?"')


class OldOp(NamedTuple):
    """An operation of the earlier parse: `number` of a block whose places count from `base`, in a region
    with the table `values`; the dialect that may be left out there, whether what holds it is broken
    (`lenient`, as a scope is), and the end of that. `around` are the operations around it in regions with the
    same table, outer ones first, by block and number."""

    block: Block
    base: int
    number: int
    values: ValueTable
    dialect: str
    lenient: bool
    end: int
    around: list[tuple[Block, int]]

    @property
    def place(self) -> int:
        """The offset where the operation starts."""
        return self.start(self.number)

    @property
    def block_end(self) -> int:
        """Where the block's last operation ends."""
        return self.base + self.block.ends[-1]

    def start(self, number: int) -> int:
        """Returns the old offset of an operation of the block; behind the last one, the holder's end."""
        return self.base + self.block.starts[number] if number < len(self.block.starts) else self.end

    def first_from(self, offset: int) -> int:
        """Returns the number of the block's first operation that starts at an old offset or later."""
        return bisect_left(self.block.starts, offset - self.base)

    def last_to(self, offset: int) -> int:
        """Returns the number of the block's last operation that starts at an old offset or before."""
        return bisect_right(self.block.starts, offset - self.base) - 1


class OldTree:
    """The text of the earlier parse and the operations in it."""

    def __init__(self, result: ParseResult) -> None:
        assert result.module.source is not None
        self.text = result.module.source.text
        self.result = result

    def first_word_end(self, start: int) -> int:
        """Returns where the look-ahead of an operation ends if the next one starts at an offset:
        that one's first word, or its first line where it does not start with a word."""
        text = self.text
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if text[start].isalpha():
            end = next((at for at in range(start, end) if text[at].isspace()), end)
            # Whether `=` follows it, too: it is an attribute's name then, not an operation's.
            end += len(text[end : end + 100]) - len(text[end : end + 100].lstrip(" \t"))
        return end

    def behind(self, old: OldOp) -> int:
        """Returns where the look-ahead of a block's last operation ends: behind the `}` or first word."""
        match = BLANK.match(self.text, old.block_end)
        start = match.end() if match else old.block_end
        return start + 1 if self.text[start : start + 1] in ("", "}") else self.first_word_end(start) + 1

    def at(self, offset: int | None) -> OldOp | None:
        """Returns the operation that starts at an offset of the old text."""
        if offset is None:
            return None
        block, base, values = self.result.block, 0, self.result.values
        dialect, lenient, end = "builtin", False, len(self.text)
        around: list[tuple[Block, int]] = []
        while True:
            candidate = OldOp(block, base, 0, values, dialect, lenient, end, around)
            number = candidate.last_to(offset)
            if number < 0:
                return None
            candidate = candidate._replace(number=number)
            if candidate.place == offset:
                return candidate
            operation, base, end = (
                block.operations[number],
                candidate.place,
                candidate.base + block.ends[number],
            )
            inner = _block_at(operation, offset - base)
            if inner is None:
                return None
            number_in_operation, block = inner
            region = operation.regions[number_in_operation]
            is_shared = region.values is values
            inner_dialect = _dialect_before_fault(operation, number_in_operation)
            lenient = (operation.name == BROKEN and inner_dialect is None) or (lenient and is_shared)
            dialect = self._dialect_in(operation, base, dialect) if inner_dialect is None else inner_dialect
            around = [*around, (candidate.block, number)] if is_shared else []
            values = region.values

    def _dialect_in(self, operation: Operation, start: int, dialect: str) -> str:
        if operation.name == BROKEN:
            return "func"
        if GENERIC.match(self.text, start):
            return dialect
        return default_dialect_in(operation, is_generic=False)


def _dialect_before_fault(operation: Operation, number: int) -> str | None:
    """Returns the dialect left out in a region that a broken operation read before its fault, else None."""
    count, dialect = operation.attribute("read"), operation.attribute("dialect")
    if operation.name != BROKEN or not isinstance(count, IntegerAttr) or not isinstance(dialect, StringAttr):
        return None
    return dialect.value if number < count.value else None


def _block_at(operation: Operation, offset: int) -> tuple[int, Block] | None:
    """Returns the region number and block between whose operations an offset (within the operation) lies."""
    for number, region in enumerate(operation.regions):
        for block in region.blocks:
            if block.starts and block.starts[0] <= offset < block.ends[-1]:
                return number, block
    return None
