"""Dead code: operations whose results nothing uses."""

from __future__ import annotations

from collections import Counter

from shlo.debugger.inspect.listing import IndexedOp, Listing
from shlo.debugger.replay.program_points import program_point
from shlo.interpreter.program.code import Instruction, Kind

Key = tuple[int, int]
"""A value: the table of values that it is in, by its id, and its number there."""


def unused_ops(listing: Listing) -> list[IndexedOp]:
    """Returns the operations without effects whose results no operation uses, or such operations alone. Calls
    are none of them.
    """
    uses: Counter[Key] = Counter()
    for code in listing.code:
        for instruction in code.instructions:
            uses.update((id(code.values), value) for value in _read_by(instruction))
    ops = listing.index.ops
    makers = {(id(op.code.values), register): op for op in ops for register in _instruction(op).results}
    unused: set[int] = set()
    waiting = [op for op in ops if _is_unused(op, uses)]
    while waiting:
        op = waiting.pop()
        if id(op) in unused:
            continue
        unused.add(id(op))
        for value in _read_by(_instruction(op)):
            key = id(op.code.values), value
            uses[key] -= 1
            maker = makers.get(key)
            if maker is not None and _is_unused(maker, uses):
                waiting.append(maker)
    return [op for op in ops if id(op) in unused]


def _is_unused(op: IndexedOp, uses: Counter[Key]) -> bool:
    instruction, table = _instruction(op), id(op.code.values)
    if not instruction.results or any(uses[table, register] > 0 for register in instruction.results):
        return False
    return instruction.kind is not Kind.CALL and not program_point(op.code, op.index).has_effect


def _read_by(instruction: Instruction) -> list[int]:
    """Returns the values that an operation reads, its regions and the blocks that it hands values to too."""
    passed = [value for _, values in instruction.operation.successors for value in values]
    return [*instruction.operands, *passed]


def _instruction(op: IndexedOp) -> Instruction:
    return op.code.instructions[op.index]
