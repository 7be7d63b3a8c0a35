"""Rewriting the check dialect's pretty forms for the oracle says what our own printer says."""

from __future__ import annotations

from shlo.syntax import parse
from tests.conformance.checks import generic_checks

PROGRAM = """func.func @main(%x: tensor<2xf32>, %y: tensor<complex<f32>>) {
  check.expect_eq %x, %x : tensor<2xf32>
  check.expect_eq_const %y, dense<(1.0, 2.0)> : tensor<complex<f32>> // a remark
  check.expect_almost_eq %x, %x, tolerance = 0.5 : tensor<2xf32>
  check.expect_almost_eq_const %x, dense<[1.0,
    2.0]> : tensor<2xf32>, tolerance = 0.5
  check.expect_almost_eq_const %x, dense<1.0> : tensor<2xf32> {tolerance = 0.5 : f64}
  check.expect_close %x, %x, max_ulp_difference = 3, min_ulp_difference = 1 : tensor<2xf32>, tensor<2xf32>
  check.expect_serialized_eq %x, probe_id = "a, b", iter = 7 : tensor<2xf32>
  return
}
"""


def test_generic_checks_are_our_generic_form() -> None:
    rewritten = generic_checks(PROGRAM)
    assert rewritten.count('"check.') == 7
    assert " check." not in rewritten
    module, diagnostics = parse(rewritten)
    assert diagnostics == []
    assert module.to_text(generic=True) == parse(PROGRAM)[0].to_text(generic=True)
