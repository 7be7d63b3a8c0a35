"""Aspects of a case: what an engine must take notice of for its results to be right.

That a list of dimensions is not in order, that an amount of padding is negative, that an index is outside of
the operand: an engine to which this is nothing is found by a case that has it. Aspects are read from
attributes, operands and runs by the operation's definition, whatever it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import Any, Final, cast

import numpy as np
from msgspec import Struct
from msgspec.structs import asdict

from shlo.dialects.constants import constant_elements
from shlo.dialects.opdef import OpDef, OperandDef
from shlo.fuzzing.comparing import Carried, steps_of
from shlo.fuzzing.forms import main_of
from shlo.fuzzing.programs import Case
from shlo.interpreter import run
from shlo.ir.attributes import Attribute, DenseArrayAttr, EnumAttr, IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation

Aspect = tuple[str, str]
"""An attribute, an operand or a result, and what is so about it."""

MOST: Final = 3
"""Numbers from here on are alike."""
EVERYDAY: Final = (0, 1, -1)
"""Scalars that change nothing in some operation or other."""


def pairs_of_aspects(case: Case, operation: Operation, op_def: OpDef) -> set[tuple[Aspect, Aspect]]:
    """Returns which aspects come together in a program of one process with an operation that is judged."""
    return set(combinations(sorted(aspects_of(case, operation, op_def)), 2))


def aspects_of(case: Case, operation: Operation, op_def: OpDef) -> set[Aspect]:
    """Returns the aspects of a program of one process with an operation that is judged."""
    steps = list(steps_of(case.module, case.inputs, case.grid, "spec"))
    values = _values_of(case, steps)
    aspects = {
        (name, word)
        for name, attribute in operation.signature.properties.items()
        for word in _of_attribute(attribute)
    }
    runs = Counter(id(step.operation) for step in steps)
    for number, region in enumerate(operation.regions):
        inside = [op for block in region.blocks for op in block.operations]
        aspects.add((f"region {number}", f"runs {_rough(max(runs[id(op)] for op in inside))}"))
        if op_def.control_flow is None:
            aspects |= {(f"region {number}", op.name) for op in inside}
    sizes = (
        values[operation.operands[0]].shape if operation.operands and operation.operands[0] in values else ()
    )
    largest = len(operation.regions) or max(sizes, default=1)
    for definition, numbers in _by_definition(op_def.operands, operation.operands):
        arrays = [values[number] for number in numbers if number in values]
        words = [*_of_values(arrays, sizes), *_of_count(len(set(numbers)))]
        if "ind" in definition.name:
            words += _of_indices(arrays, largest)
        aspects |= {(definition.name, word) for word in words}
    for definition, numbers in _by_definition(op_def.results, operation.results):
        arrays = [values[number] for number in numbers if number in values]
        words = [*_of_values(arrays, sizes), *_of_count(len(numbers))]
        words += (f"of {array.dtype}" for array in arrays)
        aspects |= {(f"result {definition.name}", word) for word in words}
    return aspects


def _values_of(case: Case, steps: Sequence[Carried]) -> dict[int, Array]:
    """Returns the values of `@main` that are arguments, constants, results of kernels, or returned."""
    (block,) = main_of(case.module).regions[0].blocks
    values = dict(zip(block.arguments, map(np.asarray, case.inputs[0])))
    for operation in block.operations:
        constant = constant_elements(operation)
        if constant is not None:
            values[operation.results[0]] = constant.array
    for step in steps:
        values.update(zip(step.operation.results, step.results))
    returned = block.operations[-1].operands
    if not values.keys() >= {*returned}:
        values.update(zip(returned, map(np.asarray, run(case.module, *case.inputs[0]))))
    return values


def _by_definition(
    definitions: Sequence[OperandDef], numbers: Sequence[int]
) -> Iterator[tuple[OperandDef, Sequence[int]]]:
    """Yields definitions with their values: several variadic ones have equally many."""
    variadic = sum(definition.arity != "one" for definition in definitions)
    left = iter(numbers)
    for definition in definitions:
        count = 1 if definition.arity == "one" else (len(numbers) - len(definitions) + variadic) // variadic
        yield definition, list(islice(left, count))


def _of_attribute(attribute: Attribute) -> Iterator[str]:
    match cast("object", attribute):
        case DenseArrayAttr(values=numbers):
            yield from _of_numbers(numbers)
        case DenseElementsAttr(array=array):
            yield from _of_numbers(array.reshape(-1).tolist())
            if array.ndim == 2 and (array != array[:, ::-1]).any():
                yield "asymmetric"
        case IntegerAttr(value=number):
            yield _rough(number)
        case EnumAttr(value=word):
            yield word
        case _:
            parameters = asdict(attribute) if isinstance(attribute, Struct) else {}
            for name, parameter in parameters.items():
                yield from (f"{name}: {word}" for word in _of_parameter(parameter))


def _of_parameter(parameter: Any) -> Iterator[str]:
    if isinstance(parameter, int):
        yield _rough(parameter)
    elif isinstance(parameter, tuple):
        items = cast("tuple[object, ...]", parameter)
        yield from _of_numbers([item for item in items if isinstance(item, int)])


def _of_numbers(numbers: Sequence[int]) -> Iterator[str]:
    """Yields what is so about dimensions, amounts or flags."""
    yield from _of_count(len(numbers))
    order = sorted(numbers)
    if not numbers:
        return
    words: Mapping[str, bool] = {
        "negative": order[0] < 0,
        "more than 1": order[-1] > 1,
        "uneven": order[0] != order[-1],
        "unsorted": order != list(numbers),
        "not from 0": order[0] > 0,
        "no involution": order == list(range(len(order)))
        and any(numbers[numbers[number]] != number for number in order),
    }
    yield from (word for word, is_so in words.items() if is_so)


def _of_count(count: int) -> Iterator[str]:
    yield f"count {_rough(count)}"


def _rough(number: int) -> str:
    return str(min(number, MOST))


def _of_values(arrays: Sequence[Array], sizes: Sequence[int]) -> Iterator[str]:
    """Yields what is so about operands or results; `sizes` are those of the first operand."""
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        yield "different sizes"
    if len({(array.shape, array.tobytes()) for array in arrays}) > len(shapes):
        yield "exchangeable"
    for array in arrays:
        if array.ndim == len(sizes):
            yield from {_compared(*pair) for pair in zip(array.shape, sizes)}
        yield f"rank {_rough(array.ndim)}"
        if array.ndim > 1 and 1 in array.shape:
            yield "a size of 1"
        if array.ndim > 1 and len(set(array.shape)) == array.ndim:
            yield "uneven sizes"
        different = len(np.unique(array))
        if different > 1:
            yield "different elements"
            yield "equal elements" if different < array.size else "no equal elements"
        if array.ndim == 0 and array.dtype != bool and array not in EVERYDAY and abs(complex(array)) < 1e6:
            yield "ordinary"


def _of_indices(arrays: Sequence[Array], largest: int) -> Iterator[str]:
    """Yields on which sides indices are outside of the first operand, or of the branches."""
    for array in arrays:
        if (array < 0).any():
            yield "below"
        if (array >= largest).any():
            yield "beyond"


def _compared(size: int, other: int) -> str:
    return "shorter" if size < other else "longer" if size > other else "as long"
