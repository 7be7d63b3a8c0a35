"""Where XLA departs from the specification: what each of the two semantics gives."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo.interpreter import RunOptions, kernels, make_process
from shlo.interpreter.kernel_api import KernelError
from shlo.interpreter.program.code import program_of
from shlo.interpreter.semantics import DEPARTURES, Departure
from tests.oracle import JAXLIB, Oracle

SCATTER = """func.func @main(%x: tensor<5xf32>, %i: tensor<COUNTx1xi64>, %u: tensor<COUNTx2xf32>) -> tensor<5xf32> {
  %r = "stablehlo.scatter"(%x, %i, %u) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
        scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
    : (tensor<5xf32>, tensor<COUNTx1xi64>, tensor<COUNTx2xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}"""

WINDOWS = """func.func @main(%x: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %init = stablehlo.constant dense<10.0> : tensor<f32>
  %r = "stablehlo.reduce_window"(%x, %init) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.NAME %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 2, 1>, padding = dense<PADDING> : tensor<2x2xi64>DILATIONS}
    : (tensor<3x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}"""

POWER = """func.func @main(%x: tensor<6xTYPE>, %y: tensor<6xTYPE>) -> tensor<6xTYPE> {
  %r = stablehlo.power %x, %y : tensor<6xTYPE>
  return %r : tensor<6xTYPE>
}"""

PRECISION = """func.func @main(%x: tensor<4xTYPE>) -> tensor<4xTYPE> {
  %r = stablehlo.reduce_precision %x, format = e5m0 : tensor<4xTYPE>
  return %r : tensor<4xTYPE>
}"""

DOT = """func.func @main(%x: tensor<3x4xf32>, %y: tensor<4x2xf32>) -> tensor<3x2xf32> {
  %r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT],
    algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32,
      lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
      allow_imprecise_accumulation = false> : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}"""

COUNT_BITS = """func.func @main(%x: tensor<4xi4>) -> tensor<4xi4> {
  %r = stablehlo.popcnt %x : tensor<4xi4>
  return %r : tensor<4xi4>
}"""

FLOATS = np.arange(6, dtype=np.float32).reshape(3, 2)


def filled(text: str, **words: str) -> str:
    for word, value in words.items():
        text = text.replace(word, value)
    return text


def window_programs() -> list[str]:
    around = {"PADDING": "[[1, 1], [0, 0]]", "DILATIONS": ""}
    holes = {"PADDING": "[[0, 0], [0, 0]]", "DILATIONS": ", base_dilations = array<i64: 2, 1>"}
    names = ("add", "maximum", "multiply", "subtract")
    return [filled(WINDOWS, NAME=name, **where) for name in names for where in (around, holes)]


# XLA of jaxlib 0.12 counts powers of 2 in full, and takes unsigned exponents for what they are.
UNSIGNED_POWERS = (
    ([2, 3, 3, 5, 2, 7], [5, 65, 64, 2**63, 127, 33])
    if JAXLIB < (0, 12)
    else ([2, 3, 3, 5, 3, 7], [5, 65, 64, 9, 127, 33])
)
PLACES = {1: np.array([[4]]), 3: np.array([[-1], [2], [4]]), 40: np.arange(40).reshape(40, 1) % 7 - 1}
CASES: dict[str, list[tuple[str, list[Any]]]] = {
    "scatter-windows": [
        (filled(SCATTER, COUNT=str(n)), [np.ones(5, np.float32), places, np.ones((n, 2), np.float32)])
        for n, places in PLACES.items()
    ],
    "popcnt-of-i4": [(COUNT_BITS, [np.array([-8, -1, 3, 7]).astype(ml_dtypes.int4)])],
    "reduce-window-padding": [(text, [FLOATS]) for text in window_programs()],
    "dot-algorithm": [(DOT, [np.full((3, 4), 1 + 2**-10, np.float32), np.ones((4, 2), np.float32)])],
    "reduce-precision-nan": [
        (filled(PRECISION, TYPE=name), [np.array([np.nan, np.inf, 3, -np.nan], dtype)])
        for name, dtype in (("f32", np.float32), ("f16", np.float16))
    ],
    "integer-power": [
        (filled(POWER, TYPE=name), [np.array(bases, dtype), np.array(exponents, dtype)])
        for name, dtype, bases, exponents in (
            ("i32", np.int32, [2, 3, 3, 5, 2, 7], [5, 65, 64, -3, 127, 33]),
            ("i8", np.int8, [2, 3, 3, 5, 2, 7], [5, 65, 64, -3, 127, 33]),
            ("ui64", np.uint64, *UNSIGNED_POWERS),
        )
    ],
}
FOLLOWED = [departure for departure in DEPARTURES if departure.kernels]


@pytest.mark.parametrize("departure", FOLLOWED, ids=lambda departure: departure.name)
def test_xla_semantics_are_those_of_xla_and_no_others(fusing_oracle: Oracle, departure: Departure) -> None:
    differ = False
    for text, arrays in CASES[departure.name]:
        module = shlo.parse(text)
        expected = fusing_oracle.run(text, arrays)[0]
        for _ in range(3):  # generated code is what a later run runs
            (by_specification,) = shlo.run(module, *arrays)
            (as_xla,) = shlo.run(module, *arrays, semantics="xla")
            np.testing.assert_array_equal(as_xla, expected, text)
            differ |= not np.array_equal(by_specification, as_xla, equal_nan=True)
    assert differ


@pytest.mark.parametrize("departure", FOLLOWED, ids=lambda departure: departure.name)
def test_the_module_that_a_departure_names_reads_it(departure: Departure) -> None:
    module = import_module(f"{kernels.__name__}.{departure.kernels}")
    assert departure in [value for value in vars(module).values() if isinstance(value, Departure)]


def test_departures_that_are_not_followed_say_why() -> None:
    assert all(departure.reason for departure in DEPARTURES if not departure.kernels)


def test_every_way_to_run_takes_semantics() -> None:
    text, arrays = CASES["integer-power"][0]
    module = shlo.parse(text)
    (expected,) = shlo.run(module, *arrays, semantics="xla")
    (other,) = shlo.run(module, *arrays)
    process = make_process(module, [*arrays], RunOptions(semantics="xla"))
    session = Session(module, arrays, semantics="xla")
    session.resume()
    grid = shlo.run_grid(module, [arrays], replicas=2, semantics="xla")
    for (result,) in (process.run(), session.results, *grid):
        np.testing.assert_array_equal(result, expected)
    assert not np.array_equal(other, expected)


def test_programs_of_one_module_are_apart() -> None:
    module = shlo.parse(CASES["integer-power"][0][0])
    assert program_of(module) is program_of(module, "spec") is not program_of(module, "xla")
    with pytest.raises(KernelError, match="expected semantics spec or xla, got 'hlo'"):
        program_of(module, "hlo")  # type: ignore[arg-type]
