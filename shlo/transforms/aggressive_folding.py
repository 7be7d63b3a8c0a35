"""Constant folding as a pass: what constants decide is computed, and branches that constants choose are
inlined.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shlo.dialects.constants import constant_elements
from shlo.ir.attributes import IntegerAttr
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.operations import Module, Operation
from shlo.ir.types import RankedTensorType
from shlo.transforms.constant_folding import MAX_ELEMENTS, fold
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.dead_code import until_unchanged, without_dead_code
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.matching import constant_integers, splat_number


def aggressive_fold(
    module: Module, *, fold_limit: int = MAX_ELEMENTS, assume_no_effects: bool = False
) -> Module:
    """Returns the module with constants in place of what constants decide, until nothing changes.

    Args:
        module: the module to fold.
        fold_limit: the most elements of a constant that is computed.
        assume_no_effects: whether calls and custom calls that declare no effect have none, so that those
        whose results nothing uses go.
    """
    removable = frozenset({"func.call"}) if assume_no_effects else frozenset[str]()
    return until_unchanged(
        module,
        lambda built: without_dead_code(fold(rewrite(built, _RULES), max_elements=fold_limit), removable),
    )


def _case(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the branch that a constant chooses; the last one, where there is none of that number."""
    index = constant_integers(rewriter, rewriter.ref(operation.operands[0]))
    count = len(operation.regions)
    if not index or not count:
        return None
    return _inlined(rewriter, operation, index[0] if 0 <= index[0] < count else count - 1)


def _if(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the branch that a constant chooses."""
    truth = splat_number(rewriter, rewriter.ref(operation.operands[0]))
    return None if truth is None else _inlined(rewriter, operation, 0 if truth else 1)


def _inlined(rewriter: Rewriter, operation: Operation, number: int) -> Sequence[ValueRef] | None:
    region = operation.regions[number]
    if len(region.blocks) != 1 or region.blocks[0].operations[-1].operand_types != operation.result_types:
        return None
    return rewriter.inlined(region, ())


def _while(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the initial values of a loop whose condition is the constant false."""
    (block,) = operation.regions[0].blocks
    last = block.operations[-1]
    definitions = {result: inner for inner in block.operations for result in inner.results}
    source = definitions.get(last.operands[0])
    value = rewriter.current(last.operands[0])
    truth = splat_number(rewriter, value) if source is None else _truth(source)
    return rewriter.refs(operation.operands) if truth is not None and not truth else None


def _truth(operation: Operation) -> bool | None:
    elements = constant_elements(operation)
    return None if elements is None else bool(elements.array.all())


def _set_dimension_size(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the tensor, where the size is set that it has."""
    value, size = rewriter.refs(operation.operands)
    axis, sizes = operation.attribute("dimension"), constant_integers(rewriter, size)
    if not isinstance(axis, IntegerAttr) or not sizes or value.type != operation.result_types[0]:
        return None
    return [value] if value.tensor.shape[axis.value] == sizes[0] else None


def _splat_slice(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Returns the number that all elements are, wherever the slice starts."""
    (type_,), number = operation.result_types, splat_number(rewriter, rewriter.ref(operation.operands[0]))
    if number is None or not isinstance(type_, RankedTensorType) or not type_.is_static:
        return None
    return [rewriter.dense(DenseElementsAttr(type_, number.reshape(())))]


def _concatenate(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Neighbours that are constants of one number as one constant."""
    values, axis = rewriter.refs(operation.operands), operation.attribute("dimension")
    if not isinstance(axis, IntegerAttr):
        return None
    built: list[ValueRef] = []
    for value in values:
        if built and _are_same(rewriter, built[-1], value):
            built[-1] = _lengthened(rewriter, built[-1], value, axis.value)
        else:
            built.append(value)
    if len(built) == len(values) or len(built) == 1:
        return None
    return rewriter.create(operation.name, built, operation.result_types, operation.signature.properties)


def _are_same(rewriter: Rewriter, one: ValueRef, other: ValueRef) -> bool:
    numbers = splat_number(rewriter, one), splat_number(rewriter, other)
    return all(number is not None for number in numbers) and numbers[0].tobytes() == numbers[1].tobytes()


def _lengthened(rewriter: Rewriter, one: ValueRef, other: ValueRef, axis: int) -> ValueRef:
    shape = list(one.tensor.static_shape)
    shape[axis] += other.tensor.static_shape[axis]
    type_ = RankedTensorType(tuple(shape), one.element_type)
    return rewriter.dense(DenseElementsAttr(type_, splat_number(rewriter, one).reshape(())))


_RULES: Final[dict[str, Rule]] = {
    "stablehlo.case": _case,
    "stablehlo.concatenate": _concatenate,
    "stablehlo.dynamic_slice": _splat_slice,
    "stablehlo.if": _if,
    "stablehlo.set_dimension_size": _set_dimension_size,
    "stablehlo.while": _while,
}
