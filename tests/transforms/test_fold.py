"""Constant folding: what is folded, what stays, and that values do not change by a bit."""

from __future__ import annotations

import pytest

import shlo
from shlo.ir.operations import Module
from shlo.transforms import fold
from tests.jax_programs import RUNNABLE, program_id
from tests.oracle import Oracle
from tests.programs.registry import Program

pytestmark = pytest.mark.slow

LOOP = """
func.func @other(%x: tensor<i32>) -> tensor<i32> {
  return %x : tensor<i32>
}
func.func @square(%x: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.multiply %x, %x : tensor<i32>
  return %0 : tensor<i32>
}
func.func @main(%x: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %ten = stablehlo.constant dense<10> : tensor<i32>
  %loop:2 = stablehlo.while(%i = %zero, %sum = %one) : tensor<i32>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %ten : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %twice = stablehlo.add %sum, %sum : tensor<i32>
    stablehlo.return %next, %twice : tensor<i32>, tensor<i32>
  }
  %squared = func.call @square(%ten) : (tensor<i32>) -> tensor<i32>
  %result = stablehlo.add %x, %squared : tensor<i32>
  return %loop#1, %result : tensor<i32>, tensor<i32>
}
"""

KINDS = """
func.func @main() -> (tensor<2xi4>, tensor<3xbf16>, tensor<2xcomplex<f32>>, tensor<3xi1>, tensor<f8E4M3FN>) {
  %a = stablehlo.constant dense<[3, -8]> : tensor<2xi4>
  %b = stablehlo.constant dense<[1.5, 0x7F81, -0.0]> : tensor<3xbf16>
  %c = stablehlo.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f32>>
  %d = stablehlo.constant dense<1.5> : tensor<f8E4M3FN>
  %0 = stablehlo.add %a, %a : tensor<2xi4>
  %1 = stablehlo.negate %b : tensor<3xbf16>
  %2 = stablehlo.multiply %c, %c : tensor<2xcomplex<f32>>
  %3 = stablehlo.compare EQ, %b, %b : (tensor<3xbf16>, tensor<3xbf16>) -> tensor<3xi1>
  %4 = stablehlo.multiply %d, %d : tensor<f8E4M3FN>
  return %0, %1, %2, %3, %4 :
    tensor<2xi4>, tensor<3xbf16>, tensor<2xcomplex<f32>>, tensor<3xi1>, tensor<f8E4M3FN>
}
"""

KEPT = """
func.func @main() -> (tensor<2xf32>, tensor<2xf32>, tensor<ui32>, tensor<i32>) {
  %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0 = stablehlo.optimization_barrier %c : tensor<2xf32>
  %1 = stablehlo.custom_call @Sharding(%c) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = stablehlo.replica_id : tensor<ui32>
  %3 = func.call @noisy() : () -> tensor<i32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<ui32>, tensor<i32>
}
func.func @noisy() -> tensor<i32> {
  %c = stablehlo.constant dense<1> : tensor<i32>
  interpreter.print %c : tensor<i32>
  return %c : tensor<i32>
}
"""

SIZES = """
func.func @main() -> (tensor<4xi32>, tensor<i32>) {
  %c = stablehlo.constant dense<[4, 3, 2, 1]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.negate %c : tensor<4xi32>
  %1 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [0]
    : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<4xi32>, tensor<i32>
}
"""


def operations(module: Module, function: str = "main") -> list[str]:
    """Returns the names of a function's operations without their dialects."""
    body = module.functions[function].body
    assert body is not None
    return [operation.name.partition(".")[2] for operation in body.blocks[0].operations]


def test_loops_and_calls_become_constants_and_the_rest_is_shared() -> None:
    module = shlo.parse(LOOP)
    before = str(module)
    folded = fold(module)
    assert operations(folded) == ["constant", "constant", "add", "return"]
    assert [int(value) for value in shlo.run(folded, 5)] == [1024, 105]
    assert str(module) == before
    assert folded.functions["other"].operation is module.functions["other"].operation
    body, old = folded.functions["main"].body, module.functions["main"].body
    assert body is not None
    assert old is not None
    assert body.values is old.values  # and with them the names
    assert fold(folded) is folded


def test_a_loop_that_takes_too_many_steps_stays() -> None:
    folded = fold(shlo.parse(LOOP), max_steps=20)
    assert "while" in operations(folded)
    assert "call" not in operations(folded)
    assert [int(value) for value in shlo.run(folded, 5)] == [1024, 105]


def test_large_results_stay_but_large_constants_are_used() -> None:
    folded = fold(shlo.parse(SIZES), max_elements=3)
    assert operations(folded) == ["constant", "negate", "constant", "return"]


def test_every_kind_of_element_keeps_its_bits(oracle: Oracle) -> None:
    module = shlo.parse(KINDS)
    folded = fold(module)
    assert operations(folded) == ["constant"] * 5 + ["return"]
    assert oracle.accepts(str(folded)).accepted
    for before, after in zip(shlo.run(module), shlo.run(shlo.parse(str(folded)))):
        assert (before.dtype, before.shape, before.tobytes()) == (after.dtype, after.shape, after.tobytes())


def test_what_has_effects_or_fails_stays() -> None:
    module = shlo.parse(KEPT)
    assert operations(fold(module)) == operations(module)
    failing = "%c = stablehlo.constant dense<2> : tensor<1xi32>\n%0 = stablehlo.dynamic_iota %c, dim = 0 : "
    text = f"func.func @main() -> tensor<3xi32> {{\n{failing}(tensor<1xi32>) -> tensor<3xi32>\n"
    module = shlo.parse(text + "return %0 : tensor<3xi32>\n}")
    assert fold(module) is module


def test_new_constants_stand_where_the_operations_stood() -> None:
    module = shlo.parse(LOOP)
    assert module.source is not None
    for name, text in (("loop#1", "%loop:2 = stablehlo.while"), ("squared", "%squared = func.call")):
        function = fold(module).functions["main"]
        assert function.body is not None
        block, names = function.body.blocks[0], function.body.values.names
        (index,) = [
            at for at, made in enumerate(block.operations) if [names[v] for v in made.results] == [name]
        ]
        assert module.source.text[block.span(index, function.span.start).start :].startswith(text)


@pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
def test_jax_programs_give_the_same_bits(program: Program) -> None:
    module = shlo.parse(program.text())
    folded = shlo.parse(str(fold(module)))
    for before, after in zip(shlo.run(module, *program.arguments), shlo.run(folded, *program.arguments)):
        assert (before.dtype, before.shape, before.tobytes()) == (after.dtype, after.shape, after.tobytes())
