"""Decompositions, transforms, normalisations and random bits, on values of their domains."""

from __future__ import annotations

from typing import Final

import numpy as np

from shlo.fuzzing.maker import Shape, array_i64
from shlo.fuzzing.scope import Scope, Value
from shlo.ir.dtypes import Array, element_type_for
from shlo.ir.types import IntegerType, RankedTensorType

_NAMES: Final = ("float32", "float64", "complex64", "complex128")
_REAL_NAMES: Final = ("float32", "float64")
_EPSILON: Final = "epsilon = 0.001 : f32"


def _normal(scope: Scope, shape: Shape, name: str) -> Array:
    values = scope.make.random.normal(0, 1, shape)
    if name.startswith("complex"):
        values = values + 1j * scope.make.random.normal(0, 1, shape)
    return np.asarray(values).astype(name)


def cholesky(scope: Scope, op: str) -> None:
    """Writes the decomposition of a positive definite matrix."""
    make = scope.make
    name, size, batch = make.choice(_NAMES), make.integer(1, 4), make.shape(make.integer(0, 1))
    root = _normal(scope, (*batch, size, size), name) + 3 * np.eye(size)
    value = scope.of_array((root @ np.conj(np.swapaxes(root, -1, -2))).astype(name))
    attributes = f"lower = {make.choice(('true', 'false'))}"
    scope.write(op, (value,), (value.type,), attributes)


def triangular_solve(scope: Scope, op: str) -> None:
    """Writes the solution of a well-conditioned triangular system."""
    make = scope.make
    name, size, batch = make.choice(_NAMES), make.integer(1, 4), make.shape(make.integer(0, 1))
    columns, is_left = make.integer(1, 3), make.chance(0.5)
    matrix = (_normal(scope, (*batch, size, size), name) * 0.3 + 2 * np.eye(size)).astype(name)
    shape = (*batch, *((size, columns) if is_left else (columns, size)))
    operands = scope.of_array(matrix), scope.of_array(_normal(scope, shape, name))
    truths = [f"{flag} = {make.choice(('true', 'false'))}" for flag in ("lower", "unit_diagonal")]
    transform = make.choice(("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"))
    attributes = (
        f"left_side = {str(is_left).lower()}, {', '.join(truths)}, "
        f"transpose_a = #stablehlo<transpose {transform}>"
    )
    scope.write(op, operands, (operands[1].type,), attributes)


def fft(scope: Scope, op: str) -> None:
    """Writes a Fourier transform of one or two dimensions."""
    make = scope.make
    kind, is_double = make.choice(("FFT", "IFFT", "RFFT", "IRFFT")), make.chance(0.5)
    real, whole = ("float64", "complex128") if is_double else ("float32", "complex64")
    lengths, batch = make.integers(make.integer(1, 2), 1, 5), make.shape(make.integer(0, 1))
    half = [*lengths[:-1], lengths[-1] // 2 + 1]
    shape = (*batch, *(half if kind == "IRFFT" else lengths))
    value = scope.of_array(_normal(scope, shape, real if kind == "RFFT" else whole))
    element = element_type_for(np.dtype(real if kind == "IRFFT" else whole))
    type_ = RankedTensorType((*batch, *(half if kind == "RFFT" else lengths)), element)
    attributes = f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {array_i64(lengths)}"
    scope.write(op, (value,), (type_,), attributes)


def _features(scope: Scope) -> tuple[Value, int, str]:
    """Returns a value, the dimension of its features, and the name of its type."""
    make = scope.make
    name, shape = make.choice(_REAL_NAMES), make.shape(make.integer(1, 4), smallest=2)
    return scope.of_array(_normal(scope, shape, name)), make.integer(0, len(shape) - 1), name


def _of_features(scope: Scope, value: Value, axis: int, name: str) -> Value:
    return scope.of_array(_normal(scope, (value.shape[axis],), name))


def _variance(scope: Scope, value: Value, axis: int, name: str) -> Value:
    return scope.of_array((np.abs(_normal(scope, (value.shape[axis],), name)) + 0.5).astype(name))


def batch_norm_inference(scope: Scope, op: str) -> None:
    """Writes a batch_norm_inference."""
    value, axis, name = _features(scope)
    numbers = [_of_features(scope, value, axis, name) for _ in range(3)]
    operands = (value, *numbers, _variance(scope, value, axis, name))
    attributes = f"{_EPSILON}, feature_index = {axis} : i64"
    scope.write(op, operands, (value.type,), attributes)


def batch_norm_training(scope: Scope, op: str) -> None:
    """Writes a batch_norm_training."""
    value, axis, name = _features(scope)
    numbers = [_of_features(scope, value, axis, name) for _ in range(2)]
    attributes = f"{_EPSILON}, feature_index = {axis} : i64"
    results = (value.type, numbers[0].type, numbers[0].type)
    scope.write(op, (value, *numbers), results, attributes)


def batch_norm_grad(scope: Scope, op: str) -> None:
    """Writes a batch_norm_grad."""
    value, axis, name = _features(scope)
    scale, mean = (_of_features(scope, value, axis, name) for _ in range(2))
    gradient = scope.of_array(_normal(scope, value.shape, name))
    operands = (value, scale, mean, _variance(scope, value, axis, name), gradient)
    attributes = f"{_EPSILON}, feature_index = {axis} : i64"
    scope.write(op, operands, (value.type, scale.type, scale.type), attributes)


def rng_bit_generator(scope: Scope, op: str) -> None:
    """Writes a generator of random bits with an algorithm that the specification names."""
    make = scope.make
    algorithm = make.choice(("THREE_FRY", "PHILOX"))
    count = 2 if algorithm == "THREE_FRY" else make.integer(2, 3)
    state = scope.of_array(make.random.integers(0, 1 << 63, count, np.uint64))
    output = RankedTensorType(make.shape(), IntegerType(make.choice((8, 16, 32, 64)), "unsigned"))
    attributes = f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>"
    scope.write(op, (state,), (state.type, output), attributes)
