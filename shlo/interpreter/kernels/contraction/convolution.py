"""Convolutions of any rank: windows of lhs are laid out as a matrix (im2col) and multiplied by rhs."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from shlo.dialects.struct_attributes import ConvDimensionNumbers
from shlo.interpreter.kernel_api import KernelFn, OpView
from shlo.interpreter.kernels.contraction.convolution_axes import (
    Convolution,
    Padding,
    Sizes,
    arrangement,
    axes_of,
    padded_sizes,
    padder,
    result_shape,
)
from shlo.interpreter.kernels.contraction.convolution_phases import by_phases, pays
from shlo.interpreter.kernels.contraction.convolution_products import by_matrices, by_shifts
from shlo.interpreter.kernels.contraction.products import finish_for, working_dtype
from shlo.interpreter.kernels.shapes import by_shapes, padding_of, planned_by, require_sizes, without_last
from shlo.interpreter.registry import kernel
from shlo.ir.dtypes import Array, dtype_of

Binary = Callable[[Array, Array], Array]

_MANY_SHIFTS = 64
"""Windows of more positions than this are not worth one multiplication each."""


@kernel("stablehlo.convolution")
def convolution(op: OpView) -> KernelFn:
    """Computes sums over windows of lhs times rhs; specification: "convolution". Cost: as many
    multiplications as result elements times elements of a window."""
    conv = _attributes(op)
    padding = padding_of(op, len(conv.strides))
    return by_shapes(op, partial(_planned, conv, padding=padding))


@kernel("stablehlo.dynamic_conv")
def dynamic_conv(op: OpView) -> KernelFn:
    """Computes a convolution whose padding is the third operand; specification: "dynamic_conv"."""
    conv = _attributes(op)

    def key_of(lhs: Array, rhs: Array, padding: Array) -> tuple[Sizes, Sizes, Padding]:
        return lhs.shape, rhs.shape, tuple((low, high) for low, high in padding.tolist())

    def plan(lhs: Sizes, rhs: Sizes, padding: Padding) -> KernelFn:
        return without_last(_planned(conv, lhs, rhs, padding))

    return planned_by(key_of, plan)


# --- attributes --------------------------------------------------------------------------------------------


def _attributes(op: OpView) -> Convolution:
    numbers = op.require("dimension_numbers", ConvDimensionNumbers)
    rank = len(numbers.input_spatial_dimensions)
    names = "window_strides", "lhs_dilation", "rhs_dilation"
    strides, lhs_dilation, rhs_dilation = (op.integers(name, ()) or (1,) * rank for name in names)
    reversal = op.integers("window_reversal", ()) or (0,) * rank
    groups = op.integer("feature_group_count", 1), op.integer("batch_group_count", 1)
    types = op.tensor_type(0), op.tensor_type(1), op.result_type()
    elements = types[0].element_type, types[1].element_type, types[2].element_type
    return Convolution(numbers, strides, lhs_dilation, rhs_dilation, reversal, *groups, elements)


# --- planning ----------------------------------------------------------------------------------------------


def _planned(conv: Convolution, lhs: Sizes, rhs: Sizes, padding: Padding) -> Binary:
    """Returns the convolution of arrays of these shapes."""
    padded = padded_sizes(conv, lhs, padding)
    require_sizes(padded)
    axes = axes_of(conv, padded, rhs)
    sizes = {name: axis.size for name, axis in axes.items()}
    result = result_shape(conv, sizes)
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
