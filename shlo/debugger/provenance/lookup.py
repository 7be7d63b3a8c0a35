"""Which map of elements an operation has: its own, or that of what its definition says."""

from __future__ import annotations

from collections.abc import Sequence

from shlo.debugger.provenance import elementwise
from shlo.debugger.provenance.contributions import Index, OpRun, Terms, TermsOf, registered
from shlo.debugger.provenance.custom_calls import terms_of_call
from shlo.dialects import find_op_def
from shlo.interpreter.kernel_api import OpView


def terms_in(run: OpRun, result: int, index: Index) -> Sequence[Terms] | None:
    """Returns the elements that made the element of a result; None where that is not known."""
    function = function_of(run.view)
    return None if function is None else function(run, result, index)


def is_known(name: str) -> bool:
    """Returns whether an operation says how elements depend on each other."""
    return _by_name(name) is not None


def function_of(view: OpView) -> TermsOf | None:
    """Returns the function that says how elements of an operation depend on each other."""
    if view.name == "stablehlo.custom_call":
        return terms_of_call(view.word("call_target_name"))
    return _by_name(view.name)


def _by_name(name: str) -> TermsOf | None:
    function = registered(name)
    if function is not None:
        return function
    op_def = find_op_def(name)
    if op_def is not None and op_def.has("elementwise"):
        return elementwise.elementwise
    if op_def is not None and op_def.has("annotation"):
        return elementwise.unchanged
    return elementwise.broadcast if name.startswith("chlo.broadcast_") else None
