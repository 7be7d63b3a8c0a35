"""Refinement of one function for arguments of known types and values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.dialects import runs_regions
from shlo.dialects.constants import is_constant
from shlo.dialects.formula.values import UNKNOWN, Unknown
from shlo.dialects.inference import Inferred, met_types
from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS
from shlo.interpreter.program.sync_points import call_target
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import ArrayAttr, Attribute, DenseArrayAttr, StringAttr, SymbolRefAttr
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Block, Function, Operation, Region, Signature, ValueTable, walk
from shlo.ir.source import Source, Span
from shlo.ir.types import I64, FunctionType, RankedTensorType, Type
from shlo.transforms.refinement.control_flow import (
    CALLEES,
    refine_branch,
    refine_call,
    refine_while,
    returned_values,
)
from shlo.transforms.refinement.state import Callees, Refined, Refining, Steps
from shlo.transforms.refinement.static_forms import (
    ASSERTION,
    assertion_message,
    operation_behind,
    shapes_in_operands,
    with_shape,
    without_shape_operands,
)
from shlo.transforms.rewriting.dead_code import Pruning
from shlo.transforms.rewriting.purity import is_pure
from shlo.transforms.rewriting.rebuild import block_of, collect_uses, remade, with_function_type, with_types
from shlo.transforms.rewriting.small_values import Evaluator
from shlo.verifier.op_cursor import is_terminator


def refine_slice(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns a real_dynamic_slice as a slice, or as a dynamic_slice where its steps are one."""
    (new,) = built = refining.plain(operation, span)
    strides = refining.elements(operation.operands[3])
    if new.name != operation.name or not strides:
        return built
    new = _sized(refining, new, strides)
    built, starts = [new], new.operand_types[1]
    is_open = not all(map(is_static, new.result_types)) or any(stride != 1 for stride in strides)
    if is_open or not isinstance(starts, RankedTensorType):
        return built
    scalars: list[int] = []
    operations = [
        operation
        for axis in range(len(strides))
        for operation in _scalar(refining, new, starts, axis, scalars)
    ]
    return [*operations, _dynamic_slice(new, starts, tuple(scalars))]


def _sized(refining: Refining, operation: Operation, strides: Sequence[int | Unknown]) -> Operation:
    """Returns the slice with the sizes that follow from limits which are a sum of the starts and what is
    known.
    """
    start, limit = operation.operands[1:3]
    summands = refining.sums.get(limit, ())
    others = [summand for summand in summands if summand != start]
    extents = refining.elements(others[0]) if start in summands and others else None
    if extents is None or len(extents) != len(strides):
        return operation
    shape = tuple(map(_size, extents, strides))
    types = tuple(Inferred(shape).refining(declared) for declared in operation.result_types)
    sized = remade(operation, with_types(operation.signature, results=types))
    refining.define_results(sized)
    return sized


def _size(extent: int | Unknown, stride: int | Unknown) -> int | Unknown:
    if not isinstance(extent, int) or not isinstance(stride, int) or stride <= 0:
        return UNKNOWN
    return max(0, -(-extent // stride))


def _scalar(
    refining: Refining, like: Operation, starts: RankedTensorType, axis: int, scalars: list[int]
) -> list[Operation]:
    """Returns the operations that give an element of the starts; the value it becomes is added to
    `scalars`."""
    slot = refining.table.define(RankedTensorType((), starts.element_type))
    scalars.append(slot)
    start = (refining.elements(like.operands[1]) or (UNKNOWN,) * len(like.operands))[axis]
    if isinstance(start, int):
        return [refining.constant(slot, np.array(start, dtype_of(starts.element_type)), like)]
    one = RankedTensorType((1,), starts.element_type)
    part = refining.table.define(one)
    places = {
        "start_indices": DenseArrayAttr(I64, (axis,)),
        "limit_indices": DenseArrayAttr(I64, (axis + 1,)),
        "strides": DenseArrayAttr(I64, (1,)),
    }
    cut = Signature("stablehlo.slice", (starts,), (one,), places)
    shrunk = Signature("stablehlo.reshape", (one,), (refining.types[slot],))
    return [
        Operation(cut, (like.operands[1],), (part,), location=like.location),
        Operation(shrunk, (part,), (slot,), location=like.location),
    ]


def _dynamic_slice(like: Operation, starts: RankedTensorType, scalars: tuple[int, ...]) -> Operation:
    (result,) = like.result_types
    assert isinstance(result, RankedTensorType)
    scalar = RankedTensorType((), starts.element_type)
    signature = Signature(
        "stablehlo.dynamic_slice",
        (like.operand_types[0], *[scalar] * len(scalars)),
        like.result_types,
        {"slice_sizes": DenseArrayAttr(I64, result.static_shape)},
        like.signature.attributes,
    )
    return remade(like, signature, (like.operands[0], *scalars))


def refine_custom_call(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns the call with results of known sizes, or the operation that represents it; nothing where it
    asserts what holds.
    """
    new = refining.retyped(operation)
    if call_target(new) == ASSERTION:
        return _assertion(refining, new, span)
    behind = operation_behind(new, refining.values, refining.callees.body_of)
    if behind is not new:
        return refining.finished(refining.sized(behind, operation, span))
    types = tuple(map(met_types, new.result_types, _types_told(refining, new)))
    if types != new.result_types:
        new = remade(new, with_types(new.signature, results=types))
    refining.define_results(new)
    return [without_shape_operands(new) if all(map(is_static, types)) else new]


def _types_told(refining: Refining, operation: Operation) -> Sequence[Type]:
    """Returns the types of a custom call's results as far as its operands tell them."""
    is_annotation = call_target(operation) in ANNOTATIONS
    if is_annotation and len(operation.operands) == len(operation.results):
        return operation.operand_types
    shapes = shapes_in_operands(operation, refining.values)
    return list(map(with_shape, operation.result_types, shapes))


def _assertion(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns nothing in place of an assertion that holds; one that does not, but may never run, stays."""
    holds, *sizes = refining.known_operands(operation)
    if holds is None or (not holds and not refining.is_certain):
        return [operation]
    if holds:
        return []
    shown = [None if size is None else int(size) for size in sizes]
    raise refining.error(assertion_message(operation, shown), operation, span)


_STEPS: Final[Steps] = {
    "func.call": refine_call,
    "stablehlo.case": refine_branch,
    "stablehlo.composite": refine_call,
    "stablehlo.custom_call": refine_custom_call,
    "stablehlo.if": refine_branch,
    "stablehlo.real_dynamic_slice": refine_slice,
    "stablehlo.while": refine_while,
}


def may_be_refined(function: Function | None) -> bool:
    """Returns whether a function has a body of one block."""
    return function is not None and function.body is not None and len(function.body.blocks) == 1


class FunctionRefinement:
    """The refinement of one function for arguments; use it once."""

    def __init__(
        self, function: Function, callees: Callees, evaluator: Evaluator, source: Source | None
    ) -> None:
        assert function.body is not None
        self._function = function
        self._refining = Refining(function.body, callees, evaluator, source, _STEPS)

    def refined(
        self, name: str, types: Sequence[Type], values: Sequence[Array | None], keeps_arguments: bool
    ) -> tuple[Operation, Refined]:
        """Returns the function under another name, for arguments of these types.

        Arguments whose values are known are left out, unless it `keeps_arguments`.
        """
        refining, (block,) = self._refining, self._refining.body.blocks
        for slot, type_, value in zip(block.arguments, types, values):
            refining.define(slot, type_, value, is_derived=True)
        built = refining.block(block, self._function.span.start)
        if not keeps_arguments:
            built = self._with_constants(built, values)
        region = self._pruned(Region((built,), refining.table))
        staying = tuple(index for index, slot in enumerate(block.arguments) if slot in built.arguments)
        returned = returned_values(region)
        refined = Refined(
            name,
            staying,
            tuple(refining.types[value] for value in returned),
            tuple(refining.values.get(value) for value in returned),
            self._has_no_effect(region),
        )
        return self._operation(region, refined), refined

    def _with_constants(self, block: Block, values: Sequence[Array | None]) -> Block:
        """Returns the block with constants in place of the arguments that are known."""
        fixed = {slot: value for slot, value in zip(block.arguments, values) if value is not None}
        if not fixed:
            return block
        like = self._function.operation
        constants = [self._refining.constant(slot, value, like) for slot, value in fixed.items()]
        built = block_of(block, [*((0, constant) for constant in constants), *enumerate(block.operations)])
        staying = [index for index, slot in enumerate(block.arguments) if slot not in fixed]
        locations = tuple(block.argument_locations[index] for index in staying if block.argument_locations)
        arguments = tuple(block.arguments[index] for index in staying)
        return Block(built.operations, arguments, built.label, built.starts, built.ends, locations)

    def _operation(self, region: Region, refined: Refined) -> Operation:
        """Returns the function's operation; the one that it had where nothing changed."""
        function, old = self._function, self._function.operation
        inputs = tuple(self._refining.types[slot] for slot in region.blocks[0].arguments)
        type_ = FunctionType(inputs, refined.result_types)
        is_same = refined.name == function.name and type_ == function.type
        if is_same and not self._refining.has_changed:
            return old
        changes: dict[str, Attribute] = {"sym_name": StringAttr(refined.name)}
        attributes = old.signature.properties.get("arg_attrs")
        if isinstance(attributes, ArrayAttr):
            changes["arg_attrs"] = ArrayAttr(tuple(attributes.values[index] for index in refined.arguments))
        return remade(old, with_function_type(old.signature, type_, **changes), regions=(region,))

    # --- what may go ---------------------------------------------------------------------------------------

    def _pruned(self, region: Region) -> Region:
        """Returns the body without what has lost its uses."""
        used: dict[ValueTable, set[int]] = {}
        collect_uses(self._refining.body, used)
        used_before = used[self._refining.body.values].union(self._refining.body.blocks[0].arguments)
        return Pruning(used_before, self._is_removable).pruned(region)

    def _is_removable(self, operation: Operation) -> bool:
        if operation.name not in CALLEES:
            return is_constant(operation) or is_pure(operation)
        symbol = operation.attribute(CALLEES[operation.name])
        return isinstance(symbol, SymbolRefAttr) and symbol.root in self._refining.pure_calls

    def _has_no_effect(self, region: Region) -> bool:
        return all(
            self._is_removable(operation) or runs_regions(operation.name) or is_terminator(operation)
            for operation, _ in walk(region)
        )
