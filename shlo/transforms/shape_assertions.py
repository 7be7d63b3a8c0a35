"""Assertions about sizes that constants decide: those that hold go, those that do not are errors."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.interpreter.custom_calls.checks import SIZE_MISMATCH, filled_message
from shlo.ir.attributes import StringAttr
from shlo.ir.operations import Module, Operation
from shlo.transforms.refinement.custom_call_forms import target_of
from shlo.transforms.rewriting.builder import ValueRef
from shlo.transforms.rewriting.driver import Rewriter, rewrite
from shlo.transforms.simplification.matching import constant_integers, splat_number

ASSERTION = "shape_assertion"


def check_shape_assertions(module: Module, *, enable_errors: bool = True) -> Module:
    """Returns the module without `stablehlo.custom_call @shape_assertion`.

    Args:
        module: the module to check.
        enable_errors: whether an assertion that does not hold is an error; otherwise all go unchecked.

    Raises PassError, with its place and the assertion's message, for one that does not hold, and for one that
    no constant decides.
    """

    def rule(rewriter: Rewriter, operation: Operation) -> Sequence[ValueRef] | None:
        if target_of(operation) != ASSERTION:
            return None
        if enable_errors:
            _check(rewriter, operation)
        return []

    return rewrite(module, {"stablehlo.custom_call": rule})


def _check(rewriter: Rewriter, operation: Operation) -> None:
    values = rewriter.refs(operation.operands)
    holds = splat_number(rewriter, values[0]) if values else None
    if holds is None:
        raise rewriter.error("expected a constant as the first operand of a shape assertion", operation)
    if holds:
        return
    message = operation.attribute("error_message")
    text = message.value if isinstance(message, StringAttr) else SIZE_MISMATCH
    sizes = [constant_integers(rewriter, value) for value in values[1:]]
    shown = [str(size[0]) if size else "?" for size in sizes]
    raise rewriter.error(filled_message(text, shown), operation)
