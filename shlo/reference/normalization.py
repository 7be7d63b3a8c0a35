"""Batch normalization, as the specification's decompositions into other operations."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from shlo.reference import numbers
from shlo.reference.element import Element, converted, part_type, zero
from shlo.reference.movement import broadcast
from shlo.reference.op import Op, elementwise, meaning
from shlo.reference.reduction import folded
from shlo.reference.tensor import Tensor, filled, scalar


def _with(function: Callable[[Element, Element], Element], x: Tensor, y: Tensor) -> Tensor:
    return elementwise(x.element_type, function, x, y)


_add, _subtract = partial(_with, Element.__add__), partial(_with, Element.__sub__)
_multiply, _divide = partial(_with, Element.__mul__), partial(_with, Element.__truediv__)


def _sqrt(x: Tensor) -> Tensor:
    def root(a: Element) -> Element:
        return a.with_value(numbers.function("sqrt", a.value, part_type(a.type)))

    return elementwise(x.element_type, root, x)


def _compute_sum(operand: Tensor, feature_index: int) -> Tensor:
    others = [d for d in range(operand.rank) if d != feature_index]
    (total,) = folded([operand], [zero(operand.element_type)], others, _sum_of)
    return total


def _sum_of(*elements: Element) -> tuple[Element, ...]:
    return (elements[0] + elements[1],)


def _elements_per_feature(operand: Tensor, feature_index: int) -> Tensor:
    count = math.prod(operand.shape) / max(operand.shape[feature_index], 1)
    return scalar(Element(operand.element_type, numbers.converted(count, part_type(operand.element_type))))


def _compute_mean(operand: Tensor, feature_index: int) -> Tensor:
    total = _compute_sum(operand, feature_index)
    return _divide(total, _constant_like(total, _elements_per_feature(operand, feature_index)))


def _constant_like(tensor: Tensor, value: Tensor) -> Tensor:
    return filled(tensor.shape, tensor.element_type, (value.get(()) for _ in tensor.indices()))


def _bcast(values: Tensor, feature_index: int, operand: Tensor) -> Tensor:
    return broadcast(values, operand.shape, [feature_index], operand.element_type)


def _epsilon(op: Op, operand: Tensor) -> Tensor:
    value = Element(operand.element_type, op.attribute("epsilon"))
    return _constant_like(operand, scalar(converted(value, operand.element_type)))


def _normalize(
    op: Op, operand: Tensor, scale: Tensor, offset: Tensor, mean: Tensor, variance: Tensor
) -> Tensor:
    feature_index = op.attribute("feature_index")
    centered_operand = _subtract(operand, _bcast(mean, feature_index, operand))
    stddev = _sqrt(_add(_bcast(variance, feature_index, operand), _epsilon(op, operand)))
    normalized_operand = _divide(centered_operand, stddev)
    scaled = _multiply(_bcast(scale, feature_index, operand), normalized_operand)
    return _add(scaled, _bcast(offset, feature_index, operand))


@meaning()
def batch_norm_inference(
    op: Op, operand: Tensor, scale: Tensor, offset: Tensor, mean: Tensor, variance: Tensor
) -> Tensor:
    """Scale * (operand - mean) / sqrt(variance + epsilon) + offset, for each feature."""
    return _normalize(op, operand, scale, offset, mean, variance)


@meaning()
def batch_norm_training(
    op: Op, operand: Tensor, scale: Tensor, offset: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """`batch_norm_inference` by the operand's own mean and variance, and these."""
    feature_index = op.attribute("feature_index")
    mean = _compute_mean(operand, feature_index)
    centered_operand = _subtract(operand, _bcast(mean, feature_index, operand))
    variance = _compute_mean(_multiply(centered_operand, centered_operand), feature_index)
    return _normalize(op, operand, scale, offset, mean, variance), mean, variance


@meaning()
def batch_norm_grad(
    op: Op, operand: Tensor, scale: Tensor, mean: Tensor, variance: Tensor, grad_output: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """The gradients of operand, scale and offset of `batch_norm_training`."""
    feature_index = op.attribute("feature_index")
    scale_bcast, mean_bcast, variance_bcast = (
        _bcast(x, feature_index, operand) for x in (scale, mean, variance)
    )
    epsilon_bcast = _epsilon(op, operand)
    centered_operand = _subtract(operand, mean_bcast)
    stddev = _sqrt(_add(variance_bcast, epsilon_bcast))
    normalized_operand = _divide(centered_operand, stddev)
    elements_per_feature = _constant_like(operand, _elements_per_feature(operand, feature_index))
    i1 = _multiply(grad_output, elements_per_feature)
    i2 = _bcast(_compute_sum(grad_output, feature_index), feature_index, operand)
    i3 = _bcast(_compute_sum(_multiply(grad_output, centered_operand), feature_index), feature_index, operand)
    i4 = _multiply(i3, centered_operand)
    i5 = _divide(i4, _add(variance_bcast, epsilon_bcast))
    i6 = _subtract(_subtract(i1, i2), i5)
    grad_operand = _multiply(_divide(_divide(scale_bcast, stddev), elements_per_feature), i6)
    grad_scale = _compute_sum(_multiply(grad_output, normalized_operand), feature_index)
    return grad_operand, grad_scale, _compute_sum(grad_output, feature_index)
