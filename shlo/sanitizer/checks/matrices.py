"""Matrices that are not what a decomposition takes them for."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from shlo.runner.statistics import wide
from shlo.sanitizer.objections import Objection, objection
from shlo.sanitizer.steps import OperationStep

ROUNDING: Final = 16.0
"""How many units of rounding, times the size of a matrix, two elements of a Hermitian one may be apart."""


def not_definite(step: OperationStep) -> Objection | None:
    """Matrices without a Cholesky decomposition: not Hermitian, or not positive definite."""
    matrices, factors = wide(step.operands[0]), wide(step.results[0])
    size = matrices.shape[-1]
    if not matrices.size:
        return None
    mirrored = np.conj(np.swapaxes(matrices, -1, -2))
    is_finite = np.isfinite(matrices).all(axis=(-2, -1))
    largest = np.abs(matrices).max(axis=(-2, -1))
    apart = np.abs(matrices - mirrored)
    narrow = step.operands[0].dtype
    epsilon = float(np.finfo(narrow).eps) if narrow.kind in "fc" else 2.0**-7
    is_skew = apart.max(axis=(-2, -1)) > ROUNDING * size * epsilon * largest
    has_failed = np.isnan(factors).any(axis=(-2, -1))

    def values(at: tuple[int, ...]) -> dict[str, Any]:
        matrix = matrices[at]
        if is_skew[at]:
            row, column = np.unravel_index(int(apart[at].argmax()), apart[at].shape)
            return {
                f"a[{row}, {column}]": matrix[row, column],
                f"a[{column}, {row}]": matrix[column, row],
            }
        return {"least eigenvalue": float(np.linalg.eigvalsh((matrix + mirrored[at]) / 2)[0])}

    return objection(is_finite & (is_skew | has_failed), values)
