"""Where NaN and infinities come from: whether a step made one out of numbers that had none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntFlag

from shlo.debugger.inspect.statistics import has_infinity, has_nan
from shlo.debugger.replay.program_points import Site
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import Kind


class Finding(IntFlag):
    """What is known of a step: nothing yet (0), that it was looked at, that it made a NaN or infinity.

    A step made one where its results have some and its operands have none. The arguments of the entry
    function count as having none, so that the first operation which takes one over is found. Constants are
    meant as they stand.
    """

    SEEN = 1
    NAN = 2
    INFINITY = 4


def operands_of(process: Process) -> list[Value]:
    """What the next step takes, if a kernel carries it out; the entry function's arguments left out."""
    frame = process.frames[-1]
    instruction = frame.instruction
    if instruction.kind is not Kind.KERNEL:
        return []
    is_entry = frame.registers is process.frames[0].registers
    arguments = process.frames[0].code.arguments if is_entry else ()
    return [frame.registers[register] for register in instruction.operands if register not in arguments]


def judge(site: Site, operands: Sequence[Value], results: Sequence[Value]) -> int:
    """The finding of a step of a kernel."""
    finding = Finding.SEEN
    if site.is_constant:
        return finding
    if _appears(has_nan, operands, results):
        finding |= Finding.NAN
    if _appears(has_infinity, operands, results):
        finding |= Finding.INFINITY
    return finding


def _appears(test: Callable[[Value], bool], operands: Sequence[Value], results: Sequence[Value]) -> bool:
    return any(map(test, results)) and not any(map(test, operands))
