"""Cases: programs of one operation, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct

from shlo.fuzzing.programs import Case, Generator, matching
from shlo.fuzzing.recipes import COLLECTIVES
from shlo.ir.operations import Operation
from shlo.ir.types import element_type_of
from shlo.transforms.rewriting.purity import is_constant

Level = Literal["smoke", "full"]
CASES_OF: Final[dict[Level, int]] = {"smoke": 3, "full": 40}
"""By level: how many cases an operation has."""


class ConformanceCase(Struct, frozen=True):
    """A program with one operation that is judged.

    Args:
        name: such as `add-f32-7`.
        operation: the operation.
        type: the type of its first operand's elements, of its result's where it has no operand.
        case: the program and its arguments.
    """

    name: str
    operation: Operation
    type: str
    case: Case


def operation_names(patterns: Sequence[str]) -> list[str]:
    """Returns the operations that have cases; raises ValueError where a pattern names none."""
    chosen = matching(patterns or ["stablehlo.*"])
    return [name for name in chosen if name not in COLLECTIVES]


def make_cases(
    names: Sequence[str], level: Level, seed: int, types: Sequence[str] = ()
) -> Iterator[ConformanceCase]:
    """Yields the cases of operations, those of some types of elements only."""
    generator = Generator(seed, size=1)
    for name in names:
        for number in range(CASES_OF[level]):
            case = generator.case_of(name, number)
            operation = None if case is None else _judged(case, name)
            if case is None or operation is None:
                continue
            types_of = operation.operand_types or operation.result_types
            element = str(element_type_of(types_of[0])) if types_of else "none"
            if not types or element in types:
                yield ConformanceCase(
                    f"{name.partition('.')[2]}-{element}-{number}", operation, element, case
                )


def _judged(case: Case, name: str) -> Operation | None:
    """Returns the operation of a case, None where constants have taken its place."""
    return next((op for op, _ in case.module.walk() if op.name == name and not is_constant(op)), None)
