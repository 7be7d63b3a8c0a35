"""`propagate`: the module in which some values have other types, and all that follows has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from shlo.ir.collector import collector_paused
from shlo.ir.diagnostics import Severity
from shlo.ir.operations import Module, Operation
from shlo.ir.recursion import recursive
from shlo.ir.types import RankedTensorType, Type
from shlo.transforms.propagation.counts import Count, Counting
from shlo.transforms.propagation.program import FunctionInstance, SizedProgram
from shlo.transforms.propagation.rebuilding import Rebuilding
from shlo.transforms.propagation.rules import relate


class ChangedType(Struct, frozen=True):
    """A value of a function that is to have another type: its number in the function's table, or, where
    `is_result`, the number of one of the function's results. `before` is the type that it had, where the
    module says the new one already."""

    function: str
    number: int
    type: Type
    is_result: bool = False
    before: Type | None = None


class Remark(Struct, frozen=True):
    """What is to be known of an operation, and where that starts: an error where something keeps it from
    following, with what is to be decided; a note where it is likely that its number counts what changed.
    """

    operation: Operation
    start: int
    message: str
    severity: Severity


class Propagated(Struct, frozen=True):
    """The module with all that follows, which is valid but for the `stops`.

    `copies` are the functions that are new, with those of which they are variants, which stand before them.
    """

    module: Module
    stops: tuple[Remark, ...]
    numbers: tuple[Remark, ...]
    copies: dict[str, str]


class PropagationError(ValueError):
    """A change that no other one can follow."""


@recursive
@collector_paused()
def propagate(module: Module, changes: Sequence[ChangedType]) -> Propagated:
    """Returns the module with other types of some values, and all that follows.

    Sizes and element types of operands and results, numbers in attributes, regions, functions that are called
    (a variant where other calls keep the old types), constants of equal elements, and numbers that count
    elements. What was there before the change is to be valid. Raises PropagationError for a type of another
    rank or kind, and for changes that contradict each other.
    """
    before = {
        (change.function, change.number, change.is_result): change.before
        for change in changes
        if change.before
    }
    program = SizedProgram(module, before, relate)
    counting = Counting(program)
    counting.tie_loops()
    seeds: list[tuple[int, Any]] = []
    for change in changes:
        for instance in program.instances:
            if instance.function.name == change.function:
                seeds += _seeds(program, instance, change)
    if contradicted := program.solve(seeds):
        values = dict(seeds)
        variable = contradicted[0]
        raise PropagationError(
            f"expected {program.sizes.now(variable)}, which follows from another type, got {values[variable]}"
        )
    following = tuple(counting.counts())
    built, copies = Rebuilding(program, {count.op: count.new for count in following}).module()
    stops = {
        (op.start, reason): Remark(op.operation, op.start, reason, "error")
        for relation, op in program.relations
        if (reason := program.sizes.stuck.get(relation))
    }
    numbers = {count.op.start: _number_remark(count) for count in following}
    return Propagated(built, tuple(stops.values()), tuple(numbers.values()), copies)


def _number_remark(count: Count) -> Remark:
    message = f"{count.old} becomes {count.new}: {count.what}"
    return Remark(count.op.operation, count.op.start, message, "note")


def _seeds(program: SizedProgram, instance: FunctionInstance, change: ChangedType) -> list[tuple[int, Any]]:
    """Returns the variables that a change gives new values."""
    value = instance.results[change.number] if change.is_result else instance.base + change.number
    old, new, variables = program.types[value], change.type, program.values[value]
    if old == new:
        return []
    if variables is None or not isinstance(new, RankedTensorType) or new.rank != len(variables.dims):
        raise PropagationError(f"expected a type of the rank of {old}, got {new}")
    seeds: list[tuple[int, Any]] = list(zip(variables.dims, new.shape))
    seeds.append((variables.element, new.element_type))
    return [(variable, size) for variable, size in seeds if size != program.sizes.old[variable]]
