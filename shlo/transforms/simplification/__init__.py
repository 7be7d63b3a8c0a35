"""Simplification: operations replaced by values that they give anyway, or by simpler operations."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from shlo.dialects.constants import is_constant
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import dtype_of
from shlo.ir.operations import Module, Operation
from shlo.ir.types import QuantizedType, RankedTensorType, Type
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.dead_code import until_unchanged, without_dead_code
from shlo.transforms.rewriting.driver import Rewriter, Rule, rewrite
from shlo.transforms.rewriting.matching import constant, first_of
from shlo.transforms.rewriting.purity import has_no_effect
from shlo.transforms.simplification import arithmetic, dynamic, movement, structured

FOLD_LIMIT = 65_536


def simplify(module: Module, *, fold_limit: int = FOLD_LIMIT) -> Module:
    """Returns the module with simpler operations, until nothing changes; the module itself where nothing
    does.

    Args:
        module: the module to simplify.
        fold_limit: the most elements of a constant that is computed.
    """
    plain = arithmetic.rules(fold_limit) | movement.rules() | dynamic.rules()
    rules = {
        **{name: first_of(_of_numbers(rule), _empty_tensors) for name, rule in plain.items()},
        **{name: first_of(_empty_tensors, rule) for name, rule in structured.rules().items()},
    }
    return until_unchanged(
        module,
        lambda built: without_dead_code(rewrite(built, rules, default=_empty_tensors)),
        start=without_dead_code(module),
    )


def _of_numbers(rule: Rule) -> Rule:
    """Returns a rule for tensors of known rank that are not quantized."""

    def guarded(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        types = (*operation.operand_types, *operation.result_types)
        return rule(rewriter, operation) if all(map(_has_numbers, types)) else None

    return guarded


def _has_numbers(type_: Type) -> bool:
    return isinstance(type_, RankedTensorType) and not isinstance(type_.element_type, QuantizedType)


def _is_empty(type_: Type) -> bool:
    """Returns whether tensors of a type have no elements."""
    if not isinstance(type_, RankedTensorType) or not type_.is_static:
        return False
    return type_.element_count == 0 and not isinstance(type_.element_type, QuantizedType)


def _empty_tensors(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
    """Constants in place of operands and results without elements, of an operation without effects."""
    types = (*operation.operand_types, *operation.result_types)
    if not operation.name.startswith("stablehlo.") or not any(map(_is_empty, types)):
        return None
    if is_constant(operation) or not has_no_effect(operation):
        return None
    if operation.results and all(map(_is_empty, operation.result_types)):
        return [_empty(rewriter, type_) for type_ in operation.result_types]
    values = rewriter.refs(operation.operands)
    built = [
        _empty(rewriter, value.type) if _is_empty(value.type) and constant(rewriter, value) is None else value
        for value in values
    ]
    if built == list(values):
        return None
    signature = operation.signature
    regions = tuple(map(rewriter.copied_region, operation.regions))
    return rewriter.create(
        operation.name, built, signature.result_types, signature.properties, regions, signature.attributes
    )


def _empty(rewriter: Rewriter, type_: Type) -> ValueRef:
    assert isinstance(type_, RankedTensorType)
    elements = np.zeros(type_.static_shape, dtype_of(type_.element_type))
    return rewriter.dense(DenseElementsAttr(type_, elements))
