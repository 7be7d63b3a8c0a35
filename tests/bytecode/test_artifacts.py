"""Portable artifacts read as the StableHLO of today that jaxlib finds in them."""

from __future__ import annotations

from itertools import pairwise

import pytest

import shlo
import shlo_bytecode
from shlo.dialects.attr_constraints import UNIT_ATTR
from shlo.dialects.vhlo.versions import ROWS
from shlo.ir.attributes import TypeAttr
from shlo.ir.types import NONE
from shlo.ir.version import STABLEHLO_VERSION
from shlo_bytecode.vhlo.defaults import defaults_of
from shlo_bytecode.vhlo.upgrade import attribute_constraint, stablehlo_form
from shlo_bytecode.writer.vhlo_forms import vhlo_form
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


def test_results_of_an_artifacts_operations_have_mlirs_names() -> None:
    text = """module {
  vhlo.func_v1 @main(%arg0: !vhlo.tensor_v1<2x!vhlo.ui64_v1>) -> (!vhlo.tensor_v1<2x!vhlo.f32_v1>) {
    %output_state, %output = "vhlo.rng_bit_generator_v1"(%arg0) <{rng_algorithm = #vhlo<rng_algorithm_v1 PHILOX>}> : (!vhlo.tensor_v1<2x!vhlo.ui64_v1>) -> (!vhlo.tensor_v1<2x!vhlo.ui64_v1>, !vhlo.tensor_v1<2x!vhlo.f32_v1>)
    "vhlo.return_v1"(%output) : (!vhlo.tensor_v1<2x!vhlo.f32_v1>) -> ()
  } {arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}
}
"""
    assert shlo.parse(text).to_text().strip() == text.strip()


FUTURE = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_an_operation_of_a_later_version_is_shown_generically_with_what_to_do() -> None:
    data = shlo_bytecode.write_artifact(shlo.parse(FUTURE), "1.22.0")
    module = shlo_bytecode.read(data.replace(b"iota_v1", b"iota_v9").replace(b"v1.22.0", b"v1.23.0"))
    assert '"vhlo.iota_v9"() <{attribute_0 = 0 : i64}> : () -> tensor<4xf32>' in module.to_text()
    [finding] = shlo.verify(module)
    assert f"vhlo.iota_v9: VHLO has no such operation up to version {STABLEHLO_VERSION}" in finding.message
    assert "the artifact is of version 1.23.0" in finding.message
    assert finding.help == f"export the program for version {STABLEHLO_VERSION} or earlier, or update shlo"


def test_an_attribute_whose_parts_are_missing_is_named() -> None:
    text = """
func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], algorithm = <lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
"""
    module = shlo.parse(text)
    operation = module.body.blocks[0].operations[0].regions[0].blocks[0].operations[0]
    op, attributes = vhlo_form(operation, (1, 20, 0))
    attributes["lhs_precision_type"] = TypeAttr(NONE)
    with pytest.raises(ValueError, match="its algorithm lacks lhs_precision_type"):
        stablehlo_form(op.name, attributes, operation.operand_types, operation.result_types, True)


def test_what_a_later_version_of_an_operation_adds_means_something_where_it_is_absent() -> None:
    undefined = {
        (row.name, key)
        for before, row in pairwise(ROWS)
        for key in (row.attributes if row.number > 1 else ())
        if key not in before.attributes
        and key not in defaults_of(row.stablehlo_name)
        and attribute_constraint(row.stablehlo_name, key) is not UNIT_ATTR
    }
    assert not undefined, "a definition states a default, or bytecode/shlo_bytecode/vhlo/defaults.py does"


def test_operations_without_a_definition_are_findings() -> None:
    data = shlo_bytecode.write(shlo.parse(FUTURE))
    module = shlo_bytecode.read(data.replace(b"\0iota\0", b"\0itoa\0"))
    assert [finding.message for finding in shlo.verify(module)] == ["unknown operation 'stablehlo.itoa'"]


def test_an_operation_has_a_name() -> None:
    data = shlo_bytecode.write(shlo.parse(FUTURE)).replace(b"\0iota\0", b"\0io\0a\0")
    with pytest.raises(shlo_bytecode.BytecodeError, match="name is empty or has a zero byte"):
        shlo_bytecode.read(data)
