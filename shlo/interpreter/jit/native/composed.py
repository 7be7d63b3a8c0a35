"""Functions of single numbers that kernels compose of several steps, by the same steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from shlo.interpreter.jit.native.elementwise import convert
from shlo.interpreter.jit.native.lines import Lines
from shlo.interpreter.jit.native.numbers import FLOAT64, Number, Unsupported
from shlo.interpreter.jit.native.ufunc_loops import apply_ufunc
from shlo.interpreter.kernels.elementwise.special_functions import (
    ERF_INV_BEYOND_CENTER,
    ERF_INV_BEYOND_COEFFICIENTS,
    ERF_INV_COEFFICIENTS,
    ERF_INV_LIMIT,
)


def _erf_inv(lines: Lines, number: Number, x: str) -> str:
    """Writes `special_functions.erf_inv` of a float32."""
    if number.dtype != np.float32:
        raise Unsupported("erf_inv of float64")
    one, type_ = number.literal(1), number.llvm
    below, above = lines.value(f"fsub {type_} {one}, {x}"), lines.value(f"fadd {type_} {one}, {x}")
    product = lines.value(f"fmul {type_} {below}, {above}")
    w = lines.value(f"fneg {type_} {apply_ufunc(lines, np.log, number, product)}")
    first, *others, last = ERF_INV_COEFFICIENTS
    result = number.literal(np.float32(first))
    for coefficient in others:
        result = lines.value(f"fmul {type_} {result}, {w}")
        result = lines.value(f"fadd {type_} {result}, {number.literal(np.float32(coefficient))}")
    wide, wide_w, wide_x = (convert(lines, number, FLOAT64, each) for each in (result, w, x))
    wide = lines.value(f"fmul double {wide}, {wide_w}")
    wide = lines.value(f"fadd double {wide}, {FLOAT64.literal(last)}")
    wide = lines.value(f"fmul double {wide}, {wide_x}")
    beyond = _erf_inv_beyond(lines, wide_x)
    fits = lines.value(f"fcmp ole {type_} {w}, {number.literal(ERF_INV_LIMIT)}")
    return convert(lines, FLOAT64, number, lines.value(f"select i1 {fits}, double {wide}, double {beyond}"))


def _erf_inv_beyond(lines: Lines, x: str) -> str:
    one = FLOAT64.literal(1)
    below, above = lines.value(f"fsub double {one}, {x}"), lines.value(f"fadd double {one}, {x}")
    product = lines.value(f"fmul double {below}, {above}")
    w = lines.value(f"fneg double {apply_ufunc(lines, np.log, FLOAT64, product)}")
    root = apply_ufunc(lines, np.sqrt, FLOAT64, w)
    centered = lines.value(f"fsub double {root}, {FLOAT64.literal(ERF_INV_BEYOND_CENTER)}")
    first, *others = ERF_INV_BEYOND_COEFFICIENTS
    result = FLOAT64.literal(first)
    for coefficient in others:
        result = lines.value(f"fmul double {result}, {centered}")
        result = lines.value(f"fadd double {result}, {FLOAT64.literal(coefficient)}")
    return lines.value(f"fmul double {result}, {x}")


COMPOSED: Final[dict[str, Callable[[Lines, Number, str], str]]] = {"chlo.erf_inv": _erf_inv}
"""Functions by the names of their operations. Those of arrays stay with the kernels."""
