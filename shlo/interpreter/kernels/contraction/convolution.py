"""Convolutions of any rank: windows of lhs are laid out as a matrix (im2col) and multiplied with rhs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

from shlo.dialects.stablehlo.attributes import ConvDimensionNumbers
from shlo.interpreter.kernel_api import KernelError, KernelFn, OpView, kernel
from shlo.interpreter.kernels.contraction.convolution_axes import (
    Convolution,
    Padding,
    Sizes,
    arrangement,
    axes_of,
    check_groups,
    dimensions_of,
    padded_sizes,
    padder,
    result_shape,
)
from shlo.interpreter.kernels.contraction.convolution_phases import by_phases, pays
from shlo.interpreter.kernels.contraction.convolution_products import by_matrices, by_shifts
from shlo.interpreter.kernels.contraction.products import check_shape, finish_for, working_dtype
from shlo.interpreter.kernels.shapes import require_sizes
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.dtypes import Array, dtype_of

Binary = Callable[[Array, Array], Array]

_MANY_SHIFTS = 64
"""Windows of more positions than this are not worth one multiplication each."""


@kernel("stablehlo.convolution")
def convolution(op: OpView) -> KernelFn:
    conv = _attributes(op)
    lhs, rhs, padding = op.tensor_type(0), op.tensor_type(1), _static_padding(op, len(conv.strides))
    if lhs.is_static and rhs.is_static:
        return _planned(conv, lhs.static_shape, rhs.static_shape, padding)
    plan = lru_cache(maxsize=64)(_planned)

    def on_arrays(left: Array, right: Array) -> Array:
        return plan(conv, left.shape, right.shape, padding)(left, right)

    return on_arrays


@kernel("stablehlo.dynamic_conv")
def dynamic_conv(op: OpView) -> KernelFn:
    conv = _attributes(op)
    plan = lru_cache(maxsize=64)(_planned)

    def on_arrays(left: Array, right: Array, padding: Array) -> Array:
        if padding.shape != (len(conv.strides), 2):
            raise KernelError(f"padding has shape {list(padding.shape)}, not {[len(conv.strides), 2]}")
        pairs = tuple((low, high) for low, high in padding.tolist())
        return plan(conv, left.shape, right.shape, pairs)(left, right)

    return on_arrays


# --- attributes --------------------------------------------------------------------------------------------


def _attributes(op: OpView) -> Convolution:
    numbers = op.require("dimension_numbers")
    if not isinstance(numbers, ConvDimensionNumbers):
        raise KernelError("dimension_numbers must be a #stablehlo.conv attribute")
    lhs, rhs, result = op.tensor_type(0), op.tensor_type(1), op.result_type()
    _check_numbers(numbers, (lhs.rank, rhs.rank, result.rank))
    ones = (1,) * len(numbers.input_spatial_dimensions)
    names = "window_strides", "lhs_dilation", "rhs_dilation", "feature_group_count", "batch_group_count"
    strides, lhs_dilation, rhs_dilation = (
        _positive(name, op.integers(name, ones), ones) for name in names[:3]
    )
    groups = [_positive(name, (op.integer(name, 1),), (1,))[0] for name in names[3:]]
    if min(groups) > 1:
        raise KernelError("feature_group_count and batch_group_count are both greater than 1")
    reversal = op.integers("window_reversal", (0,) * len(ones))
    if len(reversal) != len(ones):
        raise KernelError(f"window_reversal needs {len(ones)} entries, one for each spatial dimension")
    elements = lhs.element_type, rhs.element_type, result.element_type
    return Convolution(
        numbers, strides, lhs_dilation, rhs_dilation, reversal, groups[0], groups[1], elements, result.shape
    )


def _check_numbers(numbers: ConvDimensionNumbers, ranks: Sizes) -> None:
    for side, dimensions, rank in zip(("lhs", "rhs", "result"), dimensions_of(numbers), ranks):
        if sorted(dimensions) != list(range(rank)):
            raise KernelError(f"dimension numbers {list(dimensions)} of {side} do not fit its rank {rank}")
    if len(set(ranks)) != 1:
        raise KernelError(f"lhs, rhs and result have ranks {list(ranks)}, which must be equal")


def _positive(name: str, values: Sizes, like: Sizes) -> Sizes:
    if len(values) != len(like) or any(value < 1 for value in values):
        raise KernelError(f"{name} must hold {len(like)} positive numbers, but holds {list(values)}")
    return values


def _static_padding(op: OpView, rank: int) -> Padding:
    value = op.get("padding")
    if value is None:
        return ((0, 0),) * rank
    if not isinstance(value, DenseElementsAttr) or value.array.shape != (rank, 2):
        raise KernelError(f"padding must be a tensor of {rank} pairs")
    return tuple((low, high) for low, high in value.array.tolist())


# --- planning ----------------------------------------------------------------------------------------------


def _planned(conv: Convolution, lhs: Sizes, rhs: Sizes, padding: Padding) -> Binary:
    """The function of arrays of these shapes."""
    check_groups(conv, lhs, rhs)
    padded = padded_sizes(conv, lhs, padding)
    require_sizes(padded)
    axes = axes_of(conv, padded, rhs)
    sizes = {name: axis.size for name, axis in axes.items()}
    result = result_shape(conv, sizes)
    check_shape(result, conv.declared)
    if pays(conv, result, rhs):
        return by_phases(conv, lhs, rhs, padding, result, dtype_of(conv.elements[2]), _planned)
    terms = math.prod(size for name, size in sizes.items() if name[0] in "ck")
    working = working_dtype(*conv.elements, terms)
    prepare = padder(conv, lhs, padded, padding, working)
    if sizes["c"] == 1 and sizes["g"] > 1 and terms <= _MANY_SHIFTS:
        multiply, order = by_shifts(conv, axes, rhs, working)
    else:
        multiply, order = by_matrices(conv, axes, rhs, working)
    arrange, finish = arrangement(conv, order, sizes), finish_for(working, conv.elements[2])
    if finish is None:
        return lambda a, b: arrange(multiply(prepare(a), b.astype(working, copy=False), 0))
    return lambda a, b: arrange(finish(multiply(prepare(a), b.astype(working, copy=False), 0)))
