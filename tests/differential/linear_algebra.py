"""Decompositions, transforms, normalisations and generators of random bits."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.maker import Maker, Shape, array_i64
from tests.differential.instances import BY_REFERENCE, Array, Instance, Result

TOLERANCE = {"float32": 2e-5, "float64": 1e-12, "complex64": 2e-5, "complex128": 1e-12}
NAMES = tuple(TOLERANCE)
EPSILON = 0.0009765625  # exact in binary32


def _normal(make: Maker, shape: Shape, name: str) -> Array:
    values = make.random.normal(0, 1, shape)
    if name.startswith("complex"):
        values = values + 1j * make.random.normal(0, 1, shape)
    return np.asarray(values).astype(name)


def cholesky(make: Maker) -> Instance:
    """Returns the triangle that is not written is left to the implementation; a matrix of zeros there
    compares it.
    """
    name, size, batch = make.choice(NAMES), make.integer(1, 4), make.shape(make.integer(0, 1))
    root = _normal(make, (*batch, size, size), name) + 3 * np.eye(size)
    array = (root @ np.conj(np.swapaxes(root, -1, -2))).astype(name)
    lower = make.chance(0.5)

    return Instance(
        "stablehlo.cholesky",
        [array],
        [Result(array.shape, array.dtype)],
        f"lower = {str(lower).lower()}",
        (),
        BY_REFERENCE,
        TOLERANCE[name],
        TOLERANCE[name],
    )


def triangular_solve(make: Maker) -> Instance:
    name, size, batch = make.choice(NAMES), make.integer(1, 4), make.shape(make.integer(0, 1))
    columns, left_side, lower = make.integer(1, 3), make.chance(0.5), make.chance(0.5)
    unit, transform = make.chance(0.3), make.choice(("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"))
    a = (_normal(make, (*batch, size, size), name) * 0.3 + 2 * np.eye(size)).astype(name)
    b = _normal(make, (*batch, *((size, columns) if left_side else (columns, size))), name)

    attributes = (
        f"left_side = {str(left_side).lower()}, lower = {str(lower).lower()}, unit_diagonal = {str(unit).lower()}, "
        f"transpose_a = #stablehlo<transpose {transform}>"
    )
    return Instance(
        "stablehlo.triangular_solve",
        [a, b],
        [Result(b.shape, b.dtype)],
        attributes,
        (),
        BY_REFERENCE,
        10 * TOLERANCE[name],
        10 * TOLERANCE[name],
    )


def fft(make: Maker) -> Instance:
    kind, double = make.choice(("FFT", "IFFT", "RFFT", "IRFFT")), make.chance(0.5)
    real, whole = ("float64", "complex128") if double else ("float32", "complex64")
    rank = make.integer(1, 2)
    lengths, batch = make.integers(rank, 1, 5), make.shape(make.integer(0, 1))
    half = [*lengths[:-1], lengths[-1] // 2 + 1]
    operand = _normal(
        make, (*batch, *(half if kind == "IRFFT" else lengths)), real if kind == "RFFT" else whole
    )
    result = Result(
        (*batch, *(half if kind == "RFFT" else lengths)), np.dtype(real if kind == "IRFFT" else whole)
    )

    name = whole
    return Instance(
        "stablehlo.fft",
        [operand],
        [result],
        f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {array_i64(lengths)}",
        (),
        BY_REFERENCE,
        TOLERANCE[name],
        TOLERANCE[name],
    )


def batch_norm_inference(make: Maker) -> Instance:
    name, shape = make.choice(("float32", "float64")), make.shape(make.integer(1, 4), smallest=1)
    axis = make.integer(0, len(shape) - 1)
    operand = _normal(make, shape, name)
    scale, offset, mean = (_normal(make, (shape[axis],), name) for _ in range(3))
    variance = np.abs(_normal(make, (shape[axis],), name)) + np.asarray(0.5, name)

    return Instance(
        "stablehlo.batch_norm_inference",
        [operand, scale, offset, mean, variance],
        [Result(shape, operand.dtype)],
        f"epsilon = {EPSILON} : f32, feature_index = {axis} : i64",
        (),
        BY_REFERENCE,
        TOLERANCE[name],
        TOLERANCE[name],
    )


def batch_norm_training(make: Maker) -> Instance:
    name, shape = make.choice(("float32", "float64")), make.shape(make.integer(1, 4), smallest=2)
    axis = make.integer(0, len(shape) - 1)
    operand = _normal(make, shape, name)
    scale, offset = (_normal(make, (shape[axis],), name) for _ in range(2))

    feature = Result((shape[axis],), operand.dtype)
    return Instance(
        "stablehlo.batch_norm_training",
        [operand, scale, offset],
        [Result(shape, operand.dtype), feature, feature],
        f"epsilon = {EPSILON} : f32, feature_index = {axis} : i64",
        (),
        BY_REFERENCE,
        10 * TOLERANCE[name],
        10 * TOLERANCE[name],
    )


def _moments(operand: Array, axis: int) -> tuple[list[float], list[float]]:
    """Returns the mean and the variance of each feature."""
    groups: list[list[float]] = [[] for _ in range(operand.shape[axis])]
    for index in np.ndindex(operand.shape):
        groups[index[axis]].append(float(operand[index]))
    means = [sum(group) / len(group) for group in groups]
    variances = [sum((x - mean) ** 2 for x in group) / len(group) for group, mean in zip(groups, means)]
    return means, variances


def batch_norm_grad(make: Maker) -> Instance:
    name, shape = make.choice(("float32", "float64")), make.shape(make.integer(1, 4), smallest=2)
    axis = make.integer(0, len(shape) - 1)
    operand, gradient = _normal(make, shape, name), _normal(make, shape, name)
    scale = _normal(make, (shape[axis],), name)
    means, variances = _moments(operand, axis)
    mean, variance = np.array(means, name), np.array(variances, name)

    feature = Result((shape[axis],), operand.dtype)
    return Instance(
        "stablehlo.batch_norm_grad",
        [operand, scale, mean, variance, gradient],
        [Result(shape, operand.dtype), feature, feature],
        f"epsilon = {EPSILON} : f32, feature_index = {axis} : i64",
        (),
        BY_REFERENCE,
        1000 * TOLERANCE[name],
        1000 * TOLERANCE[name],
    )


def rng_bit_generator(make: Maker) -> Instance:
    algorithm = make.choice(("THREE_FRY", "PHILOX"))
    count = 2 if algorithm == "THREE_FRY" else make.integer(2, 3)
    state = make.random.integers(0, 1 << 63, count, np.uint64)
    output = Result(make.shape(), np.dtype(make.choice(("uint8", "uint16", "uint32", "uint64"))))
    return Instance(
        "stablehlo.rng_bit_generator",
        [state],
        [Result(state.shape, state.dtype), output],
        f"rng_algorithm = #stablehlo<rng_algorithm {algorithm}>",
    )


MAKERS = (
    cholesky,
    triangular_solve,
    fft,
    batch_norm_inference,
    batch_norm_training,
    batch_norm_grad,
    rng_bit_generator,
)
