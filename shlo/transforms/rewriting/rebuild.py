"""Operations and blocks made from others: what did not change is shared."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from operator import is_

from msgspec.structs import replace

from shlo.ir.attributes import ArrayAttr, Attribute, TypeAttr
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.symbols import symbols_in
from shlo.ir.types import FunctionType, Type


def are_same(new: Iterable[object], old: Iterable[object]) -> bool:
    """Returns whether two sequences of one length hold the same objects."""
    return all(map(is_, new, old))


def with_body(module: Module, body: Region) -> Module:
    """Returns the module with another region; the module itself where that is the same."""
    return (
        module if body is module.body else replace(module, operation=with_regions(module.operation, (body,)))
    )


def with_regions(operation: Operation, regions: tuple[Region, ...]) -> Operation:
    """Returns the operation with other regions; the operation itself where they are the same."""
    if are_same(regions, operation.regions):
        return operation
    return remade(operation, operation.signature, regions=regions)


def with_blocks(region: Region, blocks: tuple[Block, ...]) -> Region:
    """Returns the region with other blocks; the region itself where they are the same."""
    return region if are_same(blocks, region.blocks) else Region(blocks, region.values)


def with_replaced(region: Region, replaced: Mapping[int, Operation]) -> Region:
    """Returns the region with other operations, wherever they are in it, by the ids of those that they
    replace.
    """

    def change(operation: Operation) -> Operation:
        regions = (with_replaced(inner, replaced) for inner in operation.regions)
        return replaced.get(id(operation)) or with_regions(operation, tuple(regions))

    return with_operations(region, change)


def with_operations(region: Region, change: Callable[[Operation], Operation]) -> Region:
    """Returns the region with what `change` makes of each operation directly in it; the region itself where
    nothing changes.
    """
    blocks = (block_of(block, enumerate(map(change, block.operations))) for block in region.blocks)
    return with_blocks(region, tuple(blocks))


def in_functions(region: Region, change: Callable[[Region], Region]) -> Region:
    """Returns a module's region with what `change` makes of the bodies of functions in it and in modules
    inside it.
    """

    def function(operation: Operation) -> Operation:
        is_module = operation.name == "builtin.module"
        bodies = (in_functions(body, change) if is_module else change(body) for body in operation.regions)
        return with_regions(operation, tuple(bodies))

    return with_operations(region, function)


def remade(
    operation: Operation,
    signature: Signature,
    operands: tuple[int, ...] | None = None,
    regions: tuple[Region, ...] | None = None,
) -> Operation:
    """Returns an operation in the place of another one, which gives what it does not say."""
    return Operation(
        signature,
        operation.operands if operands is None else operands,
        operation.results,
        operation.regions if regions is None else regions,
        operation.successors,
        operation.location,
    )


def substituted(operation: Operation, new: Mapping[int, int], table: ValueTable) -> Operation:
    """Returns the operation, and what is in its regions, with other values of a table."""

    def change(inner: Operation) -> Operation:
        return substituted(inner, new, table)

    regions = tuple(
        with_operations(region, change) if region.values is table else region for region in operation.regions
    )
    operands = tuple([new.get(value, value) for value in operation.operands])
    successors = tuple(
        (block, tuple(new.get(value, value) for value in passed)) for block, passed in operation.successors
    )
    is_same = operands == operation.operands and successors == operation.successors
    if is_same and are_same(regions, operation.regions):
        return operation
    return Operation(
        operation.signature, operands, operation.results, regions, successors, operation.location
    )


def with_types(
    signature: Signature,
    operands: tuple[Type, ...] | None = None,
    results: tuple[Type, ...] | None = None,
) -> Signature:
    """Returns the signature with other operand types, other result types or both."""
    return Signature(
        signature.name,
        signature.operand_types if operands is None else operands,
        signature.result_types if results is None else results,
        signature.properties,
        signature.attributes,
    )


def with_function_type(signature: Signature, type_: FunctionType, **changes: Attribute) -> Signature:
    """Returns a function's signature with another type, and with other changes of its properties; without
    attributes of its results where there are more or fewer of these.
    """
    properties = {**signature.properties, "function_type": TypeAttr(type_), **changes}
    of_results = properties.get("res_attrs")
    if isinstance(of_results, ArrayAttr) and len(of_results) != len(type_.results):
        del properties["res_attrs"]
    return Signature(
        signature.name, signature.operand_types, signature.result_types, properties, signature.attributes
    )


def block_of(block: Block, operations: Iterable[tuple[int, Operation]]) -> Block:
    """Returns the block with other operations, each with the number of the one that it replaces; the
    block itself where they are the same.
    """
    numbered = list(operations)
    built = [op for _, op in numbered]
    if len(built) == len(block.operations) and are_same(built, block.operations):
        return block
    return Block(
        built,
        block.arguments,
        block.label,
        _selected(block.starts, numbered),
        _selected(block.ends, numbered),
        block.argument_locations,
    )


def _selected(places: array[int], numbered: Sequence[tuple[int, Operation]]) -> array[int]:
    return array("q", [places[number] for number, _ in numbered] if places else [])


def collect_uses(
    region: Region, uses: dict[ValueTable, set[int]], without: Set[Operation] = frozenset()
) -> None:
    """Adds the values that operations of a region use, those inside some operations left out."""
    used = uses.setdefault(region.values, set())
    for block in region.blocks:
        for operation in block.operations:
            if operation in without:
                continue
            used.update(operation.operands)
            for _, passed in operation.successors:
                used.update(passed)
            for inner in operation.regions:
                collect_uses(inner, uses, without)


def reached_from(module: Module, entry: str) -> Module:
    """Returns the module without the functions that a function does not reach, and without a source; other
    symbols stay.
    """
    functions = {name: function.operation for name, function in module.functions.items()}
    waiting, reached = [entry], set[str]()
    while waiting:
        name = waiting.pop()
        if name in functions and name not in reached:
            reached.add(name)
            waiting += symbols_in(functions[name])
    left_out = {id(op) for name, op in functions.items() if name not in reached}
    (block,) = module.body.blocks
    operations = [op for op in block.operations if id(op) not in left_out]
    region = Region((Block(operations),), module.body.values)
    return Module(Operation(module.operation.signature, regions=(region,)), resources=module.resources)
