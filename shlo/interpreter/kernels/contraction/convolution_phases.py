"""Convolutions of a dilated lhs without its holes.

Most products with a lhs that has `d - 1` holes between elements are products with a hole. Result positions
that lie `d` apart (fewer, with a stride) meet elements at the same places of the window: each such phase is a
convolution of the lhs without holes with every so many of the window's positions.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product as index_space
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.interpreter.kernels.contraction.convolution_axes import Convolution, Padding, Sizes
from shlo.ir.dtypes import Array

Binary = Callable[[Array, Array], Array]
Planner = Callable[[Convolution, Sizes, Sizes, Padding], Binary]

_WORTHWHILE = 2**20
"""From so many multiplications on, holes included, phases are quicker than holes."""


class _Phase(Struct, frozen=True):
    """Phase in one dimension: positions of result and window, and the convolution between them."""

    result: slice
    window: slice
    stride: int
    rhs_dilation: int
    padding: tuple[int, int]


def pays(conv: Convolution, result: Sizes, rhs: Sizes) -> bool:
    """Returns whether a convolution is faster phase by phase."""
    features = rhs[conv.numbers.kernel_output_feature_dimension] or 1
    return (
        max(conv.lhs_dilation, default=1) > 1
        and math.prod(result) * math.prod(rhs) // features >= _WORTHWHILE
    )


def by_phases(
    conv: Convolution,
    lhs: Sizes,
    rhs: Sizes,
    padding: Padding,
    result: Sizes,
    dtype: np.dtype[Any],
    plan: Planner,
) -> Binary:
    """Returns the function of arrays of these shapes; `plan` returns that of a convolution without holes."""
    numbers = conv.numbers
    spatial = list(
        zip(
            numbers.input_spatial_dimensions,
            numbers.kernel_spatial_dimensions,
            numbers.output_spatial_dimensions,
        )
    )
    phases = [
        _phases_of(conv, i, lhs[d], rhs[k], padding[i][0], result[o]) for i, (d, k, o) in enumerate(spatial)
    ]
    turn = _slices(
        len(rhs), [k for _, k, _ in spatial], [slice(None, None, -1 if r else 1) for r in conv.reversal]
    )
    steps: list[tuple[tuple[slice, ...], tuple[slice, ...], Binary]] = []
    for combination in index_space(*phases):
        window = _slices(len(rhs), [k for _, k, _ in spatial], [phase.window for phase in combination])
        target = _slices(len(rhs), [o for _, _, o in spatial], [phase.result for phase in combination])
        sizes = tuple(len(range(*part.indices(size))) for part, size in zip(window, rhs))
        function = plan(_without_holes(conv, combination), lhs, sizes, tuple(p.padding for p in combination))
        steps.append((target, window, function))

    def on_arrays(left: Array, right: Array) -> Array:
        total, turned = np.zeros(result, dtype), right[turn]
        for target, window, function in steps:
            total[target] = function(left, turned[window])
        return total

    return on_arrays


def _phases_of(conv: Convolution, i: int, size: int, window: int, low: int, positions: int) -> list[_Phase]:
    """Returns the phases of a dimension; result positions that only meet holes belong to none, and stay zero.
    Result position q and window position k meet at q * stride + k * rhs_dilation - low, which is an element
    if the lhs dilation divides it."""
    holes, stride, dilation = conv.lhs_dilation[i], conv.strides[i], conv.rhs_dilation[i]
    period, step = holes // math.gcd(holes, stride), holes // math.gcd(holes, dilation)
    phases: list[_Phase] = []
    for first in range(min(period, positions)):
        meeting = [k for k in range(min(step, window)) if (first * stride + k * dilation - low) % holes == 0]
        for k in meeting:
            start = (first * stride + k * dilation - low) // holes
            phase_stride, phase_dilation = stride * period // holes, dilation * step // holes
            last = (len(range(first, positions, period)) - 1) * phase_stride
            end = start + last + (len(range(k, window, step)) - 1) * phase_dilation + 1
            parts = slice(first, None, period), slice(k, None, step)
            phases.append(_Phase(*parts, phase_stride, phase_dilation, (-start, end - size)))
    return phases


def _without_holes(conv: Convolution, phases: tuple[_Phase, ...]) -> Convolution:
    """Returns the convolution of a combination of phases; windows are reversed before."""
    return replace(
        conv,
        strides=tuple(phase.stride for phase in phases),
        lhs_dilation=(1,) * len(phases),
        rhs_dilation=tuple(phase.rhs_dilation for phase in phases),
        reversal=(0,) * len(phases),
    )


def _slices(rank: int, dimensions: list[int], parts: list[slice]) -> tuple[slice, ...]:
    at = dict(zip(dimensions, parts))
    return tuple(at.get(d, slice(None)) for d in range(rank))
