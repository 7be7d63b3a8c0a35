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

DRAWS: Final = 30
"""How many draws an operation has for each case that is to be of some types."""


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
    generator, count = Generator(seed, size=1), CASES_OF[level]
    for name in names:
        missing = dict.fromkeys(types, count)
        for number in range(count * len(types) * DRAWS if types else count):
            case = generator.case_of(name, number)
            operation = None if case is None else _judged(case, name)
            if case is None or operation is None:
                continue
            types_of = operation.operand_types or operation.result_types
            element = str(element_type_of(types_of[0])) if types_of else "none"
            if types and not missing.get(element):
                continue
            title = f"{name.partition('.')[2]}-{element}-{number}"
            yield ConformanceCase(title, operation, element, case)
            if types:
                missing[element] -= 1
                if not any(missing.values()):
                    break


def _judged(case: Case, name: str) -> Operation | None:
    """Returns the operation of a case, None where constants have taken its place."""
    return next((op for op, _ in case.module.walk() if op.name == name and not is_constant(op)), None)
