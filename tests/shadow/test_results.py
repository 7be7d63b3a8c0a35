"""What part of their digits results lack, by a run in f64 that holds little."""

from __future__ import annotations

import tracemalloc

import numpy as np

import shlo
from shlo.interpreter.execution import execute
from shlo.interpreter.options import RunOptions
from shlo.ir.dtypes import Array
from shlo.ir.operations import Module
from shlo.shadow.results import parts_lost


def parts(text: str | Module, *arguments: Array) -> list[float] | None:
    module = shlo.parse(text) if isinstance(text, str) else text
    return parts_lost(module, arguments, RunOptions(), execute(module, arguments, RunOptions()))


def test_a_result_lacks_the_digits_that_f64_has_and_others_lack_none() -> None:
    text = """
    func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> (tensor<2xf32>, tensor<i32>, tensor<2xf32>) {
      %big = stablehlo.constant dense<1.0e4> : tensor<2xf32>
      %sum = stablehlo.add %x, %big : tensor<2xf32>
      %less = stablehlo.subtract %sum, %big : tensor<2xf32>
      return %less, %n, %x : tensor<2xf32>, tensor<i32>, tensor<2xf32>
    }
    """
    found = parts(text, np.array([0.1, 1.0 / 3], np.float32), np.array(1, np.int32))
    assert found is not None
    lost, kept = found
    assert 0.4 < lost < 0.7
    assert kept == 0.0


def test_arguments_are_widened_for_regions_calls_and_other_blocks() -> None:
    text = """
    func.func private @half(%a: tensor<f32>) -> tensor<f32> {
      %two = stablehlo.constant dense<2.0> : tensor<f32>
      %r = stablehlo.divide %a, %two : tensor<f32>
      return %r : tensor<f32>
    }
    func.func @main(%x: tensor<f32>, %y: tensor<f32>, %p: i1) -> tensor<f32> {
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %last:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<f32>
        cond {
          %n = stablehlo.constant dense<3> : tensor<i32>
          %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %less : tensor<i1>
        } do {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %h = func.call @half(%v) : (tensor<f32>) -> tensor<f32>
          %w = stablehlo.add %h, %y : tensor<f32>
          %j = stablehlo.add %i, %one : tensor<i32>
          stablehlo.return %j, %w : tensor<i32>, tensor<f32>
        }
      cf.cond_br %p, ^one(%x : tensor<f32>), ^two(%last#1 : tensor<f32>)
    ^one(%a: tensor<f32>):
      %b = stablehlo.add %a, %y : tensor<f32>
      cf.br ^two(%b : tensor<f32>)
    ^two(%c: tensor<f32>):
      %r = stablehlo.multiply %c, %y : tensor<f32>
      return %r : tensor<f32>
    }
    """
    for branch in (False, True):
        found = parts(text, np.array(0.1, np.float32), np.array(0.7, np.float32), np.array(branch))
        assert found is not None
        assert 0 <= found[0] < 0.1


def test_neither_arguments_nor_results_are_held_in_f64() -> None:
    layers, type_ = 8, "tensor<262144xf32>"  # of 1 MB each
    arguments = ", ".join(f"%w{number}: {type_}" for number in range(layers))
    lines = [f"func.func @main({arguments}, %x: {type_}) -> ({', '.join([type_] * layers)}) {{"]
    lines += [f"%g{number} = stablehlo.multiply %x, %x : {type_}" for number in range(layers)]
    lines += [f"%u{number} = stablehlo.subtract %w{number}, %g{number} : {type_}" for number in range(layers)]
    names, types = ", ".join(f"%u{number}" for number in range(layers)), ", ".join([type_] * layers)
    module = shlo.parse("\n".join([*lines, f"return {names} : {types}", "}"]))
    values = [np.full(262144, 0.5 + number, np.float32) for number in range(layers + 1)]
    results = execute(module, values, RunOptions())
    tracemalloc.start()
    try:
        assert parts_lost(module, values, RunOptions(), results) == [0.0] * layers
        assert tracemalloc.get_traced_memory()[1] < 14 << 20
    finally:
        tracemalloc.stop()
