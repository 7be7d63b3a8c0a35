"""Custom calls that come with shlo: those that pass their operands on, work element by element, or on whole
matrices.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import numpy as np

from shlo.debugger.provenance.contributions import Index, OpRun, Terms, TermsOf, positions_in, whole
from shlo.debugger.provenance.elementwise import elementwise, unchanged
from shlo.interpreter.custom_calls.devices import TARGETS
from shlo.interpreter.custom_calls.registry import find_handler
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.sync_points import SHARDING_CALLS

_BUILT_IN: Final = "shlo.interpreter.custom_calls."

PASSED_ON: Final = frozenset(
    (
        *TARGETS,
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
    module = _module_of(target)
    if module.startswith(f"{_BUILT_IN}lapack"):
        return _matrices
    return _everything if module.startswith(_BUILT_IN) else None


def _module_of(target: str) -> str:
    """Returns the module of the function that handles a target; empty where there is none."""
    try:
        handler: Any = find_handler(target, {})
    except KernelError:
        return ""
    function = handler.func if isinstance(handler, partial) else handler
    return str(getattr(function, "__module__", ""))


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
