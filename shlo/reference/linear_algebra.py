"""Decompositions, solutions of linear equations, Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from shlo.ir.types import Type
from shlo.reference import numbers
from shlo.reference.element import Element, is_complex, part_type, zero
from shlo.reference.op import Op, meaning
from shlo.reference.tensor import Index, Tensor, filled, index_space

Matrix = list[list[Element]]


def _matrices(*tensors: Tensor) -> Iterator[tuple[Index, list[Matrix]]]:
    """Yields each index of a batch, and the matrices there."""
    for batch in index_space(tensors[0].shape[:-2]):
        yield (
            batch,
            [
                [[each.get((*batch, i, j)) for j in range(each.shape[-1])] for i in range(each.shape[-2])]
                for each in tensors
            ],
        )


def conjugated(x: Element) -> Element:
    """Returns the complex conjugate; of a real number itself."""
    return x.with_value(x.value.conjugate())


def square_root(x: Element) -> Element:
    """Returns the square root."""
    compute = numbers.complex_function if is_complex(x.type) else numbers.function
    return x.with_value(compute("sqrt", x.value, part_type(x.type)))


@meaning()
def cholesky(op: Op, a: Tensor) -> Tensor:
    """The triangular matrix whose product with its adjoint is `a`; the other triangle is zero."""
    lower = bool(op.attribute("lower", 0))
    result = Tensor(a.shape, a.element_type)
    for batch, (matrix,) in _matrices(a):
        size = len(matrix)
        factor = [[zero(a.element_type) for _ in range(size)] for _ in range(size)]
        for i in range(size):
            for j in range(i + 1):
                rest = matrix[i][j] if lower else conjugated(matrix[j][i])
                for k in range(j):
                    rest = rest - factor[i][k] * conjugated(factor[j][k])
                factor[i][j] = square_root(rest) if i == j else rest / factor[j][j]
        for i in range(size):
            for j in range(i + 1):
                at = (*batch, i, j) if lower else (*batch, j, i)
                result.set(at, factor[i][j] if lower else conjugated(factor[i][j]))
    return result


@meaning()
def triangular_solve(op: Op, a: Tensor, b: Tensor) -> Tensor:
    """X with op(a) * x = b, or x * op(a) = b, where op(a) is `a`, its transpose or its adjoint."""
    left_side, unit_diagonal = op.attribute("left_side"), op.attribute("unit_diagonal")
    transpose_a = op.attribute("transpose_a")
    is_lower = bool(op.attribute("lower")) == (transpose_a == "NO_TRANSPOSE")
    result = Tensor(b.shape, b.element_type)
    for batch, (coefficients, right) in _matrices(a, b):
        matrix = coefficients if transpose_a == "NO_TRANSPOSE" else _transposed(coefficients)
        if transpose_a == "ADJOINT":
            matrix = [[conjugated(x) for x in row] for row in matrix]
        if left_side:
            solution = _solved(matrix, right, is_lower=is_lower, has_unit_diagonal=unit_diagonal)
        else:  # x * m = b is transpose(m) * transpose(x) = transpose(b)
            turned = _solved(
                _transposed(matrix),
                _transposed(right),
                is_lower=not is_lower,
                has_unit_diagonal=unit_diagonal,
            )
            solution = _transposed(turned)
        for i, row in enumerate(solution):
            for j, x in enumerate(row):
                result.set((*batch, i, j), x)
    return result


def _transposed(matrix: Matrix) -> Matrix:
    return [list(column) for column in zip(*matrix)]


def _solved(matrix: Matrix, right: Matrix, *, is_lower: bool, has_unit_diagonal: bool) -> Matrix:
    """Substitutes row by row: forwards in a lower triangle, backwards in an upper one."""
    size = len(matrix)
    solution: dict[int, list[Element]] = {}
    for i in range(size) if is_lower else reversed(range(size)):
        row = right[i]
        for k in range(i) if is_lower else range(i + 1, size):
            row = [x - matrix[i][k] * known for x, known in zip(row, solution[k])]
        solution[i] = row if has_unit_diagonal else [x / matrix[i][i] for x in row]
    return [solution[i] for i in range(size)]


@meaning()
def fft(op: Op, operand: Tensor) -> Tensor:
    """The discrete Fourier transform along the last dimensions; each sum is computed with many digits,
    rounded once."""
    lengths, kind = op.attribute("fft_length"), op.attribute("fft_type")
    axes = range(operand.rank - len(lengths), operand.rank)
    values = {index: numbers.high_precision().mpc(element.value) for index, element in _items(operand)}
    shape = list(operand.shape)
    order = list(axes) if kind in ("IFFT", "IRFFT") else list(reversed(axes))
    if kind == "RFFT":
        order = [axes[-1], *reversed(axes[:-1])]
    for axis in order:
        is_last = axis == axes[-1]
        length = lengths[axis - axes[0]]
        half = is_last and kind in ("RFFT", "IRFFT")
        values = _along(values, shape, axis, length, _line_transform(kind, half=half, length=length))
        shape[axis] = length // 2 + 1 if half and kind == "RFFT" else length
    return filled(
        shape, op.result_type(), (_rounded(values[index], op.result_type()) for index in index_space(shape))
    )


def _items(tensor: Tensor) -> Iterator[tuple[Index, Element]]:
    return zip(tensor.indices(), tensor.elements())


def _rounded(value: Any, type_: Type) -> Element:
    if is_complex(type_):
        return Element(type_, numbers.rounded_complex(value, part_type(type_)))
    return Element(type_, numbers.rounded_real(value.real, part_type(type_)))


def _along(
    values: dict[Index, Any],
    shape: Sequence[int],
    axis: int,
    length: int,
    transform: Callable[[list[Any]], list[Any]],
) -> dict[Index, Any]:
    """Transforms each line along an axis."""
    result: dict[Index, Any] = {}
    for outer in index_space([1 if d == axis else size for d, size in enumerate(shape)]):
        line = [values[(*outer[:axis], i, *outer[axis + 1 :])] for i in range(shape[axis])]
        for i, value in enumerate(transform(line)):
            result[(*outer[:axis], i, *outer[axis + 1 :])] = value
    return result


def _line_transform(kind: str, *, half: bool, length: int) -> Callable[[list[Any]], list[Any]]:
    """Returns the transform of a line: `half` if only the first half of a spectrum is there, the rest its
    mirror."""
    context = numbers.high_precision()
    sign = 1 if kind in ("IFFT", "IRFFT") else -1

    def transform(line: list[Any]) -> list[Any]:
        if half and kind == "IRFFT":
            line = [*line, *(context.conj(line[length - i]) for i in range(len(line), length))]
            line[0] = context.mpc(line[0].real)
            if length % 2 == 0:
                line[length // 2] = context.mpc(line[length // 2].real)
        count = len(line)
        sums = [
            sum(
                (
                    x * context.expjpi(context.mpf(2 * sign * j * k % (2 * count)) / count)
                    for j, x in enumerate(line)
                ),
                context.mpc(0),
            )
            for k in range(count // 2 + 1 if half and kind == "RFFT" else count)
        ]
        return [total / count for total in sums] if sign > 0 else sums

    return transform
