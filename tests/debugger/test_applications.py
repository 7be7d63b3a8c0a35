"""How a region made one element: its applications one after the other."""

from __future__ import annotations

import numpy as np
import pytest

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from tests.debugger.programs import read

PROGRAM = """
func.func @main(%x: tensor<2x3xf32>, %at: tensor<3x1xi32>, %scale: tensor<f32>) -> tensor<2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.multiply %b, %scale : tensor<f32>
    %d = stablehlo.add %a, %c : tensor<f32>
    stablehlo.return %d : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %row = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %spread = "stablehlo.scatter"(%sum, %at, %row) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %c : tensor<f32>
  }) : (tensor<2xf32>, tensor<3x1xi32>, tensor<3xf32>) -> tensor<2xf32>
  return %spread : tensor<2xf32>
}
"""


def done(x: list[list[float]]) -> Session:
    session = Session(
        read(PROGRAM), np.array(x, np.float32), np.array([[1], [0], [1]], np.int32), np.float32(1)
    )
    session.resume()
    session.back_in()
    return session


def test_each_application_takes_what_was_combined_and_one_element() -> None:
    session = done([[1, 2, 3], [4, 5, 6]])
    found = list(session.inspector.applications("sum", (1,)))
    assert [(each.index, *map(float, (*each.arguments, *each.results))) for each in found] == [
        ((1, 0), 0, 4, 4),
        ((1, 1), 4, 5, 9),
        ((1, 2), 9, 6, 15),
    ]


def test_updates_of_a_scatter_are_combined_with_the_element_that_was_there() -> None:
    found = list(done([[1, 2, 3], [4, 5, 6]]).inspector.applications("spread", (1,)))
    assert [(each.index, float(each.results[0])) for each in found] == [((0,), 16), ((2,), 20)]


def test_the_command_marks_the_application_that_makes_the_first_nan() -> None:
    answer = run_command(done([[1, np.inf, -np.inf], [0, 0, 0]]), "applications %sum[0]").text
    assert answer.splitlines() == [
        "3 applications",
        "  [0, 0]: (0., 1.) -> 1.",
        "  [0, 1]: (1., inf) -> inf  first that is not finite",
        "  [0, 2]: (inf, -inf) -> nan",
    ]


def test_a_value_that_no_region_made_is_refused() -> None:
    session = done([[1, 2, 3], [4, 5, 6]])
    with pytest.raises(
        DebuggerError, match="expected a result of reduce, reduce_window, scatter or map, got an argument"
    ):
        list(session.inspector.applications("x", (0, 0)))


@pytest.mark.filterwarnings("error")
def test_what_overflows_in_a_region_warns_of_nothing() -> None:
    found = list(done([[3e38, 3e38, 1], [0, 0, 0]]).inspector.applications("sum", (0,)))
    assert [float(each.results[0]) for each in found][1:] == [np.inf, np.inf]
