"""Which map of elements an operation has: its own, that of its definition, that of a custom call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from shlo.debugger.provenance import lines, movement
from shlo.debugger.provenance.contributions import (
    Index,
    OpRun,
    Terms,
    TermsOf,
    positions_in,
    registered,
    whole,
)
from shlo.debugger.provenance.elementwise import broadcast, elementwise, unchanged
from shlo.dialects import find_op_def
from shlo.dialects.opdef import OpDef
from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS, OPERAND_WRAPPER, SHARDING_CALLS
from shlo.interpreter.custom_calls.registry import built_in_module
from shlo.interpreter.kernel_api import OpView
from shlo.ir.types import F32, FunctionType, RankedTensorType, TokenType

PASSED_ON: Final = frozenset(
    (
        *ANNOTATIONS,
        *SHARDING_CALLS,
        "Pin",
        "Unpin",
        "SetBound",
        OPERAND_WRAPPER,
    )
)
"""Targets that return their operands."""

BY_ELEMENT: Final = frozenset(("X64Combine", "X64SplitHigh", "X64SplitLow"))
"""Targets that work on each element alone."""


def terms_of_call(target: str) -> TermsOf | None:
    """Returns how elements of a custom call depend on each other; None for a target of others."""
    if target in PASSED_ON:
        return unchanged
    if target in BY_ELEMENT or (target.startswith("mhlo.") and target != "mhlo.topk"):
        return elementwise
    if target in ("AllocateBuffer", "CreateBuffer"):
        return _nothing
    if target in ("TopK", "mhlo.topk"):
        return _rows
    module = built_in_module(target)
    if ".lapack." in module:
        return _matrices
    return _everything if module else None


def _nothing(run: OpRun, result: int, index: Index) -> list[Terms]:
    return []


def _everything(run: OpRun, result: int, index: Index) -> list[Terms]:
    return [whole(operand, array) for operand, array in enumerate(run.arrays)]


def _rows(run: OpRun, result: int, index: Index) -> list[Terms]:
    return [Terms(0, positions_in(run.arrays[0].shape)[index[:-1]].reshape(-1), "term")]


def _matrices(run: OpRun, result: int, index: Index) -> list[Terms]:
    """All elements of the same element of the batch: the dimensions before those of a matrix."""
    largest = max(run.arrays, key=lambda array: array.ndim)
    rank = max(largest.ndim - 2, 0)
    terms: list[Terms] = []
    for operand, array in enumerate(run.arrays):
        if rank and array.shape[:rank] == largest.shape[:rank] and len(index) >= rank:
            positions = np.asarray(positions_in(array.shape)[index[:rank]]).reshape(-1)
            terms.append(Terms(operand, positions, "term"))
        else:
            terms.append(whole(operand, array))
    return terms


def terms_in(run: OpRun, result: int, index: Index) -> Sequence[Terms] | None:
    """Returns the elements that made the element of a result; None where that is not known."""
    function = function_of(run.view)
    if function is None:
        return None
    with np.errstate(all="ignore"):  # comparing NaN of bf16 warns
        return function(run, result, index)


def is_known(name: str) -> bool:
    """Returns whether an operation says how elements depend on each other."""
    return _by_name(name) is not None


def function_of(view: OpView) -> TermsOf | None:
    """Returns the function that says how elements of an operation depend on each other."""
    if view.name == "stablehlo.custom_call":
        return terms_of_call(view.word("call_target_name"))
    return _by_name(view.name)


def _by_name(name: str) -> TermsOf | None:
    op_def = find_op_def(name)
    if op_def is not None and op_def.static_form is not None and registered(name) is None:
        op_def = find_op_def(op_def.static_form.name)
    function = registered(name if op_def is None else op_def.name)
    if function is not None:
        return function
    if op_def is not None:
        if op_def.has("elementwise"):
            return elementwise
        if op_def.has("annotation") or _is_sharding(op_def):
            return unchanged
        if op_def.quantized == "storage":
            return movement.move_stored
        if _makes_tensor(op_def):
            return lines.source
    return broadcast if name.startswith("chlo.broadcast_") else None


def _makes_tensor(op_def: OpDef) -> bool:
    """Returns whether an operation makes a tensor of no operands."""
    if not op_def.results or op_def.operands or op_def.regions:
        return False
    constraint = op_def.results[0].constraint
    others = TokenType(), FunctionType((), ())
    return constraint.matches(RankedTensorType((), F32)) or not any(map(constraint.matches, others))


def _is_sharding(op_def: OpDef) -> bool:
    """Returns whether an operation of Shardy says where parts are, and leaves the whole tensor as it is."""
    return op_def.dialect == "sdy" and bool(op_def.operands and op_def.results and not op_def.regions)
