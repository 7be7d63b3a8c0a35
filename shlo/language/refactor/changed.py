"""Which types were changed: those in one operation, or a function's head, with which all others disagree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from shlo.dialects.inference import infer_operation
from shlo.ir.op_path import OpPath, walk
from shlo.ir.operations import BROKEN, Operation, ValueTable, function_type
from shlo.ir.source import Span
from shlo.ir.types import FunctionType, RankedTensorType, Type, UnknownType
from shlo.language.document import Part
from shlo.language.index.op_names import outermost
from shlo.verifier.op_context import region_type

if TYPE_CHECKING:
    from shlo.transforms.propagation import ChangedType

Key = tuple[int, bool]
"""A value by its number in a function's table; where the second item is true, a result of the function."""


class Mention(NamedTuple):
    """A type that an operation, by its start, says a value is of."""

    owner: int
    type: Type


class ChangedPlace(Struct, frozen=True):
    """The start of the operation, or of the function, in which types were changed, and these."""

    start: int
    changes: tuple[ChangedType, ...]


def changed_at(part: Part, span: Span) -> ChangedPlace | None:
    """Returns what was changed in the function around a span, None where nothing disagrees or that cannot be
    told."""
    here = part.index.place_at(span.start)
    function = outermost(here)
    type_, name, regions = (
        function_type(function.operation),
        function.operation.symbol,
        function.operation.regions,
    )
    if type_ is None or name is None or not regions or not regions[0].blocks:
        return None
    table = regions[0].values
    mentions = _mentions(function, type_, table)
    disputed = {key: said for key, said in mentions.items() if len({mention.type for mention in said}) > 1}
    if not disputed:
        changes = tuple(_contradicted(here, name, table))
        return ChangedPlace(here.start, changes) if changes else None
    owners = _owners(disputed)
    best = min(owners, key=lambda owner: _preference(owner, function, disputed), default=None)
    return None if best is None else ChangedPlace(best, tuple(_changes(name, disputed, best)))


def _mentions(function: OpPath, type_: FunctionType, table: ValueTable) -> dict[Key, list[Mention]]:
    """Returns what a function's operations say of its values, the definition of each first."""
    mentions: dict[Key, list[Mention]] = {}

    def say(key: Key, owner: OpPath, said: Type) -> None:
        if not isinstance(said, UnknownType):
            mentions.setdefault(key, []).append(Mention(owner.start, said))

    for value in (value for block in function.operation.regions[0].blocks for value in block.arguments):
        say((value, False), function, table.types[value])
    for number, result in enumerate(type_.results):
        say((number, True), function, result)
    for op_path in walk(function):
        operation = op_path.operation
        if op_path.values is not table or operation.name == BROKEN:
            continue
        for value, said in zip(operation.results, operation.result_types):
            say((value, False), op_path, said)
        for value in (
            value for region in operation.regions for block in region.blocks for value in block.arguments
        ):
            if operation.regions[0].values is table:
                say((value, False), op_path, table.types[value])
        for value, said in zip(operation.operands, operation.operand_types):
            say((value, False), op_path, said)
        if operation.name == "func.return" and len(operation.operands) == len(type_.results):
            for number, said in enumerate(operation.operand_types):
                say((number, True), op_path, said)
    return mentions


def _owners(disputed: dict[Key, list[Mention]]) -> list[int]:
    """Returns the operations without which all others agree."""
    first, *others = ({mention.owner for mention in said} for said in disputed.values())
    common = first.intersection(*others)
    return [owner for owner in common if all(len(_others(said, owner)) == 1 for said in disputed.values())]


def _others(said: Sequence[Mention], owner: int) -> set[Type]:
    return {mention.type for mention in said if mention.owner != owner}


def _preference(owner: int, function: OpPath, disputed: dict[Key, list[Mention]]) -> tuple[bool, bool, int]:
    """Orders operations: the one that defines what is disputed, the function, those in front."""
    defines = all(said[0].owner == owner for said in disputed.values())
    return not defines, owner != function.start, owner


def _changes(name: str, disputed: dict[Key, list[Mention]], owner: int) -> Iterator[ChangedType]:
    from shlo.transforms.propagation import ChangedType

    for (number, is_result), said in disputed.items():
        (before,) = _others(said, owner)
        new = next(mention.type for mention in said if mention.owner == owner)
        yield ChangedType(name, number, new, is_result, before)


def _contradicted(op_path: OpPath, name: str, table: ValueTable) -> Iterator[ChangedType]:
    """Yields the results of an operation that are of another type of their rank by its other members."""
    operation = op_path.operation
    if op_path.values is not table or operation.name == BROKEN or not operation.results:
        return
    from shlo.transforms.propagation import ChangedType

    for value, old, new in zip(operation.results, operation.result_types, _inferred(operation)):
        is_tensor = isinstance(old, RankedTensorType) and isinstance(new, RankedTensorType)
        if is_tensor and old != new and old.rank == new.rank and new.is_static:  # type: ignore[union-attr]
            yield ChangedType(name, value, new, before=old)  # type: ignore[arg-type]


def _inferred(operation: Operation) -> list[Type | None]:
    regions = tuple(map(region_type, operation.regions))
    properties = operation.signature.properties
    return infer_operation(
        operation.name, operation.operand_types, properties, regions, len(operation.results)
    )
