"""Functions as a hover shows them: an argument to a line, with the names that JAX gave it."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.ir.operations import Operation
from shlo.ir.traced_names import argument_label, result_labels
from shlo.ir.types import FunctionType
from shlo.syntax.lexer.strings import symbol_text

MAX_LINE = 90
"""Up to how many characters a function is shown on one line."""
MAX_LISTED = 16
"""How many arguments, and how many results, are shown."""


def function_lines(name: str, operation: Operation, type_: FunctionType) -> str:
    """Returns a function's name, arguments and results as MLIR's text."""
    head = f"func {symbol_text(name)}"
    few = len(type_.inputs) + len(type_.results) <= MAX_LISTED
    if few and not any(_labels(operation, type_)):
        line = head + str(type_) if str(type_).startswith("(") else f"{head} {type_}"
        if len(line) <= MAX_LINE:
            return line
    return "\n".join(_lines(head, operation, type_))


def _lines(head: str, operation: Operation, type_: FunctionType) -> Iterator[str]:
    labels = _labels(operation, type_)
    region = operation.regions[0] if operation.regions else None
    block = region.blocks[0] if region and region.blocks else None
    yield f"{head}("
    for index, each in enumerate(type_.inputs[:MAX_LISTED]):
        named = region and block and index < len(block.arguments)
        name = f"%{region.values.names[block.arguments[index]]}: " if named and region and block else ""
        yield f"  {name}{each},{_comment(labels[index])}"
    if len(type_.inputs) > MAX_LISTED:
        yield f"  // and {len(type_.inputs) - MAX_LISTED} more"
    names = result_labels(operation, min(len(type_.results), MAX_LISTED))
    if len(type_.results) == 1:
        yield f") -> {type_.results[0]}{_comment(names[0])}"
        return
    yield ") -> ("
    yield from (f"  {each},{_comment(name)}" for name, each in zip(names, type_.results))
    if len(type_.results) > MAX_LISTED:
        yield f"  // and {len(type_.results) - MAX_LISTED} more"
    yield ")"


def _labels(operation: Operation, type_: FunctionType) -> list[str]:
    block = operation.regions[0].blocks[0] if operation.regions and operation.regions[0].blocks else None
    return [argument_label(block, index) if block else "" for index in range(len(type_.inputs[:MAX_LISTED]))]


def _comment(name: str) -> str:
    return f"  // {' '.join(name.split())}" if name else ""
