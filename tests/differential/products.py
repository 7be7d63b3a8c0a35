"""Dot products and convolutions in loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.differential.elementwise import wrapped
from tests.differential.instances import Array, Instance, Maker, Result, array_i1, array_i64, pairs_i64
from tests.differential.reductions import SUM_TOLERANCE, padded, window_count
from tests.kernels.values import dtype_named

NAMES = ("int8", "int32", "uint8", "float32", "float64", "bfloat16", "float16", "complex64")


def _total(terms: list[Any], name: str) -> Any:
    total = sum(terms)
    return np.asarray(wrapped(total, name) if "int" in name else total).astype(dtype_named(name))


def _number(value: Any, name: str) -> Any:
    return int(value) if "int" in name else complex(value) if "complex" in name else float(value)


def dot_general(make: Maker) -> Instance:
    name = make.choice(NAMES)
    batch, contracted = make.shape(make.integer(0, 2)), make.shape(make.integer(0, 2))
    free = [make.shape(make.integer(0, 2)) for _ in range(2)]
    arrays: list[Array] = []
    axes: list[tuple[list[int], list[int], list[int]]] = []
    for own in free:
        sizes = [*batch, *contracted, *own]
        order = make.permutation(len(sizes))
        shape = tuple(sizes[position] for position in order)
        place = [order.index(position) for position in range(len(sizes))]
        first, second = len(batch), len(batch) + len(contracted)
        # the free dimensions of the result come in the order of the operand
        axes.append((place[:first], place[first:second], sorted(place[second:])))
        arrays.append(make.small(shape, name))
    lhs, rhs = arrays
    left_free, right_free = (tuple(a.shape[d] for d in own) for a, (_, _, own) in zip(arrays, axes))
    shape = (*batch, *left_free, *right_free)

    def index_of(side: int, batch_index: Any, contracted_index: Any, free_index: Any) -> tuple[int, ...]:
        place = [0] * arrays[side].ndim
        for dims, values in zip(axes[side], (batch_index, contracted_index, free_index)):
            for dim, value in zip(dims, values):
                place[dim] = value
        return tuple(place)

    def formula() -> list[Array]:
        result = np.empty(shape, lhs.dtype)
        for index in np.ndindex(shape):
            b, rest = index[: len(batch)], index[len(batch) :]
            i, j = rest[: len(left_free)], rest[len(left_free) :]
            terms = [
                _number(lhs[index_of(0, b, k, i)], name) * _number(rhs[index_of(1, b, k, j)], name)
                for k in np.ndindex(contracted)
            ]
            result[index] = _total(terms, name)
        return [result]

    attributes = (
        f"dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = {axes[0][0]}, "
        f"rhs_batching_dimensions = {axes[1][0]}, lhs_contracting_dimensions = {axes[0][1]}, "
        f"rhs_contracting_dimensions = {axes[1][1]}>"
    )
    return Instance(
        "stablehlo.dot_general",
        [lhs, rhs],
        [Result(shape, lhs.dtype)],
        attributes,
        (),
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


def convolution(make: Maker) -> Instance:
    name, spatial = make.choice(NAMES), make.integer(0, 2)
    feature_groups, batch_groups = make.choice(((1, 1), (1, 1), (2, 1), (3, 1), (1, 2)))
    batch, features = batch_groups * make.integer(1, 2), make.integer(1, 2)
    outputs = feature_groups * batch_groups * make.integer(1, 2)
    sizes, window = make.integers(spatial, 1, 5), make.integers(spatial, 1, 3)
    strides, base, dilations = (make.integers(spatial, 1, 2) for _ in range(3))
    reversal = [make.chance(0.2) for _ in range(spatial)]
    padding = [make.integers(2, 0, 2) for _ in range(spatial)]
    left_order, right_order, result_order = (make.permutation(spatial + 2) for _ in range(3))
    lhs = make.small((batch, features * feature_groups, *sizes), name)
    rhs = make.small((features, outputs, *window), name)
    zero = np.zeros((), lhs.dtype)
    source = padded(lhs, zero, [[0, 0], [0, 0], *padding], [1, 1, *base])
    counts = tuple(map(window_count, source.shape[2:], window, strides, dilations))
    plain = (batch // batch_groups, outputs, *counts)

    def formula() -> list[Array]:
        result = np.empty(plain, lhs.dtype)
        for index in np.ndindex(plain):
            n, o, place = index[0], index[1], index[2:]
            group = o // (outputs // (feature_groups * batch_groups))
            row = n + (plain[0] * group if batch_groups > 1 else 0)
            first = features * group if feature_groups > 1 else 0
            terms: list[Any] = []
            for offset in np.ndindex(*window):
                spot = tuple(i * s + k * d for i, s, k, d in zip(place, strides, offset, dilations))
                tap = tuple(
                    w - 1 - k if is_reversed else k for w, k, is_reversed in zip(window, offset, reversal)
                )
                for c in range(features):
                    left, right = source[(row, first + c, *spot)], rhs[(c, o, *tap)]
                    terms.append(_number(left, name) * _number(right, name))
            result[index] = _total(terms, name)
        return [result.transpose(np.argsort(result_order))]

    def numbers(order: list[int], first: str, second: str) -> str:
        words = [first, second, *map(str, range(spatial))]
        return "[" + ", ".join(words[position] for position in np.argsort(order)) + "]"

    dimension_numbers = (
        f"{numbers(left_order, 'b', 'f')}x{numbers(right_order, 'i', 'o')}->{numbers(result_order, 'b', 'f')}"
    )
    attributes = (
        f"window_strides = {array_i64(strides)}, padding = {pairs_i64(padding)}, lhs_dilation = {array_i64(base)}, "
        f"rhs_dilation = {array_i64(dilations)}, window_reversal = {array_i1(reversal)}, "
        f"dimension_numbers = #stablehlo.conv<{dimension_numbers}>, "
        f"feature_group_count = {feature_groups} : i64, batch_group_count = {batch_groups} : i64"
    )
    arrays = [lhs.transpose(np.argsort(left_order)), rhs.transpose(np.argsort(right_order))]
    return Instance(
        "stablehlo.convolution",
        [np.ascontiguousarray(array) for array in arrays],
        [Result(tuple(plain[position] for position in np.argsort(result_order)), lhs.dtype)],
        attributes,
        (),
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


MAKERS = (dot_general, dot_general, convolution, convolution)
