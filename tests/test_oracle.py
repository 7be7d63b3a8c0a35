"""The oracle itself: what crosses to it comes back whole, and it survives its own end."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from .jax_programs import PROGRAMS
from .oracle import Finding, Oracle, OracleCrashed, OracleError

pytestmark = pytest.mark.slow

IDENTITY = "func.func @main(%x: tensor<2x3xTYPE>) -> tensor<2x3xTYPE> { return %x : tensor<2x3xTYPE> }"
TYPES = {
    "i1": "bool",
    "i2": "int2",
    "ui4": "uint4",
    "i64": "int64",
    "bf16": "bfloat16",
    "f8E4M3FN": "float8_e4m3fn",
    "f4E2M1FN": "float4_e2m1fn",
    "f64": "float64",
    "complex<f32>": "complex64",
}
ADDITION = """func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %0 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %0 : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %sum : tensor<2xf32>
}"""


@pytest.mark.parametrize("how", ["run", "evaluate"])
@pytest.mark.parametrize("element", TYPES)
def test_tensors_of_every_kind_cross(oracle: Oracle, element: str, how: str) -> None:
    kind = np.dtype(getattr(ml_dtypes, TYPES[element], TYPES[element]))
    array = np.array([[0, 1, 1], [1, 0, 1]]).astype(kind)
    (result,) = getattr(oracle, how)(IDENTITY.replace("TYPE", element), [array])
    assert result.dtype == kind
    np.testing.assert_array_equal(result, array)


def test_rejection_says_where(oracle: Oracle) -> None:
    verdict = oracle.accepts("func.func @f() {\n  return %nowhere : i32\n}")
    assert not verdict.accepted
    assert verdict.diagnostics == (Finding(2, 10, "use of undeclared SSA value name"),)


def test_survives_an_abort(oracle: Oracle) -> None:
    unsupported = PROGRAMS["linalg_cholesky"]
    with pytest.raises(OracleCrashed, match="SIGABRT"):
        oracle.evaluate(unsupported.text(), unsupported.arguments)
    assert oracle.accepts("module {}").accepted


def test_ends_what_takes_too_long() -> None:
    endless = """func.func @main() -> tensor<i1> {
      %true = stablehlo.constant dense<true> : tensor<i1>
      %0 = stablehlo.while(%x = %true) : tensor<i1> cond { stablehlo.return %x : tensor<i1> }
        do { stablehlo.return %x : tensor<i1> }
      return %0 : tensor<i1>
    }"""
    with Oracle(timeout=2) as oracle, pytest.raises(OracleCrashed):
        oracle.evaluate(endless)


def test_text_that_does_not_parse_is_an_error(oracle: Oracle) -> None:
    with pytest.raises(OracleError):
        oracle.pretty("not a module")


def test_locations_count_only_when_asked(oracle: Oracle) -> None:
    text = PROGRAMS["composite"].text(debug_info=True)
    moved = text.replace("jit(f)/", "jit(elsewhere)/")
    assert oracle.same_module(text, text, locations=True)
    assert not oracle.same_module(text, moved, locations=True)


def test_replicas_meet_in_a_collective(oracle: Oracle) -> None:
    inputs = [[np.array([1, 2], np.float32)], [np.array([10, 20], np.float32)]]
    results = oracle.run_grid(ADDITION, inputs, replicas=2)
    assert [r[0].tolist() for r in results] == [[11, 22], [11, 22]]
