"""The notation of the specification's formulas: read, evaluated on what is known, put into words."""

from __future__ import annotations

from typing import Any

import pytest

from shlo.dialects.formula import (
    UNKNOWN,
    NotationError,
    Placeholder,
    Undefined,
    as_truth,
    compiled,
    explain,
    parse_formula,
)
from shlo.ir.types import F32, I32, FunctionType, RankedTensorType

SCALAR = RankedTensorType((), F32)
MEMBERS: dict[str, Any] = {
    "lhs": Placeholder(RankedTensorType((2, 3), F32)),
    "rhs": Placeholder(RankedTensorType((4, None), F32)),
    "dims": (1,),
    "none": (),
    "body": FunctionType((SCALAR, SCALAR), (SCALAR,)),
    "absent": None,
}


def value(text: str) -> Any:
    return compiled(parse_formula(text))(dict(MEMBERS))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("dim(lhs, dims...) = [3]", True),
        ("0 <= dims < rank(lhs)", True),
        ("dim(lhs, 0) = dim(rhs, 0)", False),
        ("dim(lhs, 0) = dim(rhs, 1)", UNKNOWN),
        ("dim(rhs, 0) = 5 and dim(rhs, 1) = 3", False),
        ("dim(rhs, 0) = 4 or dim(rhs, 1) = 3", True),
        ("if absent is not None then size(absent) = 2", True),
        ("ceil([5, 6] / 2) = [3, 3]", True),
        ("[1] ++ dims = [1, 1]", True),
        ("1 = 1 = 2", False),
        ("(absent is None ? 1 : 2) = 1", True),
        ("[i for i in axes(lhs) if i not in dims] = [0]", True),
        ("body has type (tensor<E>, tensor<E>) -> tensor<E> where is_promotable(E, element_type(lhs))", True),
        ("body has type (tensor<i32>, tensor<E>) -> tensor<E>", False),
        ("n = 6 where n = product(shape(lhs))", True),
    ],
)
def test_truth_of_a_formula(text: str, expected: object) -> None:
    assert as_truth(value(text)) is expected


def test_an_axis_that_a_tensor_lacks_has_no_value() -> None:
    with pytest.raises(Undefined):
        value("dim(lhs, 2) = 1")


def test_failing_side_is_named_with_its_value() -> None:
    explanation = explain(parse_formula("rank(lhs) = 2 and dim(lhs, dims...) = dim(rhs, none...)"), MEMBERS)
    assert explanation.text == "dim(lhs, [1]) is [3], but dim(rhs, []) is []"
    assert set(explanation.names) == {"lhs", "dims", "rhs", "none"}


def test_what_is_no_formula() -> None:
    with pytest.raises(NotationError):
        parse_formula("dim(lhs, = 1")


def test_types_are_equal_where_unknown_sizes_may_be() -> None:
    scope = {
        "a": RankedTensorType((None, 3), F32),
        "b": RankedTensorType((2, 3), F32),
        "c": RankedTensorType((2,), I32),
    }
    assert compiled(parse_formula("a = b"))(scope) is UNKNOWN
    assert compiled(parse_formula("a = c"))(scope) is False
