"""Known differences explain the elements that their reasons name, and no others."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import shlo
from shlo.divergence.known import Carried, explanation_of_elements, explanation_of_steps
from shlo.fuzzing.comparing import steps_of
from shlo.ir.dtypes import dtype_of
from shlo.ir.types import element_type_of

NAN, INF = float("nan"), float("inf")
COMPLEX = "complex<f32>"
ATTRIBUTES = {
    "stablehlo.reverse": " {dimensions = array<i64: 0>}",
    "stablehlo.reduce_precision": " {exponent_bits = 2 : i32, mantissa_bits = 0 : i32}",
}


def on_vectors(name: str, elements: str, operands: Sequence[Sequence[Any]], is_foldable: bool) -> Carried:
    """Returns an operation on vectors of one type, as the interpreter carries it out."""
    type_ = f"tensor<{len(operands[0])}x{elements}>"
    used = [f"%{number}" for number in range(len(operands))]
    attributes = ATTRIBUTES.get(name, "")
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
        ("stablehlo.round_nearest_even", "f8E3M4", [[1.5, 1.5]], [NAN, 1], [1, 0]),
        ("stablehlo.round_nearest_afz", "f32", [[1.5]], [NAN], [0]),
        ("stablehlo.reduce_precision", "f32", [[NAN, NAN, 1]], [INF, 1, INF], [1, 0, 0]),
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
        (
            "stablehlo.minimum",
            COMPLEX,
            [[NAN, NAN, complex(1, NAN), 1], [2, 2, 0, 2j]],
            [2, 3, 0, 1],
            [1, 0, 1, 0],
        ),
        (
            "stablehlo.clamp",
            COMPLEX,
            [[1j, 1j, 1j, 0], [2j, 2j, 2j, 2], [2j, 2j, 5, 3]],
            [1j, 3j, 5, 3],
            [1, 0, 0, 0],
        ),
        (
            "stablehlo.log_plus_one",
            "f64",
            [[-0.4141, -0.4141, -0.4143, -0.3]],
            [-0.534606152431406, -0.534606152432406, -0.53494758, -0.35667495],
            [1, 0, 0, 0],
        ),
        ("stablehlo.log_plus_one", "f32", [[-0.4141]], [-0.5346], [0]),
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
        ("stablehlo.reduce_precision", "f32", [[NAN]]),
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


@pytest.mark.parametrize(
    ("operand", "errors", "is_explained"),
    [
        # relative errors of the results, in units of f32 in the last place
        ([[0.1, -0.1], [1.0, 1.02]], (600, 0, 6000), True),
        ([[0.1, -0.1], [1.0, 1.02]], (60000, 0, 0), False),
        ([[0.1, -0.1], [1.0, 1.02]], (0, 0, 10**6), False),
        ([[0.1, -0.1], [1.0, 1.02]], (600, 50, 0), False),
        ([[0.1, -0.1], [1.0, 3.0]], (600, 0, 0), False),
        ([[0.1, -0.1], [100.0, 100.02]], (NAN, 0, 0), True),
    ],
)
def test_variances_explain_what_their_cancellation_loses(
    operand: list[list[float]], errors: tuple[float, float, float], is_explained: bool
) -> None:
    types = "(tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)"
    program = shlo.parse(f"""func.func @main(%x: tensor<2x2xf32>, %s: tensor<2xf32>, %o: tensor<2xf32>) -> {types} {{
  %r:3 = "stablehlo.batch_norm_training"(%x, %s, %o) {{epsilon = 1.0e-3 : f32, feature_index = 0 : i64}}
    : {types} -> {types}
  return %r#0, %r#1, %r#2 : tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>
}}
""")
    inputs = [np.array(each, np.float32) for each in (operand, [1, 1], [0, 0])]
    (step,) = steps_of(program, [inputs], (1, 1), "xla")
    given = [np.array(each) for each in step.results]
    for array, error in zip(given, errors):
        array[1] *= np.float32(1 + error * 2.0**-23)
    step = Carried(step.operation, step.operands, step.results, given)
    differing = [own != other for own, other in zip(step.results, given)]
    assert (explanation_of_elements(step, differing) is not None) == is_explained


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


@pytest.mark.parametrize(("given", "is_explained"), [(-math.inf, True), (math.inf, False), (1.0, False)])
def test_the_pole_of_digamma_explains_minus_infinity(given: float, is_explained: bool) -> None:
    program = shlo.parse("""func.func @main(%x: tensor<1xf32>) -> tensor<1xf32> {
  %r = chlo.digamma %x : tensor<1xf32> -> tensor<1xf32>
  return %r : tensor<1xf32>
}
""")
    (step,) = steps_of(program, [[np.zeros(1, np.float32)]], (1, 1), "xla")
    step = Carried(step.operation, step.operands, step.results, [np.array([given], np.float32)])
    assert (explanation_of_elements(step, [np.array([True])]) is not None) == is_explained
