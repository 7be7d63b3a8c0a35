"""Options of LAPACK's routines, and the common form in which all calling conventions pass them.

An option that is a letter is passed as its number (76 is "L").
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.linalg.batching import OnMatrices, blas_routine

DType = np.dtype[Any]
Config = dict[str, Any]


class Computation(NamedTuple):
    """Function of a routine on each matrix, and the names of its results."""

    results: str
    apply: OnMatrices


Factory = Callable[[Config, DType], Computation]
"""From a call's options and the element type to the computation."""

WORKSPACE_COLUMNS = 64
"""A workspace of so many columns is enough for LAPACK's block sizes."""

_LETTERS = {
    "lower": ("uplo", "UL"),
    "left_side": ("side", "RL"),
    "transposition": ("trans_x", "NTC"),
    "unit_diagonal": ("diag", "NU"),
    "left": ("compute_left", "NV"),
    "right": ("compute_right", "NV"),
}
"""Options that other conventions give as numbers: LAPACK's name, and the letter of each number."""


def lettered(options: Mapping[str, Any]) -> Config:
    """Returns options by LAPACK's names and letters; those that have no letters are kept beside them.

    Raises KernelError for a number that has no letter.
    """
    config = dict(options)
    for name, (letter_name, letters) in _LETTERS.items():
        if name in options:
            config[letter_name] = ord(letters[_index(name, options[name], len(letters))])
    if "compute_uv" in options:
        config["mode"] = ord("N" if not options["compute_uv"] else "AS"[not options.get("full_matrices")])
    return config


def _index(name: str, value: Any, count: int) -> int:
    if not isinstance(value, int) or not 0 <= value < count:
        raise KernelError(f"expected the option {name} to be from 0 to {count - 1}, got {value}")
    return value


def letter(config: Config, name: str, accepted: str) -> str:
    """Returns an option that is one of a few letters, given as a number."""
    value = config.get(name)
    found = chr(value) if isinstance(value, int) and 0 < value < 128 else ""
    if not found or found not in accepted:
        raise KernelError(f"the option {name} must be one of {', '.join(accepted)}, but is {value}")
    return found


def is_lower(config: Config) -> bool:
    """Returns whether the lower triangle is the one that is referenced."""
    return letter(config, "uplo", "LU") == "L"


def hermitian(suffix: str, dtype: DType) -> str:
    """Returns the name of a routine for symmetric or, of complex numbers, Hermitian matrices."""
    return ("he" if dtype.kind == "c" else "sy") + suffix


def orthogonal(suffix: str, dtype: DType) -> str:
    """Returns the name of a routine for orthogonal or, of complex numbers, unitary matrices."""
    return ("un" if dtype.kind == "c" else "or") + suffix


def workspace(routine: str, dtype: DType, *sizes: int, **options: Any) -> int:
    """Returns the size of the workspace that LAPACK recommends."""
    return _queried_workspace(routine, dtype, sizes, tuple(options.items()))


@lru_cache(maxsize=256)
def _queried_workspace(
    routine: str, dtype: DType, sizes: tuple[int, ...], options: tuple[tuple[str, Any], ...]
) -> int:
    work = blas_routine(f"{routine}_lwork", dtype)(*sizes, **dict(options))[0]
    return max(1, int(work.real))
