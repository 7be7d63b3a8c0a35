"""What a parse result says, comparable with another one of the same text."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.ir.locations import resolve
from shlo.ir.operations import Operation, Region, ValueTable, walk
from shlo.syntax.parser.parse_result import ParseResult


def seen(reading: ParseResult) -> object:
    """Returns all of a reading but the numbers of values."""
    return reading.diagnostics, list(_operations(reading)), list(_values(reading.module.body, {}))


def _operations(reading: ParseResult) -> Iterator[object]:
    for operation, span in walk(reading.module.body, reading.module.start):
        yield span, operation.name, [str(type_) for type_ in operation.result_types], _said(operation)


def _said(operation: Operation) -> object:
    signature = operation.signature
    return dict(signature.properties), dict(signature.attributes), str(resolve(operation.location))


def _values(region: Region, numbers: dict[tuple[int, int], int]) -> Iterator[object]:
    """Yields which values are defined and used where, by name, type and the order in which they are first
    met.
    """

    def value(table: ValueTable, number: int) -> object:
        order = numbers.setdefault((id(table), number), len(numbers))
        return order, table.names[number], str(table.types[number])

    for block in region.blocks:
        yield [value(region.values, each) for each in block.arguments]
        for operation in block.operations:
            yield [value(region.values, each) for each in (*operation.operands, *operation.results)]
            yield operation.successors
            for inner in operation.regions:
                if any(each.starts for each in inner.blocks):
                    yield from _values(inner, numbers)
