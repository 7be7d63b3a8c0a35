"""Tensors as users see them: types beside arrays, single elements, copies."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shlo.interpreter.tensor import Element, Tensor
from shlo.ir.attributes import Attribute
from shlo.ir.dense import DenseElementsAttr
from shlo.ir.types import F32, I1, I32, ComplexType, FloatType, IntegerType, RankedTensorType
from shlo.syntax import parse_attribute

MATRIX = np.array([[1, 2, 3], [4, 5, 6]], np.int32)


def test_elements_are_read_by_index() -> None:
    tensor = Tensor.of(MATRIX)
    assert str(tensor.type) == "tensor<2x3xi32>"
    assert tensor.get((1, 2)) == Element(I32, 6)
    assert [(index, element.value) for index, element in tensor.elements()][3:5] == [((1, 0), 4), ((1, 1), 5)]
    assert Tensor.of(np.float32(2.5)).get(()) == Element(F32, 2.5)


@pytest.mark.parametrize("index", [(2, 0), (-1, 0), (0,), (0, 0, 0)])
def test_an_index_outside_is_refused(index: tuple[int, ...]) -> None:
    tensor = Tensor.of(MATRIX)
    with pytest.raises(IndexError):
        tensor.get(index)
    with pytest.raises(IndexError):
        tensor.set(index, Element(I32, 0))


def test_setting_an_element_changes_a_copy() -> None:
    tensor = Tensor.of(MATRIX)
    changed = tensor.set((0, 1), Element(I32, -7))
    assert (changed.get((0, 1)).value, tensor.get((0, 1)).value) == (-7, 2)
    assert not changed.same(tensor)
    assert changed.set((0, 1), Element(I32, 2)).same(tensor)
    with pytest.raises(ValueError, match="f32"):
        tensor.set((0, 1), Element(F32, 1.0))


ELEMENTS = [
    ("dense<true> : tensor<1xi1>", I1, True, "true"),
    ("dense<-2> : tensor<1xi2>", IntegerType(2), -2, "-2"),
    ("dense<15> : tensor<1xui4>", IntegerType(4, "unsigned"), 15, "15"),
    ("dense<-1.5> : tensor<1xbf16>", FloatType("bf16"), -1.5, "-1.5"),
    ("dense<2.0> : tensor<1xf8E8M0FNU>", FloatType("f8E8M0FNU"), 2.0, "2.0"),
    ("dense<(1.0, -2.0)> : tensor<1xcomplex<f32>>", ComplexType(F32), 1 - 2j, "(1-2j)"),
]


@pytest.mark.parametrize(("text", "type_", "value", "shown"), ELEMENTS)
def test_every_kind_of_element_is_a_python_number(text: str, type_: Any, value: Any, shown: str) -> None:
    attribute: Attribute = parse_attribute(text)
    assert isinstance(attribute, DenseElementsAttr)
    tensor = Tensor.from_attribute(attribute)
    element = tensor.get((0,))
    assert (element, type(element.value), str(element)) == (Element(type_, value), type(value), shown)
    assert str(tensor.set((0,), element).to_attribute()) == str(attribute)


def test_a_tensor_fits_its_type() -> None:
    Tensor(RankedTensorType((None, 3), I32), MATRIX)
    with pytest.raises(ValueError, match="shape"):
        Tensor(RankedTensorType((None, 2), I32), MATRIX)
    with pytest.raises(ValueError, match="float32"):
        Tensor(RankedTensorType((2, 3), F32), MATRIX)


def test_tensors_are_the_same_bit_by_bit() -> None:
    quiet, zero = np.array([np.nan], ml_dtypes.bfloat16), np.zeros(1, np.float32)
    assert Tensor.of(quiet).same(Tensor.of(quiet.copy()))
    assert not Tensor.of(zero).same(Tensor.of(-zero))
    assert not Tensor.of(zero).same(Tensor.of(zero.view(np.int32)))
