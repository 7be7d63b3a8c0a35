"""Numbers of rounds of loops that count up or down to a constant, as those that `scan` makes do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from shlo.dialects.constants import constant_elements
from shlo.ir.attributes import EnumAttr
from shlo.ir.operations import Block, Operation
from shlo.ir.types import IndexType, IntegerType

Definitions = Mapping[int, Operation]
"""By value, the operation whose only result it is."""

_FLIPPED: Final = {"LT": "GT", "LE": "GE", "GT": "LT", "GE": "LE", "NE": "NE"}
_PASSED_ON: Final = ("stablehlo.convert", "stablehlo.reshape", "stablehlo.optimization_barrier")


def trip_count(loop: Operation, known: Definitions) -> int | None:
    """Returns how often a `stablehlo.while` runs its body, None where that is not known.

    Known is a loop whose condition compares an argument with a constant, while the body adds a constant to
    it, or subtracts one, and the argument is a constant at first. `known` are the operations around the loop.
    """
    if len(loop.regions) != 2 or any(len(region.blocks) != 1 for region in loop.regions):
        return None
    condition = loop.regions[0].blocks[0]
    inside = {**known, **definitions(condition)}
    last = condition.operations[-1] if condition.operations else None
    test = inside.get(last.operands[0]) if last is not None and len(last.operands) == 1 else None
    attribute = test.attribute("comparison_direction") if test is not None else None
    if test is None or not isinstance(attribute, EnumAttr) or len(test.operands) != 2:
        return None
    left, right = (_behind(operand, inside) for operand in test.operands)
    flipped = _FLIPPED.get(attribute.value, "")
    for counter, limit, direction in ((left, right, attribute.value), (right, left, flipped)):
        if counter in condition.arguments and direction in _FLIPPED:
            number = condition.arguments.index(counter)
            start, step = _handed_in(loop, number, known), _step(loop.regions[1].blocks[0], number, known)
            end = (
                _unchanged(loop, condition.arguments.index(limit), known)
                if limit in condition.arguments
                else _constant(limit, inside)
            )
            if start is not None and step is not None and end is not None:
                return _rounds(direction, start, end, step)
    return None


def _handed_in(loop: Operation, number: int, definitions: Definitions) -> int | None:
    return _constant(loop.operands[number], definitions) if number < len(loop.operands) else None


def _unchanged(loop: Operation, number: int, definitions: Definitions) -> int | None:
    """Returns the constant that a loop hands on from round to round unchanged, None for any other value."""
    body = loop.regions[1].blocks[0]
    returned = body.operations[-1].operands if body.operations else ()
    is_same = number < min(len(returned), len(body.arguments)) and returned[number] == body.arguments[number]
    return _handed_in(loop, number, definitions) if is_same else None


def _rounds(direction: str, start: int, limit: int, step: int) -> int | None:
    if direction in ("GT", "GE"):
        return _rounds(_FLIPPED[direction], -start, -limit, -step)
    if direction == "NE":
        rounds, rest = divmod(limit - start, step) if step else (0, 1)
        return rounds if rest == 0 and rounds >= 0 else None
    distance = limit - start + (direction == "LE")
    if distance <= 0:
        return 0
    return -(-distance // step) if step > 0 else None


def _step(body: Block, number: int, known: Definitions) -> int | None:
    """Returns what the body adds to an argument, None where it does anything else."""
    inside = {**known, **definitions(body)}
    returned = body.operations[-1].operands if body.operations else ()
    changed = inside.get(returned[number]) if number < len(returned) else None
    if changed is None or len(changed.operands) != 2 or number >= len(body.arguments):
        return None
    left, right = changed.operands
    argument = body.arguments[number]
    if changed.name == "stablehlo.add" and left == argument:
        return _constant(right, inside)
    if changed.name == "stablehlo.add" and right == argument:
        return _constant(left, inside)
    if changed.name == "stablehlo.subtract" and left == argument:
        step = _constant(right, inside)
        return None if step is None else -step
    return None


def definitions(block: Block) -> dict[int, Operation]:
    """Returns the operations of a block that have one result, by it."""
    return {op.results[0]: op for op in block.operations if len(op.results) == 1}


def _behind(value: int, definitions: Definitions) -> int:
    """Returns the value that one is a conversion of, itself where it is none."""
    for _ in range(len(_PASSED_ON) + 1):
        operation = definitions.get(value)
        if operation is None or operation.name not in _PASSED_ON or len(operation.operands) != 1:
            break
        value = operation.operands[0]
    return value


def _constant(value: int, definitions: Definitions) -> int | None:
    """Returns an integer that a constant of one element holds, None for any other value."""
    operation = definitions.get(_behind(value, definitions))
    elements = None if operation is None else constant_elements(operation)
    if elements is None or not isinstance(elements.type.element_type, IntegerType | IndexType):
        return None
    return int(elements.array.reshape(-1)[0]) if elements.array.size == 1 else None
