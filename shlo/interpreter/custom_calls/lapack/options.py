"""Options of LAPACK's routines, and the common form in which all calling conventions pass them.

An option that is a letter is passed as its number (76 is "L"). JAX's GPU calls before 2025 have bytes of a
C structure in `backend_config`: it begins with the element type; its other members are 32-bit numbers in the
machine's order, which is little-endian wherever JAX has run.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.linalg import AtOnce, OnMatrices
from shlo.interpreter.kernels.routine_calls import blas_routine

DType = np.dtype[Any]
Config = dict[str, Any]


class Computation(NamedTuple):
    """Function of a routine on each matrix, the names of its results, and perhaps the function of a whole
    batch."""

    results: str
    apply: OnMatrices
    at_once: AtOnce | None = None


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
    """Returns options by LAPACK's names and letters; those that have no letters are kept beside them. Raises
    KernelError for a number that has no letter."""
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
    text = chr(value) if isinstance(value, int) and 0 < value < 128 else ""
    if not text or text not in accepted:
        raise KernelError(f"the option {name} must be one of {', '.join(accepted)}, but is {value}")
    return text


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


STRUCTURES: dict[str, tuple[str, str]] = {
    "gesvd": ("<5ibb2x", "type batch m n lwork jobu jobvt"),
    "gesvdj": ("<7i", "type batch m n lwork jobz econ"),
    "potrf": ("<2i2qi4x", "type uplo batch n lwork"),
    "syevd": ("<5i", "type uplo batch n lwork"),
    "syevj": ("<5i", "type uplo batch n lwork"),
    "sytrd": ("<6i", "type uplo batch n lda lwork"),
    "trsm": ("<8i", "type batch m n side uplo trans diag"),
}
"""Layout and members of the structures that say more than sizes, by the routine."""

CODES: dict[str, dict[int, Any]] = {
    "uplo": {0: True, 1: False, 121: False, 122: True},
    "side": {0: True, 1: False, 141: True, 142: False},
    "trans": {0: 0, 1: 1, 2: 2, 111: 0, 112: 1, 113: 2},
    "diag": {0: False, 1: True, 131: False, 132: True},
    "jobz": {0: False, 1: True, 201: False, 202: True},
    "econ": {0: True, 1: False},
    "jobu": {ord("A"): "A", ord("S"): "S", ord("N"): "N"},
}
"""What the numbers of CUDA's enumerations mean, and those of ROCm's, which begin at 100."""

NAMES = {
    "uplo": "lower",
    "side": "left_side",
    "trans": "transposition",
    "diag": "unit_diagonal",
    "jobz": "compute_uv",
    "econ": "full_matrices",
}
"""The option, by the name that `lettered` knows, of each member."""


def described_options(routine: str, call: CustomCall) -> Mapping[str, Any]:
    """Returns the options of a call's structure by `lettered`'s names; raises KernelError for other bytes."""
    layout, names = STRUCTURES[routine]
    data = call.config_bytes
    if len(data) != struct.calcsize(layout):
        raise KernelError(f"expected backend_config to be {struct.calcsize(layout)} bytes, got {len(data)}")
    members = dict(zip(names.split(), struct.unpack(layout, data)))
    options = {NAMES[name]: _meaning(name, value) for name, value in members.items() if name in NAMES}
    if "jobu" in members:
        options["mode"] = ord(_meaning("jobu", members["jobu"]))
    return options


def _meaning(name: str, value: int) -> Any:
    meanings = CODES[name]
    if value not in meanings:
        accepted = ", ".join(map(str, meanings))
        raise KernelError(f"expected {name} in backend_config to be one of {accepted}, got {value}")
    return meanings[value]
