"""Results that no operation uses, as hints: editors fade them."""

from __future__ import annotations

from collections.abc import Iterator

from shlo.dialects import find_op_def
from shlo.ir.diagnostics import Diagnostic
from shlo.ir.op_path import OpPath, children_of
from shlo.ir.operations import BROKEN, Block, Operation, ValueTable
from shlo.ir.recursion import recursive
from shlo.ir.source import Span
from shlo.language.document import Part
from shlo.language.index.op_names import RESULTS
from shlo.support.cancellation import checkpoint
from shlo.syntax.lexer.tokens import words

CODE = "unused"
PIECE = 4_096
"""Operations whose operands are collected in one go, in which no other thread runs."""
MAX_UNUSED = 1_000
"""How many are told."""


@recursive
def unused_values(part: Part) -> list[Diagnostic]:
    """Returns a hint for each operation of a program whose results nothing uses, in the order of the text;
    its span is the operation, or the names of its results if the operation has an effect. Arguments belong to
    a signature, and are left out."""
    found: list[Diagnostic] = []
    for place in children_of(part.index.root):
        if len(found) >= MAX_UNUSED:
            break
        checkpoint()
        found += _in_function(part, place)
    return found[:MAX_UNUSED]


def _in_function(part: Part, function: OpPath) -> list[Diagnostic]:
    """Returns the hints of a function, or of another operation of the outermost level."""
    used: dict[int, set[int]] = {}
    blocks: list[tuple[Block, int, ValueTable]] = []
    words_of_broken: set[str] = set()
    stack = [(region, function.start) for region in function.operation.regions]
    while stack:
        region, base = stack.pop()
        uses = used.setdefault(id(region.values), set())
        for block in region.blocks:
            operations = block.operations
            blocks.append((block, base, region.values))
            for at in range(0, len(operations), PIECE):
                checkpoint()
                uses.update(*[each.operands for each in operations[at : at + PIECE]])
            for index, operation in enumerate(operations):
                if operation.regions:
                    stack += [(inner, block.span(index, base).start) for inner in operation.regions]
                if operation.successors:
                    uses.update(*[passed for _, passed in operation.successors])
                if operation.signature.name == BROKEN:
                    words_of_broken |= _used_in_text(part.text, *block.span(index, base))
    found: list[Diagnostic] = []
    for block, base, table in blocks:
        uses = used[id(table)]
        for index, operation in enumerate(block.operations[: len(block.starts)]):
            if operation.results and uses.isdisjoint(operation.results) and operation.name != BROKEN:
                names = {table.names[value].partition("#")[0] for value in operation.results}
                if names.isdisjoint(words_of_broken):
                    found += _hint(part, operation, *block.span(index, base))
    return sorted(found, key=lambda hint: hint.span)


def _hint(part: Part, operation: Operation, start: int, end: int) -> Iterator[Diagnostic]:
    match = RESULTS.match(part.text, start, end)
    if match is not None:
        names = match[0].rstrip("= \t\n")
        span = Span(start, end if _has_no_effect(operation) else start + len(names))
        yield Diagnostic(f"nothing uses {names}", part.place(span), CODE, "hint")


def _has_no_effect(operation: Operation) -> bool:
    op_def = find_op_def(operation.name)
    if op_def is None or operation.regions or operation.name.endswith("call"):
        return False
    return not any(map(op_def.has, ("effect", "barrier")))


def _used_in_text(text: str, start: int, end: int) -> set[str]:
    """Returns the names of values in the text of an operation that could not be read."""
    names = (token.text[1:] for token in words(text, start, end) if token.kind == "value")
    return {name.partition("#")[0] for name in names}
