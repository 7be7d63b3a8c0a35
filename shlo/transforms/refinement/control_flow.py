"""Calls, branches and loops of a function that is refined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import is_
from typing import Final

import numpy as np

from shlo.dialects.inference import met_types
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import SymbolRefAttr
from shlo.ir.diagnostics import RefinementError
from shlo.ir.dtypes import Array
from shlo.ir.operations import Operation, Region, Signature
from shlo.ir.source import Span
from shlo.ir.types import RankedTensorType, Type
from shlo.transforms.refinement.state import Refined, Refining
from shlo.transforms.rewriting.rebuild import block_of, remade, with_types

CALLEES: Final[Mapping[str, str]] = {"func.call": "callee", "stablehlo.composite": "decomposition"}
"""Operations that call a function, and the attribute that names it."""


def refine_call(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns the call of the function refined for these arguments."""
    new = refining.retyped(operation, refining.regions(operation, span))
    symbol = new.attribute(CALLEES[new.name])
    if not isinstance(symbol, SymbolRefAttr) or symbol.nested:
        return _call_as_it_was(refining, operation)
    keeps_arguments = new.name != "func.call"
    try:
        values = _values_that_matter(refining, new, operation)
        refined = refining.callees.refined(symbol.root, new.operand_types, values, keeps_arguments)
    except RefinementError as error:
        error.add_note(f"called from {refining.error('', new, span).place or 'an unknown place'}")
        raise
    return _call_as_it_was(refining, operation) if refined is None else _called(refining, new, refined)


def _values_that_matter(refining: Refining, new: Operation, old: Operation) -> list[Array | None]:
    """Returns what is known of a call's operands; nothing where neither sizes go in nor open ones come
    out."""
    takes_sizes = new.signature is not old.signature or not refining.derived.isdisjoint(new.operands)
    if takes_sizes or not all(map(is_static, new.result_types)):
        return refining.known_operands(new)
    return [None] * len(new.operands)


def _called(refining: Refining, operation: Operation, refined: Refined) -> list[Operation]:
    """Returns the call of a refined function; constants where it has no effect and all its results are
    known."""
    for slot, type_, value in zip(operation.results, refined.result_types, refined.result_values):
        refining.define(slot, type_, value, is_derived=True)
    constants = [value for value in refined.result_values if value is not None]
    if refined.is_pure and len(constants) == len(operation.results):
        return refining.constants(operation, constants)
    if refined.is_pure:
        refining.pure_calls.add(refined.name)
    operands = tuple(operation.operands[index] for index in refined.arguments)
    return [remade(operation, _signature_of_call(operation, refined), operands)]


def _signature_of_call(operation: Operation, refined: Refined) -> Signature:
    old, attribute = operation.signature, CALLEES[operation.name]
    types = tuple(old.operand_types[index] for index in refined.arguments)
    callee = SymbolRefAttr(refined.name)
    if (callee, types, refined.result_types) == (
        old.properties.get(attribute),
        old.operand_types,
        old.result_types,
    ):
        return old
    properties = {**old.properties, attribute: callee}
    return Signature(old.name, types, refined.result_types, properties, old.attributes)


def _call_as_it_was(refining: Refining, operation: Operation) -> list[Operation]:
    """Returns a call of a function that stays as it is, with operands of the types that it takes."""
    refining.define_results(operation)
    return _with_operands_of(refining, operation, operation.operand_types)


def _with_operands_of(refining: Refining, operation: Operation, types: Sequence[Type]) -> list[Operation]:
    """Returns the operation, behind conversions of its operands to types that know less."""
    built: list[Operation] = []
    operands = list(operation.operands)
    for index, (slot, type_) in enumerate(zip(operation.operands, types)):
        if refining.types[slot] != type_:
            operands[index] = refining.table.define(type_)
            signature = Signature("stablehlo.convert", (refining.types[slot],), (type_,))
            built.append(Operation(signature, (slot,), (operands[index],), location=operation.location))
    signature = with_types(operation.signature, operands=tuple(types)) if built else operation.signature
    return [*built, remade(operation, signature, tuple(operands))]


def refine_branch(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns an if or case: its results are of what sizes all branches give."""
    was_certain, refining.is_certain = refining.is_certain, False
    regions = refining.regions(operation, span)
    refining.is_certain = was_certain
    returned_types = [[refining.types[value] for value in returned_values(region)] for region in regions]
    joint = [reduce(joined, types) for types in zip(*returned_types)]
    regions = tuple(_returning(refining, region, joint) for region in regions)
    types = tuple(map(met_types, operation.result_types, joint))
    (built,) = _finished(refining, refining.retyped(operation, regions), types)
    refining.check(built, span)
    return [built]


def _returning(refining: Refining, region: Region, types: Sequence[Type]) -> Region:
    """Returns a branch that gives values of these types, which may know less than it does."""
    if region.values is not refining.table or len(region.blocks) != 1:
        return region
    (block,) = region.blocks
    last = len(block.operations) - 1
    end = _with_operands_of(refining, block.operations[last], types)
    if len(end) == 1:
        return region
    rest = enumerate(block.operations[:last])
    return Region((block_of(block, [*rest, *((last, operation) for operation in end)]),), region.values)


def refine_while(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns a loop: the sizes of what it carries are known as far as no iteration changes them."""
    condition, body = operation.regions
    was_certain, refining.is_certain = refining.is_certain, False
    types = [refining.types[operand] for operand in operation.operands]
    values = _unchanged(refining, operation)
    while True:
        built_body = refining.region(body, span, types, values)
        returned = returned_values(built_body)
        joint = [joined(type_, refining.types[value]) for type_, value in zip(types, returned)]
        unchanged = [_kept(one, refining.values.get(value)) for one, value in zip(values, returned)]
        if joint == types and all(map(is_, unchanged, values)):
            break
        types, values = joint, unchanged
    regions = refining.region(condition, span, types, values), built_body
    refining.is_certain = was_certain
    (built,) = _finished(refining, refining.retyped(operation, regions), tuple(types), values)
    return _with_operands_of(refining, built, types)


def _unchanged(refining: Refining, operation: Operation) -> list[Array | None]:
    """Returns the values that a loop carries and whose body gives them back; None for others."""
    body = operation.regions[1]
    arguments, returned = body.blocks[0].arguments, returned_values(body)
    initial = refining.known_operands(operation)
    return [value if one == other else None for value, one, other in zip(initial, arguments, returned)]


def _finished(
    refining: Refining, operation: Operation, types: tuple[Type, ...], values: Sequence[Array | None] = ()
) -> list[Operation]:
    """Returns the operation with results of these types."""
    padded = (*values, *[None] * (len(types) - len(values)))
    for slot, type_, value in zip(operation.results, types, padded):
        refining.define(slot, type_, value, is_derived=True)
    if types != operation.result_types:
        operation = remade(operation, with_types(operation.signature, results=types))
    return [operation]


def returned_values(region: Region) -> tuple[int, ...]:
    """Returns what a region's last operation is given."""
    operations = region.blocks[-1].operations if region.blocks else []
    return operations[-1].operands if operations else ()


def joined(one: Type, other: Type) -> Type:
    """Returns a type of the values of two: sizes that differ are not known."""
    if one == other or not isinstance(one, RankedTensorType) or not isinstance(other, RankedTensorType):
        return one
    if one.rank != other.rank:
        return one
    shape = tuple(size if size == also else None for size, also in zip(one.shape, other.shape))
    return RankedTensorType(shape, one.element_type)


def _kept(one: Array | None, other: Array | None) -> Array | None:
    """Returns a value that is the same after an iteration as before it, None for any other."""
    is_same = one is not None and other is not None and np.array_equal(one, other)
    return one if is_same else None
