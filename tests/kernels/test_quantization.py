"""Quantized tensors: what the check programs of the operations cannot say."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.interpreter.kernels.quantization.arithmetic import zero_of
from shlo.ir.types import F32, IntegerType, QuantizedType, RankedTensorType
from shlo.runner.arguments.literals import random_tensor, read_literal
from shlo.runner.errors import RequestError
from tests.oracle import Oracle

I8, U8 = IntegerType(8), IntegerType(8, "unsigned")


def quantized(
    scale: float, zero_point: int, storage: IntegerType = I8, low: int = -128, high: int = 127
) -> QuantizedType:
    return QuantizedType(storage, low, high, F32, (scale,), (zero_point,))


def run(body: str, *arrays: Any) -> Any:
    """Returns the results of a function `main` whose text is given."""
    return shlo.run(shlo.parse(f"func.func @main{body}"), *arrays)


def test_zero_is_what_stands_for_it_or_the_nearest_in_range() -> None:
    assert zero_of(quantized(0.5, -3)) == -3
    assert zero_of(quantized(0.5, 9, U8, 0, 7)) == 7
    assert zero_of(quantized(0.5, 9, U8, 0, 255)).dtype == np.uint8


def test_blocks_have_scales_of_their_own() -> None:
    blocks = "!quant.uniform<i8:f32:{0:1, 1:2}, {{0.5, 0.25:1}, {1.0:-1, 2.0}}>"
    body = f"""(%x: tensor<2x4xf32>) -> (tensor<2x4x{blocks}>, tensor<2x4xf32>) {{
      %q = quant.qcast %x : tensor<2x4xf32> to tensor<2x4x{blocks}>
      %d = quant.dcast %q : tensor<2x4x{blocks}> to tensor<2x4xf32>
      return %q, %d : tensor<2x4x{blocks}>, tensor<2x4xf32>
    }}"""
    x = np.array([[1, -2, 3, 0.25], [1, 2, 3, 5]], np.float32)
    stored, numbers = run(body, x)
    scales = np.array([[0.5, 0.5, 0.25, 0.25], [1, 1, 2, 2]])
    zeros = np.array([[0, 0, 1, 1], [-1, -1, 0, 0]])
    np.testing.assert_array_equal(stored, np.rint(x / scales) + zeros)
    np.testing.assert_array_equal(numbers, (stored - zeros) * scales)


def test_one_scale_along_an_axis_may_become_many() -> None:
    one, many = "!quant.uniform<i8:f32:0, {0.5:1}>", "!quant.uniform<i8:f32:1, {0.5:1, 0.5:1}>"
    body = f"""(%x: tensor<1x3x{one}>) -> tensor<3x2x{many}> {{
      %r = stablehlo.broadcast_in_dim %x, dims = [1, 0] : (tensor<1x3x{one}>) -> tensor<3x2x{many}>
      return %r : tensor<3x2x{many}>
    }}"""
    assert run(body, [[1, 2, 3]])[0].tolist() == [[1, 1], [2, 2], [3, 3]]


@pytest.mark.parametrize(
    ("expressed", "dtype"), [("f16", np.float16), ("bf16", ml_dtypes.bfloat16), ("f64", np.float64)]
)
def test_numbers_are_rounded_to_the_expressed_type(expressed: str, dtype: Any) -> None:
    body = f"""(%x: tensor<2x!quant.uniform<i16:{expressed}, 0.1:3>>) -> tensor<2x{expressed}> {{
      %r = stablehlo.uniform_dequantize %x : (tensor<2x!quant.uniform<i16:{expressed}, 0.1:3>>) -> tensor<2x{expressed}>
      return %r : tensor<2x{expressed}>
    }}"""
    (result,) = run(body, np.array([4, 1234], np.int16))
    np.testing.assert_array_equal(result, np.array([1, 1231]).astype(dtype) * dtype(0.1))


def test_sizes_may_be_unknown() -> None:
    t = "!quant.uniform<i8:f32:1, {0.5:1, 0.25:2}>"
    body = f"""(%x: tensor<?x2x{t}>) -> tensor<?x2x{t}> {{
      %y = stablehlo.add %x, %x : tensor<?x2x{t}>
      return %y : tensor<?x2x{t}>
    }}"""
    (result,) = run(body, np.array([[3, 3], [5, 5], [100, 100]], np.int8))
    np.testing.assert_array_equal(result, [[5, 4], [9, 8], [127, 127]])


def test_loops_that_run_as_python_compute_the_same() -> None:
    t = "!quant.uniform<i8:f32, 0.5:1>"
    body = f"""(%n: tensor<i32>, %x: tensor<{t}>, %step: tensor<{t}>) -> tensor<{t}> {{
      %zero = stablehlo.constant dense<0> : tensor<i32>
      %one = stablehlo.constant dense<1> : tensor<i32>
      %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<{t}>
      cond {{
        %goes_on = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %goes_on : tensor<i1>
      }} do {{
        %next = stablehlo.add %i, %one : tensor<i32>
        %sum = stablehlo.add %y, %step : tensor<{t}>
        stablehlo.return %next, %sum : tensor<i32>, tensor<{t}>
      }}
      return %r#1 : tensor<{t}>
    }}"""
    assert run(body, 100, np.int8(-100), np.int8(3)) == (100,)
    assert run(body, 200, np.int8(-100), np.int8(3)) == (127,)


def test_all_stored_numbers_compute_as_the_oracle_says(oracle: Oracle) -> None:
    # Results have the zero point 0: the oracle adds it before it rounds, the specification afterwards. Their
    # scale is a power of two: XLA multiplies by the reciprocal.
    t, u, v = (f"tensor<65536x!quant.uniform<i8:f32, {kind}>>" for kind in ("0.3:5", "0.7:-4", "0.25"))
    lines = [
        f"%{name} = stablehlo.{name} %x, %y : ({t}, {u}) -> {v}\n"
        f"%{name}_stored = stablehlo.bitcast_convert %{name} : ({v}) -> tensor<65536xi8>"
        for name in ("add", "multiply", "subtract", "maximum")
    ]
    body = f"""(%xs: tensor<65536xi8>, %ys: tensor<65536xi8>)
        -> (tensor<65536xi8>, tensor<65536xi8>, tensor<65536xi8>, tensor<65536xi8>) {{
      %x = stablehlo.bitcast_convert %xs : (tensor<65536xi8>) -> {t}
      %y = stablehlo.bitcast_convert %ys : (tensor<65536xi8>) -> {u}
      {chr(10).join(lines)}
      return %add_stored, %multiply_stored, %subtract_stored, %maximum_stored
        : tensor<65536xi8>, tensor<65536xi8>, tensor<65536xi8>, tensor<65536xi8>
    }}"""
    every = np.arange(-128, 128, dtype=np.int8)
    arrays = np.repeat(every, 256), np.tile(every, 256)
    for ours, theirs in zip(run(body, *arrays), oracle.run(f"func.func @main{body}", arrays)):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize(
    ("operation", "message"),
    [
        ("stablehlo.convert %x : (TENSOR) -> tensor<2xf32>", "convert-I1"),
        (
            "stablehlo.reverse %x, dims = [0] : (TENSOR) -> tensor<2x!quant.uniform<i8:f32, 0.25:1>>",
            "2.500000e-01",
        ),
        (
            "stablehlo.concatenate %x, %x, dim = 0 : (TENSOR, TENSOR) -> tensor<4x!quant.uniform<i8:f32, 1.0>>",
            "concatenate-C5",
        ),
        ("stablehlo.slice %x [0:2] : (TENSOR) -> tensor<2xi8>", "slice-C1"),
        ("stablehlo.uniform_dequantize %x : (TENSOR) -> tensor<2xf64>", "uniform_dequantize-C2"),
        ("stablehlo.abs %x : (TENSOR) -> tensor<2x!quant.uniform<i8:f32:1, {0.5, 0.5}>>", "abs-result"),
    ],
)
def test_what_has_no_meaning_is_refused(operation: str, message: str) -> None:
    tensor = "tensor<2x!quant.uniform<i8:f32, 0.5:1>>"
    operation = operation.replace("TENSOR", tensor)
    result = operation.rpartition("-> ")[2]
    with pytest.raises(shlo.ExecutionError, match=message):
        run(
            f"(%x: {tensor}) -> {result} {{ %r = {operation} \n return %r : {result} }}",
            np.array([1, 2], np.int8),
        )


@pytest.mark.parametrize("scales", [":0, {0.5, 0.25}", ":{0:2}, {{0.5}, {0.25}}"])
def test_scales_that_do_not_fit_are_refused(scales: str) -> None:
    tensor = f"tensor<?x2x!quant.uniform<i8:f32{scales}>>"
    body = f"""(%x: {tensor}) -> tensor<?x2xf32> {{
      %r = quant.dcast %x : {tensor} to tensor<?x2xf32>
      return %r : tensor<?x2xf32>
    }}"""
    with pytest.raises(shlo.ExecutionError, match=r"scales along dimension 0, whose size is 3"):
        run(body, [[1, 2]] * 3)


def test_arguments_are_what_is_stored() -> None:
    body = """(%x: tensor<2x!quant.uniform<i8:f32, 0.5:1>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:1>> {
      return %x : tensor<2x!quant.uniform<i8:f32, 0.5:1>>
    }"""
    assert run(body, [1, 2])[0].tolist() == [1, 2]
    with pytest.raises(shlo.ExecutionError, match="the integers that it stores"):
        run(body, [0.0, 0.5])


def test_casts_of_the_quant_dialect() -> None:
    q = "tensor<2x!quant.uniform<i8:f32, 0.5:1>>"
    body = f"""(%x: tensor<2xf32>) -> (tensor<2xi8>, tensor<2xf32>) {{
      %q = quant.qcast %x : tensor<2xf32> to {q}
      %s = quant.scast %q : {q} to tensor<2xi8>
      %t = quant.scast %s : tensor<2xi8> to {q}
      %d = quant.dcast %t : {q} to tensor<2xf32>
      return %s, %d : tensor<2xi8>, tensor<2xf32>
    }}"""
    stored, numbers = run(body, np.array([1.5, -0.4], np.float32))
    assert (stored.tolist(), numbers.tolist()) == ([4, 0], [1.5, -0.5])


def test_what_is_stored_is_written_and_made_up() -> None:
    element = quantized(0.5, 9, IntegerType(4), -3, 5)
    type_ = RankedTensorType((200,), element)
    made = random_tensor(type_, "x", np.random.default_rng(0))
    assert set(made.tolist()) == set(range(-3, 6))
    for text in ("dense<-3>", "-3", "dense<-3> : tensor<200xi4>"):
        assert read_literal(text, type_, "x").tolist() == [-3] * 200
    with pytest.raises(RequestError, match="99 is out of the range of i4"):
        read_literal("dense<99>", type_, "x")
