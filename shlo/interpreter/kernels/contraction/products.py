"""Products of matrices, formed in an arithmetic that leaves the declared result exact or rounded once.

Shared by `dot` and `convolution`. Operands are first converted to a working dtype: the float or complex type
of the BLAS routine that does the work (also for integers whose sums provably stay exact in it), else the
integers of the result.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.kernels.contraction.tiles import tile_for, tiled_product
from shlo.interpreter.kernels.numeric import Kind, kind_of, wide_dtype
from shlo.ir.dtypes import FLOAT_FORMATS, Array, dtype_of
from shlo.ir.types import I1, FloatType, IntegerType, Type

DType = np.dtype[Any]
Product = Callable[[Array, Array], Array]
Sizes = tuple[int, int, int]
Finish = Callable[[Array], Array]

_F32, _F64 = np.dtype(np.float32), np.dtype(np.float64)
_F32_EXACT, _F64_EXACT = 2**24, 2**53
_BY_INTEGERS = 4096
"""Up to so many multiplications NumPy's own integer loop is faster than a detour through floats."""
_BY_TERMS = 4096
"""Up to so many multiplications complex sums are formed one term after the other."""
_BY_LIMBS = 2**20
"""From so many multiplications on, splitting wide integers into limbs for BLAS pays."""
_LIMB_BITS = 16
_INTEGERS = (Kind.SIGNED, Kind.UNSIGNED)


def working_dtype(lhs: Type, rhs: Type, result: Type, terms: int | None) -> DType:
    """Returns the dtype in which sums of `terms` products (None: unknown) are formed. The other arguments are
    element types. Raises KernelError if no product of such operands can have such a result."""
    kinds = [kind_of(type_) for type_ in (lhs, rhs, result)]
    _check_kinds(kinds, (lhs, rhs, result))
    if kinds[2] is Kind.COMPLEX:
        return dtype_of(result)
    if kinds[2] is Kind.FLOAT:
        wide = any(
            isinstance(type_, FloatType) and FLOAT_FORMATS[type_.name].width > 32
            for type_ in (lhs, rhs, result)
        )
        return _F64 if wide else _F32
    if kinds[2] is Kind.BOOLEAN:
        return _F32  # a sum of products is zero where no product is one, and only there
    bound = None if terms is None else _magnitude(lhs) * _magnitude(rhs) * terms
    if bound is not None and bound < _F32_EXACT:
        return _F32
    if bound is not None and bound < _F64_EXACT:
        return _F64
    return wide_dtype(dtype_of(result))


def _check_kinds(kinds: list[Kind], types: tuple[Type, ...]) -> None:
    *operands, result = ("integer" if kind in _INTEGERS else kind.value for kind in kinds)
    allowed = {
        "complex": {"complex", "float"},
        "float": {"float", "integer", "boolean"},
        "integer": {"integer", "boolean"},
        "boolean": {"boolean"},
    }
    if not set(operands) <= allowed[result]:
        raise KernelError(f"a product of {types[0]} and {types[1]} has no {types[2]} result")


def _magnitude(type_: Type) -> int:
    """Returns the largest absolute value that an integer type holds."""
    if not isinstance(type_, IntegerType):
        return 2**63
    if type_ == I1:
        return 1
    return 2**type_.width - 1 if type_.is_unsigned else 2 ** (type_.width - 1)


def finish_for(working: DType, result: Type) -> Finish | None:
    """Returns the function from sums in the working dtype to the result's elements; None for the identity."""
    target = dtype_of(result)
    if working == target:
        return None
    if target == np.bool_:
        return lambda sums: sums != 0
    if kind_of(result) in _INTEGERS and working.kind == "f":
        exact = np.dtype(np.int32) if working == _F32 else np.dtype(np.int64)
        if exact == target:
            return lambda sums: sums.astype(exact)
        return lambda sums: sums.astype(exact).astype(target)
    return lambda sums: sums.astype(target)


def product_in(working: DType, sizes: Sizes, *, stacked: bool) -> Product:
    """Returns the matrix product of operands of the working dtype: 2-D ones, or stacks of matrices. `sizes`
    are rows, terms and columns of a matrix's product."""
    if working.kind in "iu":
        return _integer_product
    if working.kind == "c":
        return _complex_product
    if (tile := tile_for(*sizes)) is not None:
        return tiled_product(tile)
    # The method takes a third of the time of np.matmul on small matrices.
    return np.matmul if stacked else lambda lhs, rhs: lhs.dot(rhs)


def _complex_product(lhs: Array, rhs: Array) -> Array:
    """Adds small sums term by term, each product rounded, as XLA does: parts that cancel then leave the same
    remainder. BLAS fuses products with sums."""
    if lhs.size * rhs.shape[-1] <= _BY_TERMS:
        return np.einsum("...ij,...jk->...ik", lhs, rhs)
    return np.matmul(lhs, rhs)


def _integer_product(lhs: Array, rhs: Array) -> Array:
    """Returns the product of integers of one dtype, wrapped as that dtype wraps."""
    multiplications = lhs.size * rhs.shape[-1]
    if multiplications <= _BY_INTEGERS:
        return np.matmul(lhs, rhs)
    if _largest(lhs) * _largest(rhs) * lhs.shape[-1] < _F64_EXACT:
        return np.matmul(lhs.astype(_F64), rhs.astype(_F64)).astype(np.int64).astype(lhs.dtype)
    if multiplications < _BY_LIMBS or lhs.shape[-1] >= _F64_EXACT >> 2 * _LIMB_BITS:
        return np.matmul(lhs, rhs)
    return _limb_product(lhs, rhs)


def _largest(values: Array) -> int:
    """Returns the largest absolute value of a non-empty array."""
    return max(int(values.max()), -int(values.min()))


def _limb_product(lhs: Array, rhs: Array) -> Array:
    """Multiplies operands split into limbs of 16 bits: products are exact in f64, and high ones wrap."""
    unsigned = np.dtype(f"u{lhs.dtype.itemsize}")
    lhs_limbs, rhs_limbs = _limbs(lhs, unsigned), _limbs(rhs, unsigned)
    total: Array = np.zeros((), unsigned)
    for i, left in enumerate(lhs_limbs):
        for j, right in enumerate(rhs_limbs[: len(lhs_limbs) - i]):
            part = np.matmul(left, right).astype(np.int64).astype(unsigned)
            total = total + (part << unsigned.type(_LIMB_BITS * (i + j)))
    return total.view(lhs.dtype)


def _limbs(values: Array, unsigned: DType) -> list[Array]:
    bits, mask = values.astype(unsigned), unsigned.type(2**_LIMB_BITS - 1)
    shifts = range(0, 8 * unsigned.itemsize, _LIMB_BITS)
    return [((bits >> unsigned.type(shift)) & mask).astype(_F64) for shift in shifts]
