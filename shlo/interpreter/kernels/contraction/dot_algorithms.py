"""Products of matrices by a dot algorithm: operands rounded or split, sums rounded to the accumulation type.

Specification: "dot_general", `DotAlgorithm`. Each operand is rounded to its precision type. An algorithm of
3, 6 or 9 primitive operations splits it into 2 or 3 components of that type, each the rounding of what the
ones before it leave, and adds the products of components, the smallest ones first: of 3 operations without
low by low, of 6 without those of orders above the third. Infinite operands make all but the first product NaN
or infinite; these are taken for zeros then, as XLA's kernels for GPUs do. Sums are formed in f32 or f64 by
BLAS; an accumulation type of f16 or bf16 rounds the sum after each term, in their order, which costs a pass
over the result for each.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from shlo.dialects.struct_attributes import DotAlgorithm
from shlo.interpreter.kernels.contraction.products import Product, Sizes, product_in
from shlo.interpreter.kernels.numeric import where
from shlo.interpreter.kernels.rounding import round_to_bits, rounding_sum
from shlo.ir.dtypes import FLOAT_FORMATS, Array, dtype_of
from shlo.ir.types import FloatType, Type

DType = np.dtype[Any]
Round = Callable[[Array], Array]

_COMPONENTS = {1: 1, 3: 2, 6: 3, 9: 3}
"""Number of components of each operand, by the number of primitive operations."""

_WIDE = ("f32", "f64")


def accumulation_dtype(algorithm: DotAlgorithm) -> DType:
    """Returns the dtype of an algorithm's sums."""
    return dtype_of(_float(algorithm.accumulation_type))


def working_dtype_of(algorithm: DotAlgorithm) -> DType:
    """Returns the dtype of the operands of `product_by`."""
    types = algorithm.lhs_precision_type, algorithm.rhs_precision_type, algorithm.accumulation_type
    return np.dtype(np.float64 if any(_float(type_).name == "f64" for type_ in types) else np.float32)


def product_by(algorithm: DotAlgorithm, sizes: Sizes, *, stacked: bool) -> Product:
    """Returns the product of matrices (or stacks) of the working dtype; sums have the accumulation dtype.
    `sizes` are those of `product_in`."""
    count = algorithm.num_primitive_operations
    parts, working = _COMPONENTS[count], working_dtype_of(algorithm)
    round_lhs, round_rhs = (
        _rounding(_float(type_), working)
        for type_ in (algorithm.lhs_precision_type, algorithm.rhs_precision_type)
    )
    multiply = _accumulating(_float(algorithm.accumulation_type), working, sizes, stacked)
    pairs = [(i, j) for i in range(parts) for j in range(parts) if count == 9 or i + j < parts]
    smallest_first = sorted(pairs, key=lambda pair: -sum(pair))

    def product(lhs: Array, rhs: Array) -> Array:
        left, right = _components(lhs, round_lhs, parts), _components(rhs, round_rhs, parts)
        terms = [multiply(left[i], right[j]) for i, j in smallest_first]
        if len(terms) == 1:
            return terms[0]
        small = reduce(np.add, terms[:-1])
        return np.add(where(np.isfinite(small), small, small.dtype.type(0)), terms[-1])

    return product


def _float(type_: Type) -> FloatType:
    assert isinstance(type_, FloatType)  # dot_general-A1 admits no other algorithms
    return type_


def _components(x: Array, round_: Round, count: int) -> list[Array]:
    components: list[Array] = []
    for _ in range(count):
        components.append(round_(x))
        x = x - components[-1]
    return components


def _rounding(type_: FloatType, working: DType) -> Round:
    """Returns the function that rounds numbers of the working dtype to those of a type."""
    if type_.name == "tf32":
        return lambda x: _as_tf32(x).astype(working, copy=False)
    dtype = dtype_of(type_)
    if dtype == working:
        return lambda x: x
    return lambda x: x.astype(dtype).astype(working)


def _as_tf32(x: Array) -> Array:
    narrow = x.astype(np.float32)
    rounded = round_to_bits(narrow.copy(), FLOAT_FORMATS["tf32"].mantissa)
    return where(np.isnan(narrow), narrow, rounded)


def _accumulating(type_: FloatType, working: DType, sizes: Sizes, stacked: bool) -> Product:
    """Returns the product of matrices whose sums are formed in the accumulation type."""
    if type_.name in _WIDE:
        wide, dtype = product_in(working, sizes, stacked=stacked), dtype_of(type_)
        return lambda lhs, rhs: wide(lhs, rhs).astype(dtype, copy=False)
    dtype = dtype_of(type_)
    add = rounding_sum(dtype)

    def multiply(lhs: Array, rhs: Array) -> Array:
        shape = (*np.broadcast_shapes(lhs.shape[:-2], rhs.shape[:-2]), lhs.shape[-2], rhs.shape[-1])
        total: Array = np.zeros(shape, np.float32)
        for term in range(lhs.shape[-1]):
            product = lhs[..., term, np.newaxis] * rhs[..., term, np.newaxis, :]
            total = add(total, product.astype(np.float32, copy=False))
        return total.astype(dtype)

    return multiply
