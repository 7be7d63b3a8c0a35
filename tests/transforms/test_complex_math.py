"""Functions of complex numbers computed from their parts: as accurate as the functions, where naive formulas
are not, too.
"""

from __future__ import annotations

import numpy as np
import pytest

from shlo.transforms import expand_complex_math
from tests.oracle import Oracle
from tests.transforms.programs import assert_same_values, names

PROGRAM = """func.func @main(%z: tensor<NxT>) -> tensor<NxT> {
  %0 = stablehlo.FUNCTION %z : tensor<NxT>
  return %0 : tensor<NxT>
}"""
AXIS = np.array([-30.0, -2.0, -1.0, -1 + 1e-4, -0.5, -1e-5, 0.0, 1e-5, 0.3, 1.0, 1 + 1e-4, 7.5, 1e18])
"""The last one squared is too large for f32."""


@pytest.mark.parametrize(
    ("type_", "dtype", "tolerance"), [("complex<f32>", "c8", 5e-6), ("complex<f64>", "c16", 1e-14)]
)
@pytest.mark.parametrize("function", ["exponential", "log", "log_plus_one", "sqrt"])
def test_values(function: str, type_: str, dtype: str, tolerance: float, oracle: Oracle) -> None:
    real = AXIS[:-1] if function == "exponential" else AXIS
    points = (real[:, None] + 1j * AXIS[:-1]).ravel().astype(dtype)
    text = PROGRAM.replace("FUNCTION", function).replace("NxT", f"{len(points)}x{type_}")
    made = assert_same_values(text, expand_complex_math, [points], oracle, tolerance, tolerance)
    assert not any(
        f"complex<{type_}" in line for line in made.to_text().splitlines() if f".{function} " in line
    )


def test_an_accuracy_that_is_asked_for_is_kept() -> None:
    import shlo

    text = """func.func @main(%z: tensor<complex<f32>>, %x: tensor<f32>) -> (tensor<complex<f32>>, tensor<f32>) {
      %0 = "stablehlo.log"(%z) <{result_accuracy = #stablehlo.result_accuracy<ulps = 1,
        mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<complex<f32>>) -> tensor<complex<f32>>
      %1 = stablehlo.log %x : tensor<f32>
      return %0, %1 : tensor<complex<f32>>, tensor<f32>
    }"""
    module = shlo.parse(text)
    assert expand_complex_math(module) is module
    assert names(module) == ["stablehlo.log", "stablehlo.log"]
