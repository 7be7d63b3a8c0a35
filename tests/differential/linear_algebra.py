"""Decompositions, transforms, normalisations and generators of random bits, in loops."""

from __future__ import annotations

import cmath

import numpy as np

from shlo.fuzzing.maker import Maker, Shape, array_i64
from tests.differential.instances import Array, Instance, Result

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

    def formula() -> list[Array]:
        result = np.zeros(array.shape, np.complex128)
        for outer in np.ndindex(batch):
            a, out = array[outer].astype(np.complex128), result[outer]
            for i in range(size):
                for j in range(i + 1):
                    rest = a[i, j] - sum(out[i, k] * out[j, k].conjugate() for k in range(j))
                    out[i, j] = cmath.sqrt(rest.real) if i == j else rest / out[j, j].conjugate()
        if not lower:
            result = np.conj(np.swapaxes(result, -1, -2))
        return [(result if name.startswith("complex") else np.real(result)).astype(name)]

    return Instance(
        "stablehlo.cholesky",
        [array],
        [Result(array.shape, array.dtype)],
        f"lower = {str(lower).lower()}",
        (),
        formula,
        TOLERANCE[name],
        TOLERANCE[name],
    )


def triangular_solve(make: Maker) -> Instance:
    name, size, batch = make.choice(NAMES), make.integer(1, 4), make.shape(make.integer(0, 1))
    columns, left_side, lower = make.integer(1, 3), make.chance(0.5), make.chance(0.5)
    unit, transform = make.chance(0.3), make.choice(("NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"))
    a = (_normal(make, (*batch, size, size), name) * 0.3 + 2 * np.eye(size)).astype(name)
    b = _normal(make, (*batch, *((size, columns) if left_side else (columns, size))), name)

    def formula() -> list[Array]:
        result = np.zeros(b.shape, np.complex128)
        for outer in np.ndindex(batch):
            matrix = (np.tril if lower else np.triu)(a[outer].astype(np.complex128))
            if unit:
                np.fill_diagonal(matrix, 1)
            matrix = {"TRANSPOSE": matrix.T, "ADJOINT": matrix.conj().T}.get(transform, matrix)
            right = b[outer].astype(np.complex128)
            solved = _solved(matrix, right) if left_side else _solved(matrix.T, right.T).T
            result[outer] = solved
        return [(result if name.startswith("complex") else np.real(result)).astype(name)]

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
        formula,
        10 * TOLERANCE[name],
        10 * TOLERANCE[name],
    )


def _solved(matrix: Array, right: Array) -> Array:
    """Substitution, from the row with one unknown on."""
    result = np.zeros_like(right)
    size = len(matrix)
    is_lower = not np.triu(matrix, 1).any()
    for row in range(size) if is_lower else range(size - 1, -1, -1):
        known = sum((matrix[row, k] * result[k] for k in range(size) if k != row), np.zeros_like(right[row]))
        result[row] = (right[row] - known) / matrix[row, row]
    return result


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

    def formula() -> list[Array]:
        output = np.empty(result.shape, np.complex128)
        for outer in np.ndindex(batch):
            source = operand[outer].astype(np.complex128)
            if kind == "IRFFT":
                source = _hermitian(source, lengths)
            sign, scale = (1, 1 / np.prod(lengths)) if kind in ("IFFT", "IRFFT") else (-1, 1)
            for index in np.ndindex(result.shape[len(batch) :]):
                output[(*outer, *index)] = scale * sum(
                    source[place]
                    * cmath.exp(
                        sign * 2j * cmath.pi * sum(i * k / n for i, k, n in zip(index, place, lengths))
                    )
                    for place in np.ndindex(*lengths)
                )
        return [(output.real if kind == "IRFFT" else output).astype(result.dtype)]

    name = whole
    return Instance(
        "stablehlo.fft",
        [operand],
        [result],
        f"fft_type = #stablehlo<fft_type {kind}>, fft_length = {array_i64(lengths)}",
        (),
        formula,
        TOLERANCE[name],
        TOLERANCE[name],
    )


def _hermitian(half: Array, lengths: list[int]) -> Array:
    """Returns the whole spectrum of a real signal from its first half along the last dimension.

    Outer dimensions are transformed first, one by one; so the second half is the conjugate of the first at
    the same place of the last dimension's transform, after those.
    """
    whole = np.empty(lengths, np.complex128)
    count = half.shape[-1]
    for place in np.ndindex(*lengths):
        *outer, last = place
        mirrored = (*((n - i) % n for i, n in zip(outer, lengths)), lengths[-1] - last)
        if last == 0 or 2 * last == lengths[-1]:
            # a real signal's spectrum is real here in the last dimension: the inverse drops what is not
            twin = (*((n - i) % n for i, n in zip(outer, lengths)), last)
            whole[place] = (half[place] + half[twin].conjugate()) / 2
        else:
            whole[place] = half[place] if last < count else half[mirrored].conjugate()
    return whole


def batch_norm_inference(make: Maker) -> Instance:
    name, shape = make.choice(("float32", "float64")), make.shape(make.integer(1, 4), smallest=1)
    axis = make.integer(0, len(shape) - 1)
    operand = _normal(make, shape, name)
    scale, offset, mean = (_normal(make, (shape[axis],), name) for _ in range(3))
    variance = np.abs(_normal(make, (shape[axis],), name)) + np.asarray(0.5, name)

    def formula() -> list[Array]:
        result = np.empty(shape, name)
        for index in np.ndindex(shape):
            k = index[axis]
            x, m, v = float(operand[index]), float(mean[k]), float(variance[k])
            result[index] = (x - m) / (v + EPSILON) ** 0.5 * float(scale[k]) + float(offset[k])
        return [result]

    return Instance(
        "stablehlo.batch_norm_inference",
        [operand, scale, offset, mean, variance],
        [Result(shape, operand.dtype)],
        f"epsilon = {EPSILON} : f32, feature_index = {axis} : i64",
        (),
        formula,
        TOLERANCE[name],
        TOLERANCE[name],
    )


def batch_norm_training(make: Maker) -> Instance:
    name, shape = make.choice(("float32", "float64")), make.shape(make.integer(1, 4), smallest=2)
    axis = make.integer(0, len(shape) - 1)
    operand = _normal(make, shape, name)
    scale, offset = (_normal(make, (shape[axis],), name) for _ in range(2))

    def formula() -> list[Array]:
        means, variances = _moments(operand, axis)
        result = np.empty(shape, name)
        for index in np.ndindex(shape):
            k = index[axis]
            normal = (float(operand[index]) - means[k]) / (variances[k] + EPSILON) ** 0.5
            result[index] = normal * float(scale[k]) + float(offset[k])
        return [result, np.array(means, name), np.array(variances, name)]

    feature = Result((shape[axis],), operand.dtype)
    return Instance(
        "stablehlo.batch_norm_training",
        [operand, scale, offset],
        [Result(shape, operand.dtype), feature, feature],
        f"epsilon = {EPSILON} : f32, feature_index = {axis} : i64",
        (),
        formula,
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

    def formula() -> list[Array]:
        count = operand.size // shape[axis]
        features = shape[axis]
        sums, products = [0.0] * features, [0.0] * features
        for index in np.ndindex(shape):
            k = index[axis]
            sums[k] += float(gradient[index])
            products[k] += float(gradient[index]) * (float(operand[index]) - float(mean[k]))
        result = np.empty(shape, name)
        for index in np.ndindex(shape):
            k = index[axis]
            spread = float(variance[k]) + EPSILON
            centered = float(operand[index]) - float(mean[k])
            inner = count * float(gradient[index]) - sums[k] - centered * products[k] / spread
            result[index] = float(scale[k]) / spread**0.5 / count * inner
        by_scale = [product / (float(v) + EPSILON) ** 0.5 for product, v in zip(products, variance)]
        return [result, np.array(by_scale, name), np.array(sums, name)]

    feature = Result((shape[axis],), operand.dtype)
    return Instance(
        "stablehlo.batch_norm_grad",
        [operand, scale, mean, variance, gradient],
        [Result(shape, operand.dtype), feature, feature],
        f"epsilon = {EPSILON} : f32, feature_index = {axis} : i64",
        (),
        formula,
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
