"""Portable artifacts read as the StableHLO of today that jaxlib finds in them."""

from __future__ import annotations

import pytest

import shlo_bytecode
from tests.bytecode.texts import TEXTS
from tests.jax_programs import SMALL, Program, program_id
from tests.oracle import Oracle, OracleError

VERSIONS = (
    "0.9.0",
    "0.11.0",
    "0.13.0",
    "0.14.0",
    "0.15.0",
    "0.17.0",
    "0.20.0",
    "1.0.0",
    "1.4.0",
    "1.5.0",
    "1.17.0",
)

OLD = "\n".join(
    line
    for line in TEXTS["stablehlo"].splitlines()
    if "algorithm" not in line and "rhs_component_count" not in line
)
"""The StableHLO program without what version 0.9.0 does not know."""


def assert_read_as_the_oracle_does(oracle: Oracle, data: bytes) -> None:
    assert shlo_bytecode.read(data).to_text(locations=True) == oracle.pretty_artifact(data, locations=True)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_program_in_every_version(oracle: Oracle, version: str) -> None:
    text = OLD.replace("[DEFAULT, DEFAULT],", "[HIGHEST, DEFAULT]")
    assert_read_as_the_oracle_does(oracle, oracle.artifact(text, version))


@pytest.mark.parametrize("name", ["stablehlo", "recent"])
def test_what_newer_versions_know(oracle: Oracle, name: str) -> None:
    assert_read_as_the_oracle_does(oracle, oracle.artifact(TEXTS[name], "1.17.0"))


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_a_jax_program(oracle: Oracle, program: Program) -> None:
    try:
        data = oracle.artifact(program.text(debug_info=True), "1.17.0", mixed=True)
    except OracleError:
        pytest.skip("no artifact can hold it")
    assert_read_as_the_oracle_does(oracle, data)


WRITTEN_OUT = """
func.func @f(%x: tensor<1x4x4x1xf32>, %k: tensor<2x2x1x1xf32>, %s: tensor<f32>, %p: tensor<f32>) -> tensor<1x3x3x1xf32> {
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, feature_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, window_strides = array<i64: 1, 1>,
    padding = dense<0> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 1>, rhs_dilation = array<i64: 1, 1>,
    window_reversal = array<i1: false, false>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}>
    : (tensor<1x4x4x1xf32>, tensor<2x2x1x1xf32>) -> tensor<1x3x3x1xf32>
  %1 = stablehlo.compare EQ, %s, %p, NOTYPE : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.custom_call @x(%s) {operand_layouts = [dense<> : tensor<0xindex>], result_layouts = [], api_version = 1 : i32} : (tensor<f32>) -> ()
  return %0 : tensor<1x3x3x1xf32>
}
"""


def test_defaults_that_are_written_out_vanish_where_the_oracle_drops_them(oracle: Oracle) -> None:
    assert_read_as_the_oracle_does(oracle, oracle.artifact(WRITTEN_OUT, "1.17.0"))


def test_an_operation_of_the_future_is_named(oracle: Oracle) -> None:
    data = oracle.artifact("func.func @f() { return }", "1.17.0").replace(b"return_v1", b"return_v9")
    with pytest.raises(
        shlo_bytecode.BytecodeError, match=r"vhlo.return_v9: VHLO has no such operation up to version 1.20.0"
    ):
        shlo_bytecode.read(data)
