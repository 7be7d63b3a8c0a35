"""Traits of failing cases, which waivers may ask for: another fault of the operation is not waived then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import copysign, isinf, isnan
from typing import Any, Final

import numpy as np
from msgspec import Struct

from shlo.conformance.aspects import aspects_of
from shlo.conformance.cases import ConformanceCase, is_by_element
from shlo.dialects import find_op_def
from shlo.divergence.findings import elements_beyond
from shlo.fuzzing.comparing import steps_of
from shlo.fuzzing.forms import main_of
from shlo.ir.dtypes import Array

LARGE: Final = 64
"""Numbers from here on are large, the reciprocals of such small."""


class Traits(Struct, frozen=True):
    """What is so about a case that an engine fails.

    Args:
        aspects: of the operation, such as `start_indices: beyond`.
        elements: of an operation on each element: its operands and what is right, each by its kind, where the
            engine is wrong, such as `-number, large: inf`.
    """

    aspects: Sequence[str] = ()
    elements: Sequence[str] = ()


def traits_of(case: ConformanceCase, right: Sequence[Any], given: Sequence[Any] = ()) -> Traits:
    """Returns the traits of a case that an engine fails; none of a grid or of quantized elements.

    Args:
        case: the case.
        right: the right results.
        given: the engine's, empty where it gave none.
    """
    op_def = find_op_def(case.subject)
    operation, program = case.operation, case.case
    if op_def is None or operation is None or program.grid != (1, 1) or case.type == "quantized":
        return Traits()
    if not is_by_element(op_def):
        names = sorted(aspects_of(program, operation, op_def))
        return Traits(aspects=[f"{name}: {word}" for name, word in names])
    (block,) = main_of(program.module).regions[0].blocks
    returned = [*block.operations[-1].operands]
    if len(given) != len(returned) or operation.results[0] not in returned:
        return Traits()
    place = returned.index(operation.results[0])
    steps = steps_of(program.module, program.inputs, program.grid, "spec")
    operands = next(step.operands for step in steps if step.operation is operation)
    return Traits(elements=sorted({*_wrong_elements(case, operands, right[place], np.asarray(given[place]))}))


def _wrong_elements(
    case: ConformanceCase, operands: Sequence[Any], right: Array, given: Array
) -> Iterator[str]:
    """Yields the kinds of the operands and of what is right for each wrong element."""
    if (right.dtype, right.shape) != (given.dtype, given.shape):
        return
    is_wrong = elements_beyond(right, given, case.allowance.allowed(case.subject, right, operands))
    columns = [np.broadcast_to(array, right.shape)[is_wrong].tolist() for array in (*operands, right)]
    for *numbers, result in zip(*columns):
        yield f"{', '.join(map(_kind, numbers))}: {_kind(result)}"


def _kind(number: Any) -> str:
    """Returns of which kind a number is: `NaN`, `inf`, `0`, `large`, `small` or `number`, with a sign."""
    if isinstance(number, bool):
        return str(number).lower()
    if isinstance(number, complex):
        return f"{_kind(number.real)} {_kind(number.imag)}i"
    number = float(number)
    if isnan(number):
        return "NaN"
    size = abs(number)
    kinds = {"inf": isinf(size), "0": not size, "large": size >= LARGE, "small": size <= 1 / LARGE}
    sign = "-" if copysign(1, number) < 0 else ""
    return sign + next((kind for kind, is_so in kinds.items() if is_so), "number")
