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
    parse_formula,
)
from shlo.dialects.formula.explanation import explain
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


@pytest.mark.parametrize(
    ("text", "said", "advice"),
    [
        ("dim(lhs, 1) = dim(rhs, 0)", "dim(lhs, 1) is 3, but dim(rhs, 0) is 4",
         ["make dimension 1 of lhs 4", "make dimension 0 of rhs 3"]),
        ("shape(inputs...) = [[2, 3], [2, 5]]", "shape(inputs[1]) is [2, 4], not [2, 5]",
         ["make the shape of inputs[1] [2, 5]"]),
        ("0 <= wide < rank(lhs)", "wide[1] is 2, but must be less than rank(lhs), which is 2",
         ["make wide[1] a number from 0 to 1"]),
        ("rank(lhs) in [0, 1]", "rank(lhs) is 2, but must be 0 or 1", ["make the rank of lhs one of [0, 1]"]),
        ("dim(lhs, 1) % 2 = 0", "dim(lhs, 1) is 3, but must be a multiple of 2", ["make dimension 1 of lhs a multiple of 2"]),
        ("dim(lhs, 0) * 2 = dim(lhs, 1) + 5", "dim(lhs, 0) * 2 is 4, but dim(lhs, 1) + 5 is 8",
         ["make dimension 0 of lhs 4"]),
        ("is_unique(twice)", "twice is [1, 0, 1], in which 1 occurs twice", ["let 1 occur once in twice"]),
        ("is_unique(dims ++ wide ++ dims)", "1 occurs twice in dims, wide and dims, which are [1], [0, 2] and [1]",
         ["let 1 occur once in dims"]),
        ("is_sorted(twice)", "twice is [1, 0, 1], in which 0 follows 1", ["make twice [0, 1, 1]"]),
        ("is_permutation(twice, 3)",
         "twice is [1, 0, 1], but must be a permutation of [0, 1, 2]: 1 occurs twice, 2 is missing",
         ["make twice a permutation of [0, 1, 2], such as [1, 0, 2]"]),
        ("same([with_items(shape(x), [0], [1]) for x in inputs])",
         "dim(inputs[0], 1) is 3, but dim(inputs[1], 1) is 4",
         ["make dimension 1 of inputs[0] 4", "make dimension 1 of inputs[1] 3"]),
        ("all(lambda x, n: size(x) = n, inputs, [6, 9])", "size(inputs[1]) is 8, not 9",
         ["make the number of elements of inputs[1] 9, as in tensor<9xf32>"]),
        ("dim(lhs, 0) = 1 or dim(lhs, 0) = dim(rhs, 0)", "dim(lhs, 0) is 2, but must be 1 or dim(rhs, 0), which is 4",
         ["make dimension 0 of lhs 1", "make dimension 0 of lhs 4", "make dimension 0 of rhs 2"]),
        ("is_quantized(lhs)", "lhs is of type tensor<2x3xf32>, but must be quantized", ["make lhs quantized"]),
        ("if is_float(lhs) and absent is None then rank(lhs) = 1",
         "rank(lhs) is 2, not 1, as lhs is of floating-point type", ["make the rank of lhs 1"]),
        ("body has type (tensor<E>) -> tensor<E>",
         "body is of type (tensor<f32>, tensor<f32>) -> tensor<f32>, not (tensor<E>) -> (tensor<E>)",
         ["let body be of type (tensor<E>) -> (tensor<E>)"]),
        ("body has type (tensor<E>, tensor<F>) -> tensor<E> where is_promotable(F, i32)",
         "element_type(input_types(body)[1]) is f32, which cannot be promoted to i32",
         ["make the element type of argument 1 of body i32"]),
        ("all = rank(lhs) where all = size([b for b in axes(lhs) if b != 0])", "rank(lhs) is 2, not 1",
         ["make the rank of lhs 1"]),
    ],
)  # fmt: skip
def test_an_explanation_names_what_is_wrong_and_what_would_be_right(
    text: str, said: str, advice: list[str]
) -> None:
    others = {
        "inputs": (MEMBERS["lhs"], Placeholder(RankedTensorType((2, 4), F32))),
        "twice": (1, 0, 1),
        "wide": (0, 2),
    }
    explanation = explain(parse_formula(text), {**MEMBERS, **others})
    assert explanation.text == said
    assert [suggestion.text for suggestion in explanation.suggestions] == advice


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


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("all(lambda i: 0 < size(costly([7])), [1, 2, 3])", 1),
        ("[i for i in [1, 2, 3] if i in costly([2])] = [2]", 1),
        ("all(lambda i: all(lambda j: j in costly([i, 9]), [9, 9, 9]), [1, 2])", 2),
        ("all(lambda i: i in costly([i]), [1, 2, 3])", 3),
        ("all(lambda i: all(lambda i: i in costly([i]), [1, 2]), [3])", 2),
        ("all(lambda i: i = 1 or i in costly([7]), [1, 1])", 0),
        ("all(lambda i: (i = n where n = size(costly([4]))), [1, 1])", 1),
    ],
)
def test_what_a_loop_does_not_change_is_evaluated_once_where_it_is_needed(text: str, times: int) -> None:
    calls: list[object] = []

    def costly(values: object) -> object:
        calls.append(values)
        return values

    assert as_truth(compiled(parse_formula(text))({**MEMBERS, "costly": costly})) is True
    assert len(calls) == times
