"""Non-finite detector: whether a step made a NaN or infinity out of operands that had none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntFlag

from shlo.debugger.replay.program_points import ProgramPoint
from shlo.debugger.tensors.statistics import has_infinity, has_nan
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import Kind


class Nonfinite(IntFlag):
    """What a step made: its results have some and its operands have none.

    The arguments of the entry function count as having none, so that the first operation which takes one
    over is found. Constants are meant as they are written.
    """

    NAN = 1
    INFINITY = 2


NOTHING = Nonfinite(0)


def operands_of(process: Process) -> list[Value]:
    """Returns the operands of the next step, if a kernel carries it out, without the entry's arguments."""
    frame = process.frames[-1]
    instruction = frame.instruction
    if instruction.kind is not Kind.KERNEL:
        return []
    is_entry = frame.registers is process.frames[0].registers
    arguments = process.frames[0].code.arguments if is_entry else ()
    return [frame.registers[register] for register in instruction.operands if register not in arguments]


def detect(point: ProgramPoint, operands: Sequence[Value], results: Sequence[Value]) -> Nonfinite:
    """Returns what a step of a kernel made."""
    found = NOTHING
    if point.is_constant:
        return found
    if _appears(has_nan, operands, results):
        found |= Nonfinite.NAN
    if _appears(has_infinity, operands, results):
        found |= Nonfinite.INFINITY
    return found


def _appears(test: Callable[[Value], bool], operands: Sequence[Value], results: Sequence[Value]) -> bool:
    return any(map(test, results)) and not any(map(test, operands))
