"""Non-finite detector: whether a step made a NaN or infinity out of operands that had none, or converted
numbers to a type whose range they exceed, and which arguments hold NaN or infinities from the start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import IntFlag
from typing import TYPE_CHECKING, cast

import numpy as np
from msgspec import Struct

from shlo.debugger.replay.program_points import ProgramPoint, argument_label, value_name
from shlo.dialects import find_op_def
from shlo.dialects.opdef import Poles
from shlo.interpreter.engine.frames import State
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import Kind
from shlo.ir.dtypes import Array
from shlo.runner.statistics import (
    has_infinity,
    has_nan,
    index_at,
    is_finite,
    is_floating,
    out_of_range,
    tensor_of,
)

if TYPE_CHECKING:
    from shlo.sanitizer.selection import Selection


class Nonfinite(IntFlag):
    """What a step made: its results have some and its operands have none.

    What the arguments of the entry function hold was made by no step: it is there from the start. Infinities
    of constants are meant as they are written. A NaN of a constant may be written for a case that does not
    arise; it is made by the step that takes it into a result with operands that are no constants, or by the
    one whose result control flow or the end of a block takes, or a call of a function that is called with
    other values, too.

    A conversion that makes OVERFLOW was given numbers out of the range of its result's type: any number for a
    type of integers, finite ones for one of floating-point numbers. Any other operation makes it whose
    results are of narrow floating-point numbers (f16, bf16) and infinite though its operands are finite, but
    where its function has a pole, as a division by zero.

    FINDING is what the sanitizer objects to (see docs/sanitizer.md), which is searched for where that is
    asked for.
    """

    NAN = 1
    INFINITY = 2
    OVERFLOW = 4
    FINDING = 8


NOTHING = Nonfinite(0)

NUMBERS = Nonfinite.NAN | Nonfinite.INFINITY | Nonfinite.OVERFLOW
"""What all steps are searched for together."""


class Found(Struct, frozen=True):
    """How many elements are of one kind, and the index of the first."""

    count: int
    first: tuple[int, ...] | None


class NonfiniteArgument(Struct, frozen=True):
    """An argument that holds numbers that are not finite: of which process, its name in the source (without
    `%`), its name in the program that this was made from (JAX leaves it in a location; may be empty).
    """

    process: int
    name: str
    label: str
    nan: Found
    infinity: Found

    @property
    def kinds(self) -> Nonfinite:
        """What it holds."""
        kinds = Nonfinite.NAN if self.nan.count else NOTHING
        return kinds | Nonfinite.INFINITY if self.infinity.count else kinds


def operands_of(process: Process) -> Sequence[Value]:
    """Returns the operands of the next step, if a kernel carries it out."""
    frame = process.frames[-1]
    return frame.operands if frame.instruction.kind is Kind.KERNEL else ()


def detect(point: ProgramPoint, operands: Sequence[Value], results: Sequence[Value]) -> Nonfinite:
    """Returns what a step of a kernel made."""
    created = NOTHING
    if not point.is_searched:
        return created
    if point.is_conversion and any(map(overflows, operands, results)):
        created |= Nonfinite.OVERFLOW
    if all(map(is_finite, results)):
        return created
    others = operands
    if not point.copies_constants or point.is_passed_on:
        fixed = point.constant_operands
        others = [operand for operand, is_fixed in zip(operands, fixed) if not is_fixed]
    if _appears(has_nan, others, results):
        created |= Nonfinite.NAN
    if not point.is_constant and _appears(has_infinity, operands, results):
        created |= Nonfinite.INFINITY
        if not point.is_conversion and any(
            exceeds(point.operation.name, operands, result) for result in results
        ):
            created |= Nonfinite.OVERFLOW
    return created


def search(
    process: Process,
    point: ProgramPoint,
    operands: Sequence[Value],
    results: Sequence[Value],
    kinds: Nonfinite,
    selection: Selection | None,
) -> Nonfinite:
    """Returns what a step of a kernel made of what is searched for; `selection` is what the sanitizer looks
    for.
    """
    created = detect(point, operands, results)
    if Nonfinite.FINDING in kinds and findings(process, point, operands, results, selection):
        created |= Nonfinite.FINDING
    return created


def findings(
    process: Process,
    point: ProgramPoint,
    operands: Sequence[Value],
    results: Sequence[Value],
    selection: Selection | None,
) -> list[str]:
    """Returns what the sanitizer objects to in a step of a kernel, a line each."""
    from shlo.sanitizer.run import objections_of_step

    return objections_of_step(process, point.code, point.index, operands, results, selection)


def poles_of(name: str) -> Poles | None:
    """Returns where the function of an operation has poles, None where it has none or is not known."""
    op_def = find_op_def(name)
    return op_def.poles if op_def is not None else None


def exceeds(name: str, operands: Sequence[Value], result: Value) -> bool:
    """Returns whether an operation that was given finite operands has an infinity of a narrow type that is no
    pole of its function.
    """
    array = tensor_of(result)
    if array is None or not is_floating(array) or array.dtype.itemsize > 2:
        return False
    poles = poles_of(name)
    if poles == "elsewhere":
        return False
    infinite = np.isinf(array.astype(np.float32))
    base = None if poles is None else tensor_of(operands[0 if poles == "first_zero" else -1])
    return bool((infinite if base is None else infinite & (base != 0)).any())


def overflows(before: Value, after: Value) -> bool:
    """Returns whether a number of a tensor is out of the range of the type that it was converted to."""
    source, target = tensor_of(before), tensor_of(after)
    lost = None if source is None or target is None else out_of_range(source, target)
    return lost is not None and bool(lost.any())


def nonfinite_arguments(states: Sequence[State]) -> Iterator[NonfiniteArgument]:
    """Yields the arguments that hold numbers that are not finite, of processes that are at their start."""
    counts: dict[int, tuple[Found, Found]] = {}  # by identity, as processes may share arrays
    for process, state in enumerate(states):
        frame = state.frames[0]
        code = frame.code
        for register in code.arguments:
            label = argument_label(code, register)
            for part, array in _tensors(frame.registers[register]):
                if id(array) not in counts:
                    counts[id(array)] = _find(array, np.isnan), _find(array, np.isinf)
                nan, infinity = counts[id(array)]
                if nan.count or infinity.count:
                    yield NonfiniteArgument(process, value_name(code, register) + part, label, nan, infinity)


def _tensors(value: Value, part: str = "") -> Iterator[tuple[str, Array]]:
    """Yields the tensors of floating-point numbers in a value; `part` says which of a tuple."""
    if isinstance(value, tuple):
        for index, inner in enumerate(cast("tuple[Value, ...]", value)):
            yield from _tensors(inner, f"{part}.{index}")
    array = tensor_of(value)
    if array is not None and is_floating(array):
        yield part, array


def _find(array: Array, test: Callable[[Array], Array]) -> Found:
    flags = test(array.astype(np.float32) if array.dtype.kind == "V" else array)
    count = int(np.count_nonzero(flags))
    if not count:
        return Found(0, None)
    return Found(count, index_at(int(flags.argmax()), flags.shape))


def _appears(test: Callable[[Value], bool], operands: Sequence[Value], results: Sequence[Value]) -> bool:
    return any(map(test, results)) and not any(map(test, operands))
