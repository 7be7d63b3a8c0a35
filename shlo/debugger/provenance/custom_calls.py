"""Custom calls that come with shlo: those that pass their operands on, work element by element, or on whole
matrices.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from shlo.debugger.provenance.contributions import Index, OpRun, Terms, TermsOf, positions_in, whole
from shlo.debugger.provenance.elementwise import elementwise, unchanged
from shlo.dialects.stablehlo.custom_call_targets import ANNOTATIONS, SHARDING_CALLS
from shlo.interpreter.custom_calls.registry import built_in_module

PASSED_ON: Final = frozenset(
    (
        *ANNOTATIONS,
        *SHARDING_CALLS,
        "Pin",
        "Unpin",
        "SetBound",
        "stablehlo.shape_refinement_operand_wrapper",
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
