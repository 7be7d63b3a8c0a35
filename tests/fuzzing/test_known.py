"""Known differences explain the elements that their reasons name, and no others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.fuzzing.comparing import steps_of
from shlo.fuzzing.known import Carried, explanation_of_elements, explanation_of_steps
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import element_type_of

NAN, INF = float("nan"), float("inf")
COMPLEX = "complex<f32>"


def on_vectors(name: str, elements: str, operands: Sequence[Sequence[Any]], is_foldable: bool) -> Carried:
    """Returns an operation on vectors of one type, as the interpreter carries it out."""
    type_ = f"tensor<{len(operands[0])}x{elements}>"
    used = [f"%{number}" for number in range(len(operands))]
    attributes = " {dimensions = array<i64: 0>}" if name == "stablehlo.reverse" else ""
    module = shlo.parse(
        f"func.func @main({', '.join(f'{each}: {type_}' for each in used)}) -> {type_} {{\n"
        f'  %r = "{name}"({", ".join(used)}){attributes} : ({", ".join([type_] * len(used))}) -> {type_}\n'
        f"  return %r : {type_}\n}}\n"
    )
    dtype = dtype_of(element_type_of(module.functions["main"].type.inputs[0]))
    (step,) = steps_of(module, [[np.array(each).astype(dtype) for each in operands]], (1, 1), "xla")
    return Carried(step.operation, step.operands, step.results, None, is_foldable)


@pytest.mark.parametrize(
    ("name", "elements", "operands", "given", "explained"),
    [
        ("stablehlo.count_leading_zeros", "i8", [[-2, 2, -2]], [-56, 5, 1], [1, 0, 0]),
        ("stablehlo.add", "i1", [[1, 1, 0], [1, 0, 0]], [0, 0, 1], [1, 0, 0]),
        ("stablehlo.round_nearest_afz", "f8E3M4", [[1.5, 1.5]], [NAN, 1], [1, 0]),
        ("stablehlo.round_nearest_afz", "f32", [[1.5]], [NAN], [0]),
        ("stablehlo.power", "i32", [[3, 3, 3], [-1, 63, 64]], [5, 5, 5], [1, 0, 1]),
        ("stablehlo.power", "ui64", [[3, 3], [2**63, 2]], [5, 5], [1, 0]),
        ("chlo.broadcast_power", "i8", [[3, 3], [-1, 2]], [5, 5], [1, 0]),
        ("chlo.mulhi", "i4", [[-8, -8], [-8, -8]], [0, 1], [1, 0]),
        ("chlo.mulhi", "i8", [[-8], [-8]], [1], [0]),
        ("chlo.polygamma", "f32", [[40, 40, 2], [100, 100, 3]], [NAN, 1, NAN], [1, 0, 0]),
        ("chlo.zeta", "f32", [[INF, 2, 2, 3, INF], [1, INF, 3, -1.5, 1]], [NAN] * 4 + [2], [1, 1, 0, 1, 0]),
        (
            "stablehlo.atan2",
            COMPLEX,
            [[1 - 1j, 1, 1, 1], [0.25 + 0.25j, 1j, 2, 2]],
            [1.5707963 - 0.2554128j, NAN, 2, 0.4636476 + 1e-6j],
            [1, 1, 0, 1],
        ),
        ("stablehlo.maximum", COMPLEX, [[1 + 2j, 1 + 2j, 2], [1 - 2j, 1 - 2j, 3]], [1 - 2j, 1, 2], [1, 0, 0]),
        ("stablehlo.multiply", COMPLEX, [[complex(INF, 1), 2], [2, 2]], [NAN, 5], [1, 0]),
        ("stablehlo.add", COMPLEX, [[complex(INF, 1)], [2]], [NAN], [0]),
        ("stablehlo.multiply", "f32", [[1e-40, 1e-30, 1], [1, 1e-10, 1]], [0, 0, 0], [1, 1, 0]),
        ("stablehlo.multiply", "f16", [[1e-7], [1]], [0], [0]),
        ("stablehlo.reverse", "f32", [[1e-40, 1]], [0, 0], [0, 0]),
    ],
)
def test_an_element_is_explained_by_its_operands_and_results(
    name: str, elements: str, operands: list[list[Any]], given: list[Any], explained: list[int]
) -> None:
    step = on_vectors(name, elements, operands, is_foldable=True)
    step = Carried(
        step.operation, step.operands, step.results, [np.array(given).astype(step.results[0].dtype)]
    )
    only = np.eye(len(given), dtype=bool)
    assert [explanation_of_elements(step, [each]) is not None for each in only] == list(map(bool, explained))


@pytest.mark.parametrize(
    ("name", "elements", "operands"),
    [
        ("stablehlo.count_leading_zeros", "i8", [[-2]]),
        ("stablehlo.add", "i1", [[1], [1]]),
        ("stablehlo.round_nearest_afz", "f8E3M4", [[1.5]]),
        ("stablehlo.power", "i32", [[3], [-1]]),
    ],
)
def test_folding_explains_nothing_where_an_operand_is_no_constant(
    name: str, elements: str, operands: list[list[Any]]
) -> None:
    differs = [np.array([True])]
    step = on_vectors(name, elements, operands, is_foldable=True)
    assert explanation_of_elements(step, differs) is not None
    step = on_vectors(name, elements, operands, is_foldable=False)
    assert explanation_of_elements(step, differs) is None


def test_a_program_is_explained_by_what_its_operations_are_given() -> None:
    program = shlo.parse("""func.func @main(%x: tensor<2xi1>, %y: tensor<2xi1>) -> tensor<2xi1> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %z = %x) : tensor<i32>, tensor<2xi1>
  cond {
    %goes = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes : tensor<i1>
  } do {
    %not = stablehlo.not %z : tensor<2xi1>
    %sum = stablehlo.add %not, %y : tensor<2xi1>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %sum : tensor<i32>, tensor<2xi1>
  }
  return %r#1 : tensor<2xi1>
}
""")
    both = [np.array([True, True]), np.array([True, True])]
    assert explanation_of_steps(steps_of(program, [both], (1, 1), "xla")) is None
    one = [np.array([True, False]), np.array([True, True])]
    found = explanation_of_steps(steps_of(program, [one], (1, 1), "xla"))
    assert found is not None
    assert found.name == "sums of boolean constants"
