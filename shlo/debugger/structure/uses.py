"""Definition and uses of a value: which operation binds it, which ones read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from msgspec import Struct

from shlo.debugger.replay.program_points import argument_label, origin_at, position_of, value_name
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.operations import Region

MOST_VALUES: Final = 20
"""How many values of one name are looked for."""


class ValueReference(Struct, frozen=True):
    """An operation that binds or reads a value. `what` says how: `operand 0`, `result 1`, `argument 2`,
    `used inside`; `op` is empty for an argument of a function. `line` is None where not known.
    """

    function: str
    op: str
    what: str
    line: int | None
    scope: str


def named_values(codes: Iterable[CodeBlock], name: str) -> list[tuple[CodeBlock, int]]:
    """Returns the values of a name in all functions, by the blocks that bind them."""
    matches = (
        (code, register)
        for code in codes
        for register in code.defined_at
        if value_name(code, register) == name
    )
    return [pair for pair, _ in zip(matches, range(MOST_VALUES))]


def definition_of(code: CodeBlock, register: int) -> ValueReference:
    """Returns what binds a value of a block."""
    index = code.defined_at[register]
    if index >= 0:
        results = code.instructions[index].results
        return _reference(code, index, f"result {results.index(register)}")
    label = argument_label(code, register)
    what = f"argument {code.arguments.index(register)}" + (f" ({label})" if label else "")
    if code.outside is not None:
        return _reference(*code.outside, f"{what} of a region")
    source, function = code.function.program.source, code.function
    line = source.line_of(function.span.start) if source is not None else None
    return ValueReference(function.name, "", what, line, "")


def uses_of(code: CodeBlock, register: int, codes: Iterable[CodeBlock]) -> Iterator[ValueReference]:
    """Yields the operations, of these blocks, that read a value of a block, in order."""
    for block in codes:
        if block.values is not code.values:
            continue
        for index, instruction in enumerate(block.instructions):
            operation = instruction.operation
            for operand, read in enumerate(operation.operands):
                if read == register:
                    yield _reference(block, index, f"operand {operand}")
            passed = (value for _, values in operation.successors for value in values)
            is_kernel_region = register in instruction.operands[len(operation.operands) :]
            if register in passed or (is_kernel_region and _reads(operation.regions, register)):
                yield _reference(block, index, "used inside")


def _reads(regions: tuple[Region, ...], register: int) -> bool:
    return any(
        register in operation.operands or _reads(operation.regions, register)
        for region in regions
        for block in region.blocks
        for operation in block.operations
    )


def _reference(code: CodeBlock, index: int, what: str) -> ValueReference:
    position = position_of(code, index)
    operation = code.instructions[index].operation
    return ValueReference(
        code.function.name,
        operation.name,
        what,
        position.line if position else None,
        origin_at(code, index).scope,
    )
