"""Elements as bits: what memory holds, in hexadecimal digits and in the fields of a floating-point number."""

from __future__ import annotations

from typing import Any, cast

import ml_dtypes
import numpy as np

from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating


def hex_text(number: Any) -> str:
    """Returns the bits of an element: `0x3f800000`; those of a complex one as two numbers."""
    return " ".join(f"0x{bits:0{-(-width // 4)}x}" for bits, width, _ in _parts(np.asarray(number)))


def fields_text(number: Any) -> str:
    """Returns sign, exponent and fraction in binary digits: `0 01111111 00000000000000000000000`; of a type
    without such parts, all digits.
    """
    texts: list[str] = []
    for bits, width, part in _parts(np.asarray(number)):
        digits = f"{bits:0{width}b}"
        if is_floating(part):
            fraction, sign = width - _fraction_width(part.dtype), 0 if _is_unsigned(part) else 1
            digits = " ".join(filter(None, (digits[:sign], digits[sign:fraction], digits[fraction:])))
        texts.append(digits)
    return " | ".join(texts)


def _fraction_width(dtype: np.dtype[Any]) -> int:
    limits = cast("Any", ml_dtypes.finfo)(dtype)
    return int(limits.nmant)


def _is_unsigned(part: Array) -> bool:
    return part.dtype.name == "float8_e8m0fnu"


def _parts(array: Array) -> list[tuple[int, int, Array]]:
    """Returns bits, how many there are, and the number itself; of a complex number, for both parts."""
    if array.dtype.kind == "c":
        return [*_parts(np.real(array)), *_parts(np.imag(array))]
    raw = int.from_bytes(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes(), "little")
    width = _width(array.dtype)
    return [(raw & ((1 << width) - 1), width, array)]


def _width(dtype: np.dtype[Any]) -> int:
    """Returns how many bits a type has; the narrow ones take a byte in memory."""
    if dtype.kind == "b":
        return 1
    name = dtype.name.removeprefix("u")
    if name in ("int1", "int2", "int4"):
        return int(name[3:])
    if name.startswith(("float4_", "float6_")):
        return int(name[5])
    return dtype.itemsize * 8
