"""VHLO in text becomes the StableHLO that an artifact of it is read as, and runs."""

from __future__ import annotations

import numpy as np
import pytest

import shlo
from shlo.debugger import Session
from shlo.ir.diagnostics import ParseError, PassError
from shlo.ir.source import Source
from shlo.runner.validity import valid_program
from shlo.transforms import vhlo_to_stablehlo
from tests.bytecode.texts import RECENT, STABLEHLO
from tests.oracle import Oracle

TYPES = """func.func @main(%0: tensor<?x4xf32, #stablehlo.bounds<3, ?>>, %1: tensor<4x!quant.uniform<i8:f32, 0.5:3>>,
    %2: tensor<4x2x!quant.uniform<u8<0:254>:f32:1, {0.5:1,0.25}>>, %3: tensor<complex<f64>>, %4: tensor<2xui16>,
    %5: tuple<tensor<2xi4>, !stablehlo.token>, %6: index, %7: tensor<*xi1>, %8: tensor<2xf8E4M3FN>, %9: !shape.witness)
    attributes {a.a = 1.5 : f64, a.b = [0x7FC00000 : f32, {k = -5 : i8}], a.c = dense<[true, false]> : tensor<2xi1>,
    a.d = f64, a.e = "\\22\\00", a.f = tensor<2x?xf32>, a.g = #stablehlo<transpose TRANSPOSE>} {
  return
}
func.func private @no_arguments() -> (tensor<f32>, tensor<i32>)
"""
SHARDED = """sdy.mesh @m = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> tensor<4xf32> {
  %0 = sdy.sharding_constraint %x <@m, [{"x"}]> : tensor<4xf32>
  %1 = stablehlo.add %0, %0 : tensor<4xf32>
  %2 = sdy.sharding_constraint %1 <@m, [{}]> : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""
OLD = """func.func @main(%x: tensor<4xf32>, %i: tensor<1xi32>) -> tensor<1xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = "stablehlo.gather"(%0, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0],
    start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>} :
    (tensor<4xf32>, tensor<1xi32>) -> tensor<1xf32>
  %2 = stablehlo.custom_call @f(%1) {backend_config = "x", has_side_effect = true} :
    (tensor<1xf32>) -> tensor<1xf32>
  return %2 : tensor<1xf32>
}
"""
PROGRAMS = {
    "attributes": (STABLEHLO, "1.9.0"),
    "downgraded": (OLD, "0.9.0"),
    "newest": (RECENT, "1.16.0"),
    "sharded": (SHARDED, "1.9.0"),
    "types": (TYPES, "1.9.0"),
}

ENDING = (
    '{arg_attrs = #vhlo.array_v1<[]>, res_attrs = #vhlo.array_v1<[]>, sym_visibility = #vhlo.string_v1<"">}'
)
VECTOR = "!vhlo.tensor_v1<3x!vhlo.f32_v1>"


INPUT = np.array([1, 2, 3], np.float32)


def program(line: str) -> str:
    return f"""vhlo.func_v1 @main(%x: {VECTOR}) -> ({VECTOR}) {{
  %0 = {line}
  "vhlo.return_v1"(%0) : ({VECTOR}) -> ()
}} {ENDING}
"""


ADD = program(f'"vhlo.add_v1"(%x, %x) : ({VECTOR}, {VECTOR}) -> {VECTOR}')


@pytest.mark.parametrize("generic", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_text_becomes_what_the_oracle_reads_from_the_artifact(
    oracle: Oracle, name: str, generic: bool
) -> None:
    text, version = PROGRAMS[name]
    artifact = oracle.artifact(text, version, mixed=name == "sharded")
    module = shlo.parse(oracle.pretty_bytecode(artifact, print_generic_op_form=generic))
    assert vhlo_to_stablehlo(module).to_text() == oracle.pretty_artifact(artifact)


def test_vhlo_runs_and_keeps_its_places() -> None:
    module = shlo.parse(ADD)
    (result,) = shlo.run(module, INPUT)
    assert result.tolist() == [2, 4, 6]
    (results,) = shlo.run_grid(module, [[INPUT]])
    assert results[0].tolist() == [2, 4, 6]
    session = Session(module, [INPUT])
    session.resume()
    assert session.results[0].tolist() == [2, 4, 6]
    converted = vhlo_to_stablehlo(module)
    assert [span for _, span in converted.walk()] == [span for _, span in module.walk()]
    assert vhlo_to_stablehlo(converted) is converted


WRONG = {
    "unknown attribute": (
        f'"vhlo.abs_v1"(%x) {{a.b = #vhlo.odd_v1<1>}} : ({VECTOR}) -> {VECTOR}',
        "its attribute a.b: VHLO has no attribute 'odd_v1'",
    ),
    "unknown word": (
        f'"vhlo.abs_v1"(%x) {{a.b = #vhlo<precision_v1 LOW>}} : ({VECTOR}) -> {VECTOR}',
        "its attribute a.b: expected a word of 'precision_v1'",
    ),
    "unknown type": (
        f'"vhlo.abs_v1"(%x) : ({VECTOR}) -> {VECTOR}\n  %1 = "vhlo.abs_v1"(%x) : ({VECTOR}) -> !vhlo.f31_v1',
        "VHLO has no type 'f31_v1'",
    ),
    "attribute of another kind": (
        f'"vhlo.reverse_v1"(%x) <{{dimensions = #vhlo.string_v1<"0">}}> : ({VECTOR}) -> {VECTOR}',
        "its attribute dimensions: an attribute is no short list of numbers",
    ),
    "deep": (
        f'"vhlo.abs_v1"(%x) {{a.b = {"#vhlo.array_v1<[" * 200}{"]>" * 200}}} : ({VECTOR}) -> {VECTOR}',
        "its attribute a.b: nested more than 100 levels deep",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_has_no_form_in_stablehlo_is_named_with_its_place(name: str) -> None:
    line, message = WRONG[name]
    with pytest.raises(PassError, match=message) as failure:
        vhlo_to_stablehlo(shlo.parse(program(line), "p.mlir"))
    assert failure.value.place == f"p.mlir:{2 + line.count(chr(10))}:3"
    assert failure.value.message.startswith(line.partition('"')[2].partition('"')[0])


def test_casts_that_lead_in_a_circle_come_to_an_end() -> None:
    cast = "builtin.unrealized_conversion_cast"
    text = (
        program(f'"vhlo.abs_v1"(%x) : ({VECTOR}) -> {VECTOR}')
        + f"""
%0 = {cast} %1 : {VECTOR} to tensor<3xf32>
%1 = {cast} %0 : tensor<3xf32> to {VECTOR}
"""
    )
    names = [operation.name for operation, _ in vhlo_to_stablehlo(shlo.parse(text)).walk()]
    assert names == ["func.func", "stablehlo.abs", "func.return", cast]


def test_what_vhlo_allows_and_stablehlo_does_not_is_refused_in_its_place() -> None:
    other = "!vhlo.tensor_v1<4x!vhlo.f32_v1>"
    text = program(f'"vhlo.add_v1"(%x, %x) : ({VECTOR}, {VECTOR}) -> {other}').replace(
        f"(%0) : ({VECTOR})", f"(%0) : ({other})"
    )
    with pytest.raises(ParseError) as failure:
        valid_program(Source(text))
    assert [each.code for each in failure.value.diagnostics if each.span.start < text.index("return")] != []
