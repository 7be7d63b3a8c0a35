"""Kinds of element types, and functions of wide types applied to narrow ones."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from operator import index
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, UfuncLike
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.types import I1, ComplexType, FloatType, IndexType, IntegerType, Type, element_type_of

where: Callable[..., Any] = np.where
"""`np.where`, its result not narrowed by type checkers."""


FAST_DTYPES = frozenset("?bhilqBHILQfd")
"""Type codes of dtypes whose NumPy scalars compute as the arrays do, and quickly."""
SOURCE_NAMES: dict[str, Any] = {"true": np.True_, "float": float, "index": index} | {
    f"{word}_{dtype.name}": dtype.type(value)
    for dtype in map(np.dtype, FAST_DTYPES)
    for word, value in (("zero", 0), ("one", 1), ("minus_zero", -0.0))
    if dtype.kind == "f" or word != "minus_zero"
}
"""What the expressions of kernels may name beside NumPy. Calling a scalar's class takes longer than ten
additions, and so do comparisons of booleans, and their `~`."""


class Kind(Enum):
    """Kind of arithmetic that an element type has."""

    BOOLEAN = "boolean"
    SIGNED = "signed"
    UNSIGNED = "unsigned"
    FLOAT = "float"
    COMPLEX = "complex"


def kind_of(type_: Type) -> Kind:
    """Returns the kind of a tensor's elements; raises KernelError for elements that are not numbers."""
    element = element_type_of(type_)
    if isinstance(element, IntegerType):
        if element == I1:
            return Kind.BOOLEAN
        return Kind.UNSIGNED if element.is_unsigned else Kind.SIGNED
    if isinstance(element, IndexType):
        return Kind.SIGNED
    if isinstance(element, FloatType):
        return Kind.FLOAT
    if isinstance(element, ComplexType):
        return Kind.COMPLEX
    raise KernelError(f"cannot compute with elements of type {element}")


def not_defined(op: OpView) -> KernelError:
    """Returns the error of an operation that is not defined for the elements of its first operand."""
    return KernelError(f"is not defined for elements of type {element_type_of(op.operand_types[0])}")


def element_dtype(type_: Type) -> np.dtype[Any]:
    """Returns the NumPy dtype of a tensor's elements."""
    return dtype_of(element_type_of(type_))


def bits_in(dtype: np.dtype[Any]) -> int:
    """Returns the width of an integer dtype in bits (4 for int4)."""
    name = dtype.name.removeprefix("u").removeprefix("int")
    return 1 if dtype == np.bool_ else int(name)


def unsigned_of(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the unsigned integer dtype with as many bytes."""
    return np.dtype(f"u{dtype.itemsize}")


def contiguous(x: Array) -> Array:
    """Returns the same elements contiguous in memory, as `view` needs them; rank 0 stays rank 0."""
    return np.ascontiguousarray(x).reshape(np.shape(x))


def wide_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Returns the dtype to compute in: float32 for narrower floats, a byte for narrower integers."""
    if is_narrow_integer(dtype):
        return np.dtype(np.uint8 if dtype.name.startswith("u") else np.int8)
    if dtype.isbuiltin == 1 and dtype != np.float16:
        return dtype
    return np.dtype(np.float32)


def is_narrow_integer(dtype: np.dtype[Any]) -> bool:
    """Returns whether a dtype is one of ml_dtypes' integers of two or four bits."""
    return dtype.name in ("int2", "int4", "uint2", "uint4")


_WRAPPING = frozenset({np.add, np.subtract, np.multiply})


def widened(function: KernelFn, dtype: np.dtype[Any]) -> KernelFn:
    """Returns a function of wide elements as one of elements of `dtype` that rounds once.

    A result of the wide type is rounded (integers wrap); one of another type, a comparison's, stays as it is.
    If NumPy's own loop for the narrow type does the same, the function itself is returned; for bfloat16 the
    way through float32 is faster.
    """
    wide = wide_dtype(dtype)
    if wide == dtype or _has_own_loop(function, dtype):
        return function
    return (
        _unary(function, wide, dtype)
        if (isinstance(function, np.ufunc) and function.nin == 1)
        else _rounded(function, wide, dtype)
    )


class InFloat64:
    """A ufunc on float32 (or float64) that is computed in float64 and rounded once. For ufuncs whose own
    float32 loop is more than two units in the last place off. NumPy converts some thousand elements at a
    time."""

    __slots__ = ("ufunc_in_float64",)

    def __init__(self, ufunc_in_float64: np.ufunc) -> None:
        self.ufunc_in_float64 = ufunc_in_float64

    def __call__(self, x: Any, *others: Any) -> Any:
        """Returns the function of arrays of one type, as one of that type."""
        if not any(operand.shape for operand in (x, *others)):
            return x.dtype.type(self.ufunc_in_float64(*map(float, (x, *others))))
        out = None if others else np.empty_like(x)
        result = self.ufunc_in_float64(x, *others, out=out, dtype=np.float64, casting="same_kind")
        return result.astype(x.dtype, copy=False)


def _has_own_loop(function: KernelFn, dtype: np.dtype[Any]) -> bool:
    if isinstance(function, UfuncLike):
        return not is_narrow_integer(dtype)
    if not isinstance(function, np.ufunc) or dtype.name == "bfloat16":
        return False
    return function in _WRAPPING if is_narrow_integer(dtype) else True


def _unary(function: KernelFn, wide: np.dtype[Any], narrow: np.dtype[Any]) -> KernelFn:
    def evaluate(x: Any) -> Any:
        result = function(x.astype(wide))
        return result.astype(narrow) if result.dtype == wide else result

    return evaluate


def _rounded(function: KernelFn, wide: np.dtype[Any], narrow: np.dtype[Any]) -> KernelFn:
    def evaluate(*operands: Any) -> Any:
        result = function(*[operand.astype(wide) for operand in operands])
        return result.astype(narrow) if result.dtype == wide else result

    return evaluate


_BLOCK = 16384
"""Elements at a time, which stay in a fast cache through all steps."""


def in_blocks(function: Callable[[Array, Array], None], x: Array) -> Any:
    """Applies `function`, which fills its second argument, to an array of float32 a block at a time."""
    if np.ndim(x) and x.size <= _BLOCK:
        result = np.empty_like(x)
        function(x, result)
        return result
    flat = contiguous(x).reshape(-1)
    result = np.empty_like(flat)
    for start in range(0, flat.size, _BLOCK):
        function(flat[start : start + _BLOCK], result[start : start + _BLOCK])
    return result.reshape(np.shape(x))
