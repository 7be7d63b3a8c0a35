"""arith, math, tensor and casts: values from arithmetic on Python's integers, from NumPy, and from MLIR's
rules.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import shlo

INTEGERS = [(7, 2), (-7, 2), (7, -2), (-128, 3), (100, 100), (-1, 1), (0, 5)]


def _i8(value: int) -> int:
    return (value + 128) % 256 - 128


def _trunc_div(x: int, y: int) -> int:
    return int(math.copysign(abs(x) // abs(y), x * y)) if x * y else 0


BINARY = {
    "addi": lambda x, y: _i8(x + y),
    "subi": lambda x, y: _i8(x - y),
    "muli": lambda x, y: _i8(x * y),
    "divsi": lambda x, y: _i8(_trunc_div(x, y)),
    "remsi": lambda x, y: _i8(x - y * _trunc_div(x, y)),
    "divui": lambda x, y: _i8((x % 256) // (y % 256)),
    "remui": lambda x, y: _i8((x % 256) % (y % 256)),
    "ceildivsi": lambda x, y: _i8(-(-x // y)),
    "floordivsi": lambda x, y: _i8(x // y),
    "ceildivui": lambda x, y: _i8(-(-(x % 256) // (y % 256))),
    "andi": lambda x, y: x & y,
    "ori": lambda x, y: x | y,
    "xori": lambda x, y: x ^ y,
    "maxsi": max,
    "minsi": min,
    "maxui": lambda x, y: _i8(max(x % 256, y % 256)),
    "minui": lambda x, y: _i8(min(x % 256, y % 256)),
}


def test_numbers_go_before_nan_and_zeros_are_ordered_by_sign() -> None:
    type_ = "tensor<4xf32>"
    program = f"func.func @main(%x: {type_}, %y: {type_}) -> ({type_}, {type_}) {{"
    for name in ("maximum", "minimum"):
        program += f" %{name} = arith.{name}numf %x, %y : {type_}"
    module = shlo.parse(f"{program} return %maximum, %minimum : {type_}, {type_} }}")
    nan = np.float32("nan")
    found = shlo.run(module, np.array([nan, -0.0, 0.0, 3], "f"), np.array([1, 0, -0.0, nan], "f"))
    assert [str(each.tolist()) for each in found] == ["[1.0, 0.0, 0.0, 3.0]", "[1.0, -0.0, -0.0, 3.0]"]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("type_", ["i8", "tensor<7xi8>"])
def test_integers(name: str, type_: str) -> None:
    module = shlo.parse(
        f"func.func @main(%x: {type_}, %y: {type_}) -> {type_} {{ %0 = arith.{name} %x, %y : {type_} return %0 : {type_} }}"
    )
    wanted = [BINARY[name](x, y) for x, y in INTEGERS]
    lhs, rhs = (np.array(column, np.int8) for column in zip(*INTEGERS, strict=True))
    if type_ == "i8":
        given = [int(shlo.run(module, x, y)[0]) for x, y in zip(lhs, rhs, strict=True)]
    else:
        given = shlo.run(module, lhs, rhs)[0].tolist()
    assert given == wanted


CASES = [
    ("arith.extui %x : i8 to i32", "i8", "i32", -1, 255),
    ("arith.extsi %x : i8 to i32", "i8", "i32", -1, -1),
    ("arith.extsi %x : i1 to i32", "i1", "i32", True, -1),
    ("arith.extui %x : i1 to i32", "i1", "i32", True, 1),
    ("arith.trunci %x : i32 to i8", "i32", "i8", 0x1FF, -1),
    ("arith.trunci %x : i32 to i1", "i32", "i1", 2, False),
    ("arith.uitofp %x : i8 to f32", "i8", "f32", -1, 255.0),
    ("arith.sitofp %x : i8 to f32", "i8", "f32", -1, -1.0),
    ("arith.fptosi %x : f32 to i8", "f32", "i8", -3.7, -3),
    ("arith.fptoui %x : f32 to i8", "f32", "i8", 200.5, -56),
    ("arith.bitcast %x : f32 to i32", "f32", "i32", 1.0, 0x3F800000),
    ("arith.truncf %x : f32 to f16", "f32", "f16", 1 / 3, float(np.float16(1 / 3))),
    ("arith.index_castui %x : i8 to index", "i8", "index", -1, 255),
    ("arith.index_cast %x : i8 to index", "i8", "index", -1, -1),
    ("math.ctlz %x : i8", "i8", "i8", 16, 3),
    ("math.cttz %x : i8", "i8", "i8", 16, 4),
    ("math.cttz %x : i8", "i8", "i8", 0, 8),
    ("math.ctpop %x : i8", "i8", "i8", -1, 8),
    ("math.round %x : f32", "f32", "f32", 2.5, 3.0),
    ("math.roundeven %x : f32", "f32", "f32", 2.5, 2.0),
    ("math.trunc %x : f32", "f32", "f32", -2.5, -2.0),
    ("math.clampf %x to [%x, %x] : f32", "f32", "f32", 2.5, 2.5),
    ("math.isnan %x : f32", "f32", "i1", math.nan, True),
    ("math.isnormal %x : f32", "f32", "i1", 1e-45, False),
    ("math.exp2 %x : f32", "f32", "f32", 3.0, 8.0),
    ("arith.cmpf ult, %x, %x : f32", "f32", "i1", math.nan, True),
    ("arith.cmpf one, %x, %x : f32", "f32", "i1", math.nan, False),
    ("arith.cmpf ord, %x, %x : f32", "f32", "i1", 1.0, True),
    ("builtin.unrealized_conversion_cast %x : i32 to i32", "i32", "i32", 5, 5),
]


@pytest.mark.parametrize(("line", "given", "gives", "value", "wanted"), CASES)
def test_conversions_and_functions(line: str, given: str, gives: str, value: object, wanted: object) -> None:
    module = shlo.parse(f"func.func @main(%x: {given}) -> {gives} {{ %0 = {line} return %0 : {gives} }}")
    (result,) = shlo.run(module, value)
    assert result.tolist() == wanted


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("addui_extended", _i8(200 + 100), True),
        ("subui_extended", _i8(200 - 100), False),
        ("mulsi_extended", _i8(-56 * 100), (-56 * 100) >> 8),
        ("mului_extended", _i8(200 * 100), (200 * 100) >> 8),
    ],
)
def test_results_in_two_parts(name: str, first: int, second: object) -> None:
    other = "i1" if name.endswith("ui_extended") and "mul" not in name else "i8"
    types = f"i8, {other}" if other == "i1" else "i8"
    module = shlo.parse(
        f"func.func @main(%x: i8, %y: i8) -> (i8, {other}) {{ %0:2 = arith.{name} %x, %y : {types} return %0#0, %0#1 : i8, {other} }}"
    )
    assert [each.tolist() for each in shlo.run(module, -56, 100)] == [first, second]


def test_shapes() -> None:
    module = shlo.parse("""func.func @main(%x: tensor<?x3xf32>, %n: index) -> (tensor<?xf32>, tensor<?x3xf32>, index, tensor<?xf32>, tensor<?x3xf32>) {
      %flat = tensor.collapse_shape %x [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
      %again = tensor.expand_shape %flat [[0, 1]] output_shape [%n, 3] : tensor<?xf32> into tensor<?x3xf32>
      %rank = tensor.rank %x : tensor<?x3xf32>
      %half = arith.constant 5.0e-1 : f32
      %splat = tensor.splat %half[%n] : tensor<?xf32>
      %both = tensor.concat dim(0) %x, %again : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
      return %flat, %again, %rank, %splat, %both : tensor<?xf32>, tensor<?x3xf32>, index, tensor<?xf32>, tensor<?x3xf32>
    }""")
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    flat, again, rank, splat, both = shlo.run(module, x, 2)
    assert flat.tolist() == [0, 1, 2, 3, 4, 5]
    assert again.tolist() == x.tolist()
    assert int(rank) == 2
    assert splat.tolist() == [0.5, 0.5]
    assert both.tolist() == [*x.tolist(), *x.tolist()]


def test_an_assertion_that_does_not_hold_ends_the_run() -> None:
    module = shlo.parse('func.func @main(%x: i1) { cf.assert %x, "must be" return }')
    assert shlo.run(module, True) == ()
    with pytest.raises(shlo.ExecutionError, match="does not hold: must be"):
        shlo.run(module, False)
