"""Candidates with fewer operations: those dropped are replaced by arguments, operands or constants."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final

from msgspec.structs import replace

from shlo.dialects.constants import constant_elements, is_constant
from shlo.interpreter.program.liveness import uses_of
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import UnsupportedTypeError
from shlo.ir.operations import Block, Module, Operation, Signature, ValueTable
from shlo.ir.types import QuantizedType, RankedTensorType, Type
from shlo.reduction.candidate import Candidate, changed, rebuilt, replaced, with_block, with_module
from shlo.transforms.rewriting.builder import scalar_array, zeros_of
from shlo.transforms.rewriting.rebuild import block_of, remade, substituted, with_blocks, with_regions

CONSTANT: Final = "stablehlo.constant"


class Uses:
    """Values that operations, and those in their regions, use; computed once for each operation."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Operation, tuple[int, ...]]] = {}

    def of(self, operation: Operation, table: ValueTable) -> tuple[int, ...]:
        """Returns the values of a table that an operation uses."""
        if not operation.regions:
            return operation.operands
        cached = self._known.get(id(operation))
        if cached is None:
            cached = self._known[id(operation)] = operation, uses_of(operation, table)
        return cached[1]

    def of_all(self, operations: Iterable[Operation], table: ValueTable) -> set[int]:
        """Returns the values that any of some operations uses."""
        used: set[int] = set()
        for operation in operations:
            used.update(self.of(operation, table))
        return used


def cut(candidate: Candidate, dropped: Set[int], uses: Uses) -> Candidate | None:
    """Returns the candidate without some operations of its entry function, by their indices. What others use
    of their results are new arguments; what only they used are new results. All values stay what they were.
    None where nothing is returned any more.
    """
    block, table = candidate.block, candidate.body.values
    *operations, end = block.operations
    staying = [op for index, op in enumerate(operations) if index not in dropped]
    gone = [operations[index] for index in sorted(dropped)]
    used = uses.of_all(staying, table)
    lost = {result for op in gone for result in op.results}
    missing = [result for op in gone for result in op.results if result in used]
    returned = [value for value in end.operands if value not in lost]
    still = used.union(returned)
    of_gone = uses.of_all(gone, table)
    returned += [value for op in staying for value in op.results if value in of_gone and value not in still]
    if not returned:
        return None
    fixed = block.arguments[: candidate.fixed]
    others = [
        argument
        for argument in block.arguments[candidate.fixed :]
        if argument in used or argument in returned
    ]
    return with_block(candidate, staying, (*fixed, *others, *missing), returned)


def without_unused_arguments(candidate: Candidate, uses: Uses) -> Candidate:
    """Returns the candidate without the arguments of its entry function that nothing uses."""
    block = candidate.block
    used = uses.of_all(block.operations, candidate.body.values)
    arguments = [argument for argument in block.arguments if argument in used]
    *operations, end = block.operations
    return replace(with_block(candidate, operations, arguments, end.operands), fixed=0)


def returning(candidate: Candidate, positions: Sequence[int]) -> Candidate:
    """Returns the candidate whose entry function returns only some of its results."""
    block = candidate.block
    *operations, end = block.operations
    return with_block(
        candidate, operations, block.arguments, [end.operands[position] for position in positions]
    )


def returning_computed(candidate: Candidate, uses: Uses) -> Candidate | None:
    """Returns the candidate whose entry function returns what nothing else uses, in place of arguments; None
    where it returns no arguments alone.
    """
    block = candidate.block
    *operations, end = block.operations
    used = uses.of_all(operations, candidate.body.values)
    computed = [result for op in operations for result in op.results if result not in used]
    if not computed or not set(end.operands) <= set(block.arguments):
        return None
    return with_block(candidate, operations, block.arguments, computed)


Place = tuple[Operation, int, int]
"""A block: the operation that contains it, the numbers of the region and of the block in it."""


def places_of(module: Module) -> list[Place]:
    """Returns the blocks of a program that hold operations which can be left out, function by function; none
    of functions of several blocks, and of regions with a table of values of their own.
    """
    places: list[Place] = []
    for function in module.functions.values():
        if function.body is None or len(function.body.blocks) != 1:
            continue
        waiting = deque([function.operation])
        while waiting:
            operation = waiting.popleft()
            for number, region in enumerate(operation.regions):
                if region.values is function.body.values:
                    for index, block in enumerate(region.blocks):
                        waiting += [inner for inner in block.operations if inner.regions]
                        places += [(operation, number, index)] if len(block.operations) > 1 else []
    return places


def bypassed(candidate: Candidate, position_of_block: Place, dropped: Set[int]) -> Candidate:
    """Returns the candidate without some operations of a block, by their indices. Each result is replaced by
    an operand of the operation that has the same type, else by an argument of the block, else by zeros.
    """
    parent, number, position = position_of_block
    region = parent.regions[number]
    block, table = region.blocks[position], region.values
    left = [op for index, op in enumerate(block.operations) if index not in dropped]
    used = Uses().of_all(left, table).union(*(block.operations[index].operands for index in dropped))
    new: dict[int, int] = {}
    zeros: dict[Type, Operation] = {}
    for index in sorted(dropped):
        operation = block.operations[index]
        near = [new.get(operand, operand) for operand in operation.operands] + list(block.arguments)
        for result in used.intersection(operation.results):
            like = _like(table.types[result], near, zeros, table)
            if like is not None:
                new[result] = like
    staying = [substituted(op, new, table) for op in left]
    used = Uses().of_all(staying, table)
    needed = [constant for constant in zeros.values() if constant.results[0] in used]
    built = Block([*needed, *staying], block.arguments, block.label)
    blocks = tuple(built if sibling is block else sibling for sibling in region.blocks)
    regions = tuple(with_blocks(other, blocks) if other is region else other for other in parent.regions)
    return with_module(candidate, replaced(candidate.module, parent, with_regions(parent, regions)))


def _like(type_: Type, near: Sequence[int], zeros: dict[Type, Operation], table: ValueTable) -> int | None:
    """Returns the first near value of a type, else that of a constant of zeros, which is added to `zeros`."""
    near_value = next((value for value in near if table.types[value] == type_), None)
    if near_value is not None:
        return near_value
    constant = zeros.get(type_) or zeros_of(type_, table)
    if constant is None:
        return None
    zeros[type_] = constant
    return constant.results[0]


def with_simple_constants(candidate: Candidate, chosen: Operation | None = None) -> list[Candidate]:
    """Returns candidates in which all constants, or a chosen one, have one value everywhere: zero, one, or
    their first element.
    """
    return [simpler for how in (0, 1, None) if (simpler := _with_splats(candidate, chosen, how)) is not None]


def constants_of(module: Module) -> list[Operation]:
    """Returns the constants of a program that are not zero everywhere."""
    return [op for op, _ in module.walk() if is_constant(op) and not _is_zero(op)]


def _is_zero(operation: Operation) -> bool:
    value = constant_elements(operation)
    return value is not None and not value.array.astype(bool).any()


def _with_splats(candidate: Candidate, chosen: Operation | None, how: int | None) -> Candidate | None:
    """Returns the candidate with splats of a number (None: of the first element); None where all are."""

    def change(operation: Operation) -> Operation:
        new = _splat(operation, how) if chosen is None or operation is chosen else None
        return new or rebuilt(operation, change)

    module = changed(candidate.module, change)
    return None if module.operation is candidate.module.operation else with_module(candidate, module)


def _splat(operation: Operation, how: int | None) -> Operation | None:
    """Returns a constant with one value everywhere; None where it is that, or is no such constant."""
    value = constant_elements(operation)
    if value is None:
        return None
    type_ = value.type
    if not isinstance(type_, RankedTensorType) or isinstance(type_.element_type, QuantizedType):
        return None
    if not value.array.size or (how is None and value.is_splat):
        return None
    first = value.array.reshape(-1)[:1].reshape(())
    try:
        new = DenseElementsAttr(type_, first if how is None else scalar_array(how, type_.element_type))
    except UnsupportedTypeError:
        return None
    if new == value:
        return None
    signature = operation.signature
    properties = {**signature.properties, "value": new}
    built = Signature(
        signature.name, signature.operand_types, signature.result_types, properties, signature.attributes
    )
    return remade(operation, built)


# --- Candidates without attributes and symbols that operations do not need ----------------------------------


_OF_FUNCTIONS = ("arg_attrs", "res_attrs", "sym_visibility")
"""Inherent attributes of functions that may be absent."""


def without_attributes(candidate: Candidate) -> Iterator[Candidate]:
    """Yields the candidate without all discardable attributes, and without those of each name; and without
    what its module holds beside functions.
    """
    yield _without(candidate, None)
    names = {name for op, _ in candidate.module.walk() for name in op.signature.attributes}
    names.update(candidate.module.operation.signature.attributes)
    for name in sorted(names | set(_OF_FUNCTIONS)):
        yield _without(candidate, name)
    (block,) = candidate.module.body.blocks
    for operation in block.operations:
        if operation.name != "func.func":
            yield _without_symbol(candidate, operation)


def _without(candidate: Candidate, name: str | None) -> Candidate:
    """Returns the candidate without an attribute, None for all."""
    signatures: dict[Signature, Signature] = {}

    def change(operation: Operation) -> Operation:
        old = operation.signature
        if old not in signatures:
            signatures[old] = _without_entries(old, name, operation is not candidate.function)
        inner = rebuilt(operation, change)
        if signatures[old] is old and inner is operation:
            return operation
        return remade(operation, signatures[old], regions=inner.regions)

    operation = change(candidate.module.operation)
    return replace(candidate, module=Module(operation, resources=candidate.module.resources))


def _without_entries(signature: Signature, name: str | None, keeps_private: bool) -> Signature:
    """Returns a signature without an attribute, None for all of them."""
    attributes = {
        key: value for key, value in signature.attributes.items() if name is not None and key != name
    }
    properties = dict(signature.properties)
    if signature.name == "func.func":
        for key in _OF_FUNCTIONS:
            if name in (None, key) and not (key == "sym_visibility" and keeps_private):
                properties.pop(key, None)
    if len(attributes) == len(signature.attributes) and len(properties) == len(signature.properties):
        return signature
    return Signature(signature.name, signature.operand_types, signature.result_types, properties, attributes)


def _without_symbol(candidate: Candidate, symbol: Operation) -> Candidate:
    """Returns the candidate without an operation directly in its module."""
    (block,) = candidate.module.body.blocks
    others = [(index, op) for index, op in enumerate(block.operations) if op is not symbol]
    region = with_blocks(candidate.module.body, (block_of(block, others),))
    operation = with_regions(candidate.module.operation, (region,))
    return replace(candidate, module=Module(operation, resources=candidate.module.resources))
