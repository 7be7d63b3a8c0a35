"""Dot products and convolutions in loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from shlo.fuzzing.maker import Maker
from shlo.fuzzing.structures import convolution_numbers, dot_numbers
from shlo.fuzzing.values import dtype_named
from tests.differential.elementwise import wrapped
from tests.differential.instances import Array, Instance, Result
from tests.differential.reductions import SUM_TOLERANCE, padded

NAMES = ("int8", "int32", "uint8", "float32", "float64", "bfloat16", "float16", "complex64")


def _total(terms: list[Any], name: str) -> Any:
    total = sum(terms)
    return np.asarray(wrapped(total, name) if "int" in name else total).astype(dtype_named(name))


def _number(value: Any, name: str) -> Any:
    return int(value) if "int" in name else complex(value) if "complex" in name else float(value)


def dot_general(make: Maker) -> Instance:
    name = make.choice(NAMES)
    numbers = dot_numbers(make)
    lhs, rhs = arrays = [make.small(shape, name) for shape in numbers.shapes]
    batch, axes, shape = numbers.batch, numbers.axes, numbers.result_shape
    left_free = numbers.free[0]

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
                for k in np.ndindex(numbers.contracted)
            ]
            result[index] = _total(terms, name)
        return [result]

    return Instance(
        "stablehlo.dot_general",
        [lhs, rhs],
        [Result(shape, lhs.dtype)],
        numbers.attribute,
        (),
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


def convolution(make: Maker) -> Instance:
    name, numbers = make.choice(NAMES), convolution_numbers(make)
    feature_groups, batch_groups, window = numbers.feature_groups, numbers.batch_groups, numbers.rhs[2:]
    features, outputs, plain = numbers.rhs[0], numbers.rhs[1], numbers.result
    lhs, rhs = make.small(numbers.lhs, name), make.small(numbers.rhs, name)
    zero = np.zeros((), lhs.dtype)
    padding = [[0, 0], [0, 0], *numbers.padding]
    source = padded(lhs, zero, padding, [1, 1, *numbers.base_dilations])
    left_order, right_order, result_order = numbers.orders

    def formula() -> list[Array]:
        result = np.empty(plain, lhs.dtype)
        for index in np.ndindex(plain):
            n, o, place = index[0], index[1], index[2:]
            group = o // (outputs // (feature_groups * batch_groups))
            row = n + (plain[0] * group if batch_groups > 1 else 0)
            first = features * group if feature_groups > 1 else 0
            terms: list[Any] = []
            for offset in np.ndindex(*window):
                spot = tuple(
                    i * s + k * d for i, s, k, d in zip(place, numbers.strides, offset, numbers.dilations)
                )
                tap = tuple(
                    w - 1 - k if is_reversed else k
                    for w, k, is_reversed in zip(window, offset, numbers.reversal)
                )
                for c in range(features):
                    left, right = source[(row, first + c, *spot)], rhs[(c, o, *tap)]
                    terms.append(_number(left, name) * _number(right, name))
            result[index] = _total(terms, name)
        return [result.transpose(np.argsort(result_order))]

    arrays = [lhs.transpose(np.argsort(left_order)), rhs.transpose(np.argsort(right_order))]
    return Instance(
        "stablehlo.convolution",
        [np.ascontiguousarray(array) for array in arrays],
        [Result(numbers.shape(2), lhs.dtype)],
        numbers.attributes,
        (),
        formula,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


MAKERS = (dot_general, dot_general, convolution, convolution)
