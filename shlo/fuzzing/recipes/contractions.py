"""Products of matrices and convolutions, on small whole numbers."""

from __future__ import annotations

import numpy as np

from shlo.fuzzing.scope import NotHere, Scope
from shlo.fuzzing.structures import convolution_numbers, dot_numbers
from shlo.ir.types import RankedTensorType, Type


def _element(scope: Scope) -> Type:
    return scope.element("integer") if scope.is_exact else scope.element("integer", "float", "complex")


def dot_general(scope: Scope, op: str) -> None:
    """Writes a dot_general."""
    numbers, element = dot_numbers(scope.make), _element(scope)
    operands = [scope.value(shape, element, is_small=True) for shape in numbers.shapes]
    type_ = RankedTensorType(numbers.result_shape, element)
    scope.write(op, operands, (type_,), numbers.attribute)


def dot(scope: Scope, op: str) -> None:
    """Writes a dot, the older form."""
    make, element = scope.make, _element(scope)
    left, right = make.shape(make.integer(0, 1)), make.shape(make.integer(0, 1))
    size = make.integer(1, 5)
    operands = [scope.value(shape, element, is_small=True) for shape in ((*left, size), (size, *right))]
    scope.write(op, operands, (RankedTensorType((*left, *right), element),))


def einsum(scope: Scope, op: str) -> None:
    """Writes an einsum of two matrices, or of batches of them."""
    make, element = scope.make, _element(scope)
    sizes = dict(zip("bijk", make.integers(4, 1, 4)))
    config = make.choice(("ij,jk->ik", "bij,bjk->bik", "ij,kj->ik", "i,j->ij", "bij,jk->bik"))
    inputs, _, output = config.partition("->")
    shapes = [tuple(sizes[letter] for letter in part) for part in (*inputs.split(","), output)]
    operands = [scope.value(shape, element, is_small=True) for shape in shapes[:2]]
    scope.write(op, operands, (RankedTensorType(shapes[2], element),), f'einsum_config = "{config}"')


def convolution(scope: Scope, op: str) -> None:
    """Writes a convolution."""
    numbers, element = convolution_numbers(scope.make), _element(scope)
    operands = [scope.value(numbers.shape(role), element, is_small=True) for role in (0, 1)]
    type_ = RankedTensorType(numbers.shape(2), element)
    scope.write(op, operands, (type_,), numbers.attributes)


def dynamic_conv(scope: Scope, op: str) -> None:
    """Writes a convolution whose padding is an operand."""
    numbers, element = convolution_numbers(scope.make), _element(scope)
    if not numbers.strides:
        raise NotHere
    operands = [scope.value(numbers.shape(role), element, is_small=True) for role in (0, 1)]
    padding = scope.constant(np.array(numbers.padding, np.int64).reshape(-1, 2))
    type_ = RankedTensorType(numbers.shape(2), element)
    scope.write(op, (*operands, padding), (type_,), numbers.static_attributes)
