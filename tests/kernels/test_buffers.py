"""Buffers: custom calls that make them, values of memref types, and how they are aliased."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.interpreter.custom_call_api import CustomCall
from tests.oracle import Oracle

ALIAS = "#stablehlo.output_operand_alias<output_tuple_indices = {0}, operand_index = {1}, operand_tuple_indices = {2}>"
UPDATES = """
func.func @main(%x: tensor<4xf64>, %n: tensor<i32>) -> tensor<4xf64> {
  %b = stablehlo.custom_call @Pin(%x) {api_version = 4 : i32} : (tensor<4xf64>) -> memref<4xf64>
  %0:2 = stablehlo.while(%i = %n, %m = %b) : tensor<i32>, memref<4xf64>
    cond {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %go = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %go : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.subtract %i, %one : tensor<i32>
      %k = stablehlo.custom_call @Update(%m) {api_version = 4 : i32, output_operand_aliases = [ALIAS]}
        : (memref<4xf64>) -> memref<4xf64>
      stablehlo.return %j, %k : tensor<i32>, memref<4xf64>
    }
  %y = stablehlo.custom_call @Unpin(%0#1) {api_version = 4 : i32} : (memref<4xf64>) -> tensor<4xf64>
  return %y : tensor<4xf64>
}""".replace("ALIAS", ALIAS.format("[]", 0, "[]"))
GIVEN = """
func.func @main(%b: memref<4xf64>, %s: memref<f64>) -> (memref<4xf64>, tensor<4xf64>, tuple<memref<f64>>) {
  %0 = stablehlo.custom_call @CreateBuffer() {api_version = 4 : i32} : () -> memref<4xf64>
  %1 = stablehlo.custom_call @Unpin(%0) {api_version = 4 : i32} : (memref<4xf64>) -> tensor<4xf64>
  %2 = stablehlo.tuple %s : tuple<memref<f64>>
  return %b, %1, %2 : memref<4xf64>, tensor<4xf64>, tuple<memref<f64>>
}"""


def update(call: CustomCall) -> object:
    return lambda buffer: buffer * 2


@pytest.mark.parametrize("steps", [0, 3, 300])
def test_a_loop_updates_a_pinned_buffer(steps: int) -> None:
    (result,) = shlo.run(shlo.parse(UPDATES), np.ones(4), steps, handlers={"Update": update})
    assert result.tolist() == [2.0**steps] * 4


def test_buffers_are_arguments_and_results() -> None:
    given, made, (scalar,) = shlo.run(shlo.parse(GIVEN), np.arange(4.0), 5.0)
    assert (given.tolist(), made.tolist(), float(scalar)) == ([0, 1, 2, 3], [0, 0, 0, 0], 5)
    with pytest.raises(shlo.ExecutionError, match="argument 0 is tensor<3xf64>, but must be tensor<4xf64>"):
        shlo.run(shlo.parse(GIVEN), np.arange(3.0), 5.0)


CALL = """
func.func @main(%x: tensor<2xf32>, %a: memref<2xf32>, %t: tuple<memref<2xf32>, tensor<2xf32>>) {{
  %0{1} = "stablehlo.custom_call"(%x, %a, %t) {{call_target_name = "foo", api_version = 4 : i32,
    output_operand_aliases = [{2}]}} : (tensor<2xf32>, memref<2xf32>, tuple<memref<2xf32>, tensor<2xf32>>) -> {0}
  return
}}"""
BUFFER, PAIR, TUPLE = "memref<2xf32>", "(memref<2xf32>, memref<2xf32>)", "tuple<memref<2xf32>, tensor<2xf32>>"
CASES = {
    "no alias": (CALL.format(BUFFER, "", ""), "buffer output [] is in no output_operand_alias"),
    "one alias": (CALL.format(BUFFER, "", ALIAS.format("[]", 1, "[]")), None),
    "a part of an operand": (CALL.format(BUFFER, "", ALIAS.format("[]", 2, "[0]")), None),
    "one of two": (
        CALL.format(PAIR, ":2", ALIAS.format("[0]", 1, "[]")),
        "buffer output [1] is in no output_operand_alias",
    ),
    "an operand twice": (
        CALL.format(PAIR, ":2", f"{ALIAS.format('[0]', 1, '[]')}, {ALIAS.format('[1]', 1, '[]')}"),
        "buffer operand 1[] is in more than one output_operand_alias",
    ),
    "an output twice": (
        CALL.format(BUFFER, "", f"{ALIAS.format('[]', 1, '[]')}, {ALIAS.format('[]', 2, '[0]')}"),
        "buffer output [] is in more than one output_operand_alias",
    ),
    "in a tuple": (CALL.format(TUPLE, "", ALIAS.format("[0]", 1, "[]")), None),
    "a tensor in a tuple": (
        CALL.format(TUPLE, "", ALIAS.format("[1]", 0, "[]")),
        "buffer output [0] is in no output_operand_alias",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_buffer_among_the_results_is_that_of_one_operand(oracle: Oracle, name: str) -> None:
    text, message = CASES[name]
    found = shlo.verify(shlo.parse(text))
    accepted = not any(finding.severity == "error" for finding in found)
    assert oracle.accepts(text).accepted == accepted
    assert [finding.message for finding in found if message is None or message not in finding.message] == []
    assert bool(found) == (message is not None)
