"""NumPy dtypes for the elements of MLIR element types.

Types narrower than a byte take one byte an element in memory; `ml_dtypes` gives the types that NumPy lacks.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from shlo.ir.types import F32, F64, I1, ComplexType, FloatType, IndexType, IntegerType, QuantizedType, Type

Array = np.ndarray[Any, np.dtype[Any]]


class FloatFormat(NamedTuple):
    """A floating-point type: all bits, exponent bits, stored mantissa bits, NumPy or ml_dtypes name."""

    width: int
    exponent: int
    mantissa: int
    dtype: str


FLOAT_FORMATS: dict[str, FloatFormat] = {
    "f64": FloatFormat(64, 11, 52, "float64"),
    "f32": FloatFormat(32, 8, 23, "float32"),
    "tf32": FloatFormat(19, 8, 10, ""),
    "f16": FloatFormat(16, 5, 10, "float16"),
    "bf16": FloatFormat(16, 8, 7, "bfloat16"),
    "f8E5M2": FloatFormat(8, 5, 2, "float8_e5m2"),
    "f8E4M3": FloatFormat(8, 4, 3, "float8_e4m3"),
    "f8E4M3FN": FloatFormat(8, 4, 3, "float8_e4m3fn"),
    "f8E5M2FNUZ": FloatFormat(8, 5, 2, "float8_e5m2fnuz"),
    "f8E4M3FNUZ": FloatFormat(8, 4, 3, "float8_e4m3fnuz"),
    "f8E4M3B11FNUZ": FloatFormat(8, 4, 3, "float8_e4m3b11fnuz"),
    "f8E3M4": FloatFormat(8, 3, 4, "float8_e3m4"),
    "f8E8M0FNU": FloatFormat(8, 8, 0, "float8_e8m0fnu"),
    "f6E2M3FN": FloatFormat(6, 2, 3, "float6_e2m3fn"),
    "f6E3M2FN": FloatFormat(6, 3, 2, "float6_e3m2fn"),
    "f4E2M1FN": FloatFormat(4, 2, 1, "float4_e2m1fn"),
    "f80": FloatFormat(80, 15, 63, ""),
    "f128": FloatFormat(128, 15, 112, ""),
}

INTEGER_WIDTHS = (2, 4, 8, 16, 32, 64)
"""Bits of the integers that NumPy or ml_dtypes has, but for booleans."""
_COMPLEX: dict[Type, str] = {F32: "complex64", F64: "complex128"}
_NUMPY_NAMES = {"bool", "float16", "float32", "float64", "complex64", "complex128"} | {
    f"{prefix}{width}" for prefix in ("int", "uint") for width in (8, 16, 32, 64)
}


class UnsupportedTypeError(ValueError):
    """An element type that no NumPy array can hold."""


def saveable(array: Any) -> Array:
    """Returns an array as one that `np.save` writes readably: of a type that NumPy lacks, its bytes as void.

    NumPy does so itself for all of ml_dtypes but float8_e5m2, which it calls `<f1` and then refuses to read.
    """
    array = np.asarray(array)
    return array if array.dtype.isbuiltin == 1 else array.view(np.dtype((np.void, array.dtype.itemsize)))


@cache
def dtype_of(element_type: Type) -> np.dtype[Any]:
    """Returns the dtype for an element type (a quantized type: of its storage).

    Raises UnsupportedTypeError.
    """
    if isinstance(element_type, QuantizedType):
        return dtype_of(element_type.storage_type)
    name = _dtype_name(element_type)
    if not name:
        raise UnsupportedTypeError(f"no array can hold elements of type {element_type}")
    if name in _NUMPY_NAMES:
        return np.dtype(name)
    import ml_dtypes

    return np.dtype(getattr(ml_dtypes, name))


def _dtype_name(element_type: Type) -> str:
    """Returns the name in NumPy or ml_dtypes, empty where there is none."""
    if isinstance(element_type, IndexType):
        return "int64"
    if isinstance(element_type, IntegerType):
        if element_type == I1:
            return "bool"
        sign = "u" if element_type.is_unsigned else ""
        return f"{sign}int{element_type.width}" if element_type.width in INTEGER_WIDTHS else ""
    if isinstance(element_type, FloatType):
        return FLOAT_FORMATS[element_type.name].dtype if element_type.name in FLOAT_FORMATS else ""
    if isinstance(element_type, ComplexType):
        return _COMPLEX.get(element_type.element_type, "")
    return ""


class FloatLimits(NamedTuple):
    """How fine a floating-point type is, and how small its numbers are.

    Args:
        epsilon: the distance from 1 to the next number.
        smallest_normal: the smallest positive number with all its digits.
    """

    epsilon: float
    smallest_normal: float


@cache
def float_limits(dtype: np.dtype[Any]) -> FloatLimits:
    """Returns the limits of a floating-point type, or of the parts of a complex one."""
    import ml_dtypes

    info: Any = cast("Any", ml_dtypes).finfo(dtype)
    return FloatLimits(float(info.eps), float(info.smallest_normal))


@cache
def largest_finite(dtype: np.dtype[Any]) -> float:
    """Returns the largest finite number of a floating-point type, or of the parts of a complex one."""
    import ml_dtypes

    return float(cast("Any", ml_dtypes).finfo(dtype).max)


@cache
def storage_dtype(element_type: Type) -> np.dtype[Any]:
    """Returns the dtype that keeps elements of a numeric type: `dtype_of`, or raw bytes if there is none."""
    try:
        return dtype_of(element_type)
    except UnsupportedTypeError:
        return np.dtype(f"V{raw_item_size(element_type)}")


def raw_item_size(element_type: Type) -> int:
    """Returns how many bytes an element takes by itself, in MLIR's raw layout as in NumPy's arrays."""
    if isinstance(element_type, ComplexType):
        return 2 * raw_item_size(element_type.element_type)
    return max(1, (bit_width(element_type) + 7) // 8)


@cache
def element_type_for(dtype: np.dtype[Any]) -> Type:
    """Returns the StableHLO element type that an array of this dtype holds; raises UnsupportedTypeError."""
    type_ = element_type_named(dtype.name)
    if type_ is None:
        raise UnsupportedTypeError(f"StableHLO has no element type for NumPy's {dtype.name}")
    return type_


def element_type_named(name: str) -> Type | None:
    """Returns the element type that has a name in NumPy or ml_dtypes; None where there is none."""
    return _by_dtype_name().get(name)


@cache
def _by_dtype_name() -> dict[str, Type]:
    integers = [IntegerType(width, sign) for width in INTEGER_WIDTHS for sign in ("signless", "unsigned")]
    types = (IntegerType(1), *integers, *map(FloatType, FLOAT_FORMATS), *map(ComplexType, _COMPLEX))
    return {name: type_ for type_ in types if (name := _dtype_name(type_))}


def bit_width(element_type: Type) -> int:
    """Returns the bits of one element in the type's own terms (`i4`: 4, `complex<f32>`: 64, `index`: 64)."""
    if isinstance(element_type, IntegerType):
        return element_type.width
    if isinstance(element_type, FloatType):
        return FLOAT_FORMATS[element_type.name].width
    if isinstance(element_type, ComplexType):
        return 2 * bit_width(element_type.element_type)
    if isinstance(element_type, QuantizedType):
        return element_type.storage_type.width
    if isinstance(element_type, IndexType):
        return 64
    raise UnsupportedTypeError(f"{element_type} has no width in bits")
