"""The options in JAX's GPU calls before 2025: the bytes of a C structure in `backend_config`.

A structure begins with the element type. Its other members are 32-bit numbers in the machine's order,
which is little-endian wherever JAX has run.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

from shlo.interpreter.custom_call_api import CustomCall
from shlo.interpreter.kernel_api import KernelError

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
    """Returns the options of a call's structure, by the names that `lettered` knows.

    Raises KernelError if the bytes are not such a structure.
    """
    members = _members(routine, call)
    options = {NAMES[name]: _meaning(name, value) for name, value in members.items() if name in NAMES}
    if "jobu" in members:
        options["mode"] = ord(_meaning("jobu", members["jobu"]))
    return options


def _members(routine: str, call: CustomCall) -> dict[str, int]:
    layout, names = STRUCTURES[routine]
    data = call.config_bytes
    if len(data) != struct.calcsize(layout):
        raise KernelError(f"expected backend_config to be {struct.calcsize(layout)} bytes, got {len(data)}")
    return dict(zip(names.split(), struct.unpack(layout, data)))


def _meaning(name: str, value: int) -> Any:
    known = CODES[name]
    if value not in known:
        accepted = ", ".join(map(str, known))
        raise KernelError(f"expected {name} in backend_config to be one of {accepted}, got {value}")
    return known[value]
