"""Judges results beside recorded ones.

Factors that are not unique, as eigenvectors are, are judged by what they are for: the matrix that they make
up, or the equation that they solve.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tests.corpora.back_compat_data import Entry

Array = np.ndarray[Any, Any]
Arrays = Sequence[Array]


def difference(entry: Entry, results: Arrays) -> str:
    """Returns in what results differ from the recorded ones, "" where they do not."""
    recorded = [np.asarray(output) for output in entry.outputs]
    if [(a.shape, a.dtype) for a in results] != [(a.shape, a.dtype) for a in recorded]:
        return f"expected {_types(recorded)}, got {_types(results)}"
    judge = next((judge for word, judge in JUDGES.items() if word in entry.key), None)
    if judge is not None:
        return judge(results, recorded)
    return _first([_close(a, b, f"result {i}") for i, (a, b) in enumerate(zip(results, recorded))])


def _eigh(results: Arrays, recorded: Arrays) -> str:
    """Vectors are orthonormal, and values and vectors make up the matrix that the recorded ones make up."""
    (v, w), (expected_v, expected_w) = results, recorded
    return _first(
        [
            _close(w, expected_w, "eigenvalues"),
            _orthonormal(v),
            _close(
                (v * w[..., None, :]) @ _adjoint(v),
                (expected_v * expected_w) @ _adjoint(expected_v),
                "the matrix",
            ),
        ]
    )


def _eig(results: Arrays, _: Arrays) -> str:
    """Returns values and vectors solve their equations.

    The matrix, whose eigenvalue 0 is a double one, counts up from 0.
    """
    w, left, right = results
    a = np.arange(left.size).reshape(left.shape)
    return _first([_solves(a, w, right, "right"), _solves(a.T, w.conj(), left, "left")])


def _solves(a: Array, w: Array, vectors: Array, what: str) -> str:
    residual = np.linalg.norm(a @ vectors - w * vectors)
    limit = 100 * (len(a) + 1) * np.finfo(w.dtype).eps
    return "" if residual < limit else f"{what} eigenvectors are off by {residual:.3g}"


def _schur(results: Arrays, recorded: Arrays) -> str:
    """Vectors are orthonormal, and make up the matrix that the recorded ones make up."""
    (t, z), (expected_t, expected_z) = results, recorded
    matrix = z @ t @ _adjoint(z)
    return _first(
        [_orthonormal(z), _close(matrix, expected_z @ expected_t @ _adjoint(expected_z), "the matrix")]
    )


def _svd(results: Arrays, recorded: Arrays) -> str:
    """Vectors are orthonormal, and make up the matrix that the recorded ones make up."""
    (u, s, vt), (expected_u, expected_s, expected_vt) = results, recorded
    k = s.shape[-1]
    return _first(
        [
            _close(s, expected_s, "singular values"),
            _orthonormal(u),
            _orthonormal(_adjoint(vt)),
            _close(
                (u[..., :k] * s[..., None, :]) @ vt[..., :k, :],
                (expected_u[..., :k] * expected_s[..., None, :]) @ expected_vt[..., :k, :],
                "the matrix",
            ),
        ]
    )


JUDGES: dict[str, Callable[[Arrays, Arrays], str]] = {
    "_eigh": _eigh,
    "_syev": _eigh,
    "Eigh": _eigh,
    "_eig_": _eig,
    "_schur_": _schur,
    "_svd_": _svd,
}
"""How to judge results that are not unique, by a part of the key; what comes first is tried first."""


def _close(found: Array, expected: Array, what: str) -> str:
    """Returns what is wrong with an array, "" where it is within the tolerance of JAX's own tests; what is
    small beside the largest element is judged by that one.
    """
    if expected.dtype.kind not in "fc":
        return (
            ""
            if np.array_equal(found, expected)
            else f"{what} differ: {found.tolist()}, not {expected.tolist()}"
        )
    is_wide = expected.dtype in (np.float64, np.complex128)
    relative = 1e-5 if is_wide else 1e-3
    finite = np.abs(expected[np.isfinite(expected)])
    absolute = (1e-12 if is_wide else 1e-5) * max(1.0, float(finite.max(initial=0)))
    if np.allclose(found, expected, relative, absolute, equal_nan=True):
        return ""
    return f"{what} differ by up to {np.nanmax(np.abs(found - expected)):.3g}"


def _orthonormal(columns: Array) -> str:
    product = _adjoint(columns) @ columns
    limit = 100 * columns.shape[-2] * np.finfo(columns.dtype).eps
    error = float(np.abs(product - np.eye(product.shape[-1])).max(initial=0))
    return "" if error < limit else f"vectors are off from orthonormal ones by {error:.3g}"


def _adjoint(matrix: Array) -> Array:
    return np.conj(np.swapaxes(matrix, -1, -2))


def _first(findings: Sequence[str]) -> str:
    return next((finding for finding in findings if finding), "")


def _types(arrays: Arrays) -> str:
    return ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays) or "nothing"
