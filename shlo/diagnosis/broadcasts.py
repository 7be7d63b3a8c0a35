"""Lint: (n,) with (n, 1) broadcast to (n, n), without a word in the source, and then reduced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shlo.diagnosis.program import ProgramOp, program_ops, shape_of
from shlo.interpreter.program.code import CodeBlock
from shlo.ir.attributes import DenseArrayAttr
from shlo.places.card import Card
from shlo.places.origins import origin_of
from shlo.places.remedies import AXES
from shlo.runner.python_source import PythonSources

_BROADCAST: Final = "stablehlo.broadcast_in_dim"
_MAKES_RANK: Final = (_BROADCAST, "stablehlo.reshape")
_COMBINING: Final = frozenset(f"stablehlo.{name}" for name in ("add", "subtract", "multiply", "divide"))
MOST_USERS: Final = 64
"""How many operations are followed from the broadcast to the reduction."""


def accidental_broadcasts(code: CodeBlock, sources: PythonSources) -> Iterator[Card]:
    """Yields a card for each operation of a program that combines a vector with a column of as many
    elements, where the source asks for neither shape and the whole square is reduced.
    """
    for op in program_ops(code):
        if op.operation.name in _COMBINING and _is_square(op) and _is_accidental(op):
            reduction = _reduction_of(op)
            if reduction is not None:
                size, *_ = shape_of(op.code, op.operation.results[0]) or (None,)
                deed = f"broadcast ({size},) with ({size}, 1) to ({size}, {size})"
                line = reduction.place.where
                note = f"then all of it is reduced{f', at {line}' if line else ''}"
                yield sources.card_at("broadcast", op.place, deed, AXES, note)


def _is_square(op: ProgramOp) -> bool:
    shape = shape_of(op.code, op.operation.results[0])
    return shape is not None and len(shape) == 2 and shape[0] == shape[1] and shape[0] not in (None, 0, 1)


def _is_accidental(op: ProgramOp) -> bool:
    """Returns whether one operand is a vector that JAX made a row of for this operation, and the other a
    column that was none before.
    """
    own = op.origin.line
    row = column = False
    for operand in op.operation.operands:
        source = _behind_broadcast(op.code, operand)
        if source is None:
            return False
        shape = shape_of(op.code, source) or ()
        if len(shape) == 1:
            row = True
        elif len(shape) == 2 and shape[0] == 1:
            maker = _maker(op.code, source)
            line = None if maker is None else origin_of(maker.operation.location).line
            is_promoted = maker is not None and maker.operation.name in _MAKES_RANK
            row = is_promoted and line == own and len(_operand_shape(maker)) == 1
        elif len(shape) == 2 and shape[1] == 1:
            maker = _maker(op.code, source)
            is_reshaped = maker is not None and maker.operation.name in _MAKES_RANK
            column = not (is_reshaped and len(_operand_shape(maker)) == 1)
    return row and column


def _behind_broadcast(code: CodeBlock, register: int) -> int | None:
    """Returns the value that is broadcast to a square; None where none is."""
    op = _maker(code, register)
    return op.operation.operands[0] if op is not None and op.operation.name == _BROADCAST else None


def _maker(code: CodeBlock, register: int) -> ProgramOp | None:
    index = code.defined_at.get(register, -1)
    return ProgramOp(code, index) if index >= 0 else None


def _operand_shape(op: ProgramOp | None) -> tuple[int | None, ...]:
    return () if op is None else shape_of(op.code, op.operation.operands[0]) or ()


def _reduction_of(op: ProgramOp) -> ProgramOp | None:
    """Returns the operation that reduces both dimensions of a square, which elementwise operations and calls
    may come before; None where there is none in its block.
    """
    shape, values = shape_of(op.code, op.operation.results[0]), set(op.operation.results)
    for index in range(op.index + 1, min(len(op.code.instructions), op.index + MOST_USERS)):
        operation = op.code.instructions[index].operation
        if values.isdisjoint(operation.operands):
            continue
        dimensions = operation.attribute("dimensions") if operation.name == "stablehlo.reduce" else None
        if isinstance(dimensions, DenseArrayAttr) and len(dimensions.values) == 2:
            return ProgramOp(op.code, index, op.around)
        values |= {result for result in operation.results if shape_of(op.code, result) == shape}
    return None
