"""Custom calls of a function that is refined."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.dialects.inference import met_types
from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS
from shlo.interpreter.custom_calls.checks import SIZE_MISMATCH, filled_message
from shlo.interpreter.runtime.values import is_static
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Operation
from shlo.ir.source import Span
from shlo.ir.types import Type
from shlo.transforms.refinement.custom_call_forms import (
    operation_behind,
    shapes_in_operands,
    target_of,
    with_shape,
    without_shape_operands,
)
from shlo.transforms.refinement.state import Refining
from shlo.transforms.rewriting.rebuild import remade, with_types


def refine_custom_call(refining: Refining, operation: Operation, span: Span) -> list[Operation]:
    """Returns the call with results of known sizes, or the operation that represents it; nothing where it
    asserts what holds.
    """
    new = refining.retyped(operation)
    if target_of(new) == "shape_assertion":
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
    is_annotation = target_of(operation) in ANNOTATIONS
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
    message = operation.attribute("error_message")
    text = message.value if isinstance(message, StringAttr) else SIZE_MISMATCH
    shown = ["?" if size is None else str(int(size)) for size in sizes]
    raise refining.error(filled_message(text, shown), operation, span)
