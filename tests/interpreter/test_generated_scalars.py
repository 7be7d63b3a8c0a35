"""Generated Python on scalars, and on arrays of few elements, gives the bits that the kernels give."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import shlo
from shlo.interpreter.program.code import program_of
from shlo.interpreter.runtime.tiers import Policy, policy, use_policy
from tests.interpreter.elementwise_cases import TYPES, arguments_of, bits, cases, types_of
from tests.interpreter.test_fusion import straight


@pytest.fixture(autouse=True)
def no_machine_code() -> Iterator[None]:
    with use_policy(Policy(refused=frozenset(("loop", "sequence", "chain")))):
        yield


def stepped(text: str, *arguments: Any) -> list[bytes]:
    """The results of single steps, as bits."""
    return list(map(bits, shlo.run(shlo.parse(text), *arguments, max_steps=10**9)))


def generated(text: str, *arguments: Any) -> list[bytes]:
    """The results of the third run, which is one of generated code, as bits."""
    module = shlo.parse(text)
    return list(map(bits, [shlo.run(module, *arguments) for _ in range(3)][-1]))


@pytest.mark.parametrize("element", TYPES)
def test_operations_on_scalars_have_the_kernels_bits(element: str) -> None:
    operations = [case for case in cases() if case[1][-1] == element]
    columns = arguments_of(operations, 211)[: len(types_of(operations))]
    text = straight(operations, "")
    one, other = shlo.parse(text), shlo.parse(text)
    shlo.run(one, *[column[0] for column in columns])
    wrong = {
        operations[place // 2][0]
        for row in zip(*columns)
        for place, values in enumerate(zip(shlo.run(one, *row), shlo.run(other, *row, max_steps=10**9)))
        if bits(values[0]) != bits(values[1])
    }
    assert wrong == set()


@pytest.mark.parametrize("shape", [(1,), (3,), (2, 2)], ids=str)
@pytest.mark.parametrize("element", TYPES)
def test_operations_on_each_element_have_the_kernels_bits(element: str, shape: tuple[int, ...]) -> None:
    operations = [case for case in cases() if case[1][-1] == element]
    text, size = straight(operations, "".join(f"{size}x" for size in shape)), int(np.prod(shape))
    columns = arguments_of(operations, 211 * size)[: len(types_of(operations))]
    rows = list(zip(*[column.reshape(-1, *shape) for column in columns]))[::10]
    one, other = shlo.parse(text), shlo.parse(text)
    with use_policy(replace(policy(), separate_seconds=-1.0)):  # so that it always pays
        shlo.run(one, *rows[0])
    wrong = {
        operations[place // 2][0]
        for row in rows
        for place, values in enumerate(zip(shlo.run(one, *row), shlo.run(other, *row, max_steps=10**9)))
        if bits(values[0]) != bits(values[1])
    }
    assert wrong == set()


MIXED = """func.func @main(%key: tensor<2xui32>, %x: tensor<3xui32>) -> (tensor<3xui32>, tensor<3xui32>, tensor<1xui32>, tensor<ui32>) {
  %low = stablehlo.slice %key [0:1] : (tensor<2xui32>) -> tensor<1xui32>
  %a = stablehlo.reshape %low : (tensor<1xui32>) -> tensor<ui32>
  %high = stablehlo.slice %key [1:2] : (tensor<2xui32>) -> tensor<1xui32>
  %b = stablehlo.reshape %high : (tensor<1xui32>) -> tensor<ui32>
  %c = stablehlo.xor %a, %b : tensor<ui32>
  %again = stablehlo.reshape %a : (tensor<ui32>) -> tensor<1xui32>
  %sum = stablehlo.add %again, %high : tensor<1xui32>
  %all = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<ui32>) -> tensor<3xui32>
  %five = stablehlo.constant dense<5> : tensor<3xui32>
  %weights = stablehlo.constant dense<[3, 4294967295, 7]> : tensor<3xui32>
  %left = stablehlo.shift_left %x, %five : tensor<3xui32>
  %right = stablehlo.shift_right_logical %all, %five : tensor<3xui32>
  %both = stablehlo.or %left, %right : tensor<3xui32>
  %twice = stablehlo.multiply %both, %weights : tensor<3xui32>
  %is_less = stablehlo.compare LT, %twice, %x : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xi1>
  %chosen = stablehlo.select %is_less, %both, %all : tensor<3xi1>, tensor<3xui32>
  %result = stablehlo.subtract %chosen, %x : tensor<3xui32>
  return %result, %all, %sum, %c : tensor<3xui32>, tensor<3xui32>, tensor<1xui32>, tensor<ui32>
}"""


def test_elements_broadcasts_and_slices_of_one_element_are_scalars() -> None:
    arguments = np.array([7, 2**32 - 1], np.uint32), np.array([2**31, 1, 2**32 - 1], np.uint32)
    module = shlo.parse(MIXED)
    runs = [shlo.run(module, *arguments) for _ in range(3)]
    assert list(map(bits, runs[-1])) == stepped(MIXED, *arguments)
    functions = [name for name in program_of(module).namespace if name.startswith("k")]
    assert len(functions) <= 5  # a broadcast that is returned; of one element a slice, two reshapes and a sum


CONTROL = """func.func @main(%x: tensor<f32>, %y: tensor<bf16>, %n: tensor<i8>) -> (tensor<f32>, tensor<bf16>, tensor<i8>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %end = stablehlo.constant dense<12> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0:5 = stablehlo.while(%i = %zero, %a = %x, %b = %y, %c = %n, %d = %zero) : tensor<i32>, tensor<f32>, tensor<bf16>, tensor<i8>, tensor<i32>
  cond {
    %more = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %is_true = stablehlo.compare NE, %more, %false : (tensor<i1>, tensor<i1>) -> tensor<i1>
    stablehlo.return %is_true : tensor<i1>
  } do {
    %index = stablehlo.subtract %i, %three : tensor<i32>
    %chosen:2 = "stablehlo.case"(%index) ({
      %third = stablehlo.constant dense<0.333333343> : tensor<f32>
      %r = stablehlo.multiply %a, %third : tensor<f32>
      stablehlo.return %r, %b : tensor<f32>, tensor<bf16>
    }, {
      %s = stablehlo.add %b, %b : tensor<bf16>
      %parity = stablehlo.remainder %i, %two : tensor<i32>
      %is_even = stablehlo.compare EQ, %parity, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %which = stablehlo.convert %is_even : (tensor<i1>) -> tensor<i32>
      %inner = "stablehlo.case"(%which) ({
        %r = stablehlo.negate %a : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }, {
        %r = stablehlo.divide %a, %a : tensor<f32>
        stablehlo.return %r : tensor<f32>
      }) : (tensor<i32>) -> tensor<f32>
      stablehlo.return %inner, %s : tensor<f32>, tensor<bf16>
    }, {
      %t:2 = stablehlo.while(%j = %zero, %u = %a) : tensor<i32>, tensor<f32>
      cond {
        %more = stablehlo.compare LE, %j, %index : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %more : tensor<i1>
      } do {
        %next = stablehlo.add %j, %one : tensor<i32>
        %f = stablehlo.convert %next : (tensor<i32>) -> tensor<f32>
        %v = stablehlo.add %u, %f : tensor<f32>
        stablehlo.return %next, %v : tensor<i32>, tensor<f32>
      }
      stablehlo.return %t#1, %b : tensor<f32>, tensor<bf16>
    }) : (tensor<i32>) -> (tensor<f32>, tensor<bf16>)
    %hundred = stablehlo.constant dense<100> : tensor<i8>
    %m = stablehlo.add %c, %hundred : tensor<i8>
    %wide = stablehlo.convert %m : (tensor<i8>) -> tensor<i32>
    %is_low = stablehlo.compare LT, %wide, %d : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %is_high = stablehlo.not %is_low : tensor<i1>
    %e = "stablehlo.if"(%is_high) ({
      %sum = stablehlo.add %d, %wide : tensor<i32>
      stablehlo.return %sum : tensor<i32>
    }, {
      %difference = stablehlo.subtract %d, %wide : tensor<i32>
      stablehlo.return %difference : tensor<i32>
    }) : (tensor<i1>) -> tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %chosen#0, %chosen#1, %m, %e : tensor<i32>, tensor<f32>, tensor<bf16>, tensor<i8>, tensor<i32>
  }
  return %0#1, %0#2, %0#3, %0#4 : tensor<f32>, tensor<bf16>, tensor<i8>, tensor<i32>
}"""


@pytest.mark.parametrize("number", [0.0, -0.0, 1.7, -3e38, 1e-42, np.inf, np.nan])
def test_branches_in_loops_and_loops_in_branches_have_the_kernels_bits(number: float) -> None:
    from ml_dtypes import bfloat16

    arguments = np.float32(number), bfloat16(1.01), np.int8(-7)
    assert generated(CONTROL, *arguments) == stepped(CONTROL, *arguments)
