"""Control flow: which value a region, a call, a round or their end was given."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.program.code import CodeBlock, Kind
from shlo.interpreter.program.control_flow import COUNTED, next_block

Path = tuple[int, ...]
"""Which part of a tuple, and so on inwards."""


def handed_on(
    frames: Sequence[Frame], code: CodeBlock, register: int, depth: int, path: Path = ()
) -> tuple[int, Path] | None:
    """Returns the register of the innermost frame that the next step, which is no kernel's, binds as a value,
    and the part of it: what is handed to a region, a call or the next round, or back from there. None for the
    number of a counting loop.

    Args:
        frames: The frames before the step.
        code: The block that binds the value.
        register: The value.
        depth: The depth (from 1) of the value's frame after the step.
        path: Which part of the value, if that is a tuple.
    """
    frame = frames[-1]
    operands, kind = frame.instruction.operands, frame.instruction.kind
    is_argument = code.defined_at[register] < 0
    opened = frames[depth - 2 if is_argument else depth - 1].instruction
    number = (code.arguments if is_argument else opened.results).index(register)
    if kind is Kind.JUMP:
        return _jumped(frame, number), path
    if opened.kind is Kind.COUNT:
        first = COUNTED if kind is Kind.COUNT else 0  # of the values that the loop carries
        if is_argument and not number:
            return (operands[0], path) if kind is Kind.COUNT else None
        return operands[first + number - is_argument], path
    if kind is Kind.RETURN and opened.kind is Kind.WHILE and frame.region == 0:
        is_structured = opened.operation.name == "scf.while"
        return (operands[1 + number] if is_structured else frame.code.arguments[number]), path
    if kind is Kind.RETURN and opened.kind is Kind.KERNEL and len(opened.results) < len(operands) and path:
        return operands[path[0]], path[1:]  # the region of an async_start, whose result is a future
    return operands[number], path


def _jumped(frame: Frame, number: int) -> int:
    """Returns the register of the value that a jump passes as an argument of the block it goes on with."""
    _, values = next_block(frame.code, frame.index, frame.registers)
    return next(
        operand for operand in frame.instruction.operands if frame.registers[operand] is values[number]
    )


def unchanged_operand(frames: Sequence[Frame], code: CodeBlock, register: int, depth: int) -> int | None:
    """Returns the register of the operand of a loop whose rounds hand a value on as it is, where the value is
    what the loop carries (or the loop's result); it is one of the frame around the loop. None for any other.
    """
    is_argument = code.defined_at[register] < 0
    outer = depth - 1 if is_argument else depth
    if not 0 < outer <= len(frames):
        return None
    frame = frames[outer - 1]
    loop = frame.instruction
    if loop.kind not in (Kind.WHILE, Kind.COUNT) or loop.operation.name == "scf.while":
        return None
    counted = loop.kind is Kind.COUNT  # its body also has the number as an argument, before the others
    number = (code.arguments if is_argument else loop.results).index(register) - (counted and is_argument)
    body = frame.code.regions(frame.index)[-1]
    if number < 0 or len(body.siblings) > 1:
        return None
    if body.instructions[-1].operands[number] != body.arguments[number + counted]:
        return None
    return loop.operands[number + (COUNTED if counted else 0)]
