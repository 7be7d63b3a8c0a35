"""Dot products and convolutions."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.maker import Maker
from shlo.fuzzing.structures import convolution_numbers, dot_numbers
from tests.differential.instances import BY_REFERENCE, Instance, Result
from tests.differential.reductions import SUM_TOLERANCE

NAMES = ("int8", "int32", "uint8", "float32", "float64", "bfloat16", "float16", "complex64")


def dot_general(make: Maker) -> Instance:
    name = make.choice(NAMES)
    numbers = dot_numbers(make)
    lhs, rhs = [make.small(shape, name) for shape in numbers.shapes]
    return Instance(
        "stablehlo.dot_general",
        [lhs, rhs],
        [Result(numbers.result_shape, lhs.dtype)],
        numbers.attribute,
        (),
        BY_REFERENCE,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


def convolution(make: Maker) -> Instance:
    name, numbers = make.choice(NAMES), convolution_numbers(make)
    lhs, rhs = make.small(numbers.lhs, name), make.small(numbers.rhs, name)
    left_order, right_order, _ = numbers.orders
    arrays = [lhs.transpose(np.argsort(left_order)), rhs.transpose(np.argsort(right_order))]
    return Instance(
        "stablehlo.convolution",
        [np.ascontiguousarray(array) for array in arrays],
        [Result(numbers.shape(2), lhs.dtype)],
        numbers.attributes,
        (),
        BY_REFERENCE,
        SUM_TOLERANCE,
        SUM_TOLERANCE,
    )


MAKERS = (dot_general, dot_general, convolution, convolution)
