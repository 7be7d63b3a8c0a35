"""The text of the dialects beside StableHLO: as jaxlib prints it where it knows them, else as it was written."""

from __future__ import annotations

import pytest

from shlo.ir.source import Source
from shlo.runner.validity import findings_of
from shlo.syntax import parse
from tests.oracle import Oracle

WITH_ORACLE = """
func.func @numbers(%index: index, %number: i32, %real: f32, %some: tensor<3xi32>, %choice: i1) -> index {
  %zero = arith.constant 0 : index
  %minus = arith.constant {m.x} -7 : i16
  %yes = arith.constant true
  %half = arith.constant 5.000000e-01 : f32
  %all = arith.constant dense<[4, 5, 6]> : tensor<3xi32>
  %sum = arith.addf %real, %half fastmath<nnan,ninf> {m.x} : f32
  %difference = arith.subf %sum, %real toward_zero : f32
  %both = arith.mulf %sum, %real downward fastmath<nnan> : f32
  %product = arith.muli %some, %all overflow<nsw, nuw> : tensor<3xi32>
  %quotient = arith.divsi %product, %some exact : tensor<3xi32>
  %less = arith.cmpi slt, %number, %number : i32
  %each = arith.cmpi uge, %some, %all {m.x} : tensor<3xi32>
  %one = arith.select %choice, %some, %all : tensor<3xi32>
  %mixed = arith.select %each, %one, %all {m.x} : tensor<3xi1>, tensor<3xi32>
  %cast = arith.index_cast %number : i32 to index
  return %cast : index
}
func.func @shapes(%array: tensor<?x?xf32>, %shape: !shape.shape, %sizes: tensor<2xindex>, %at: index) {
  %0 = shape.shape_of %array : tensor<?x?xf32> -> tensor<2xindex>
  %1 = shape.num_elements %0 {m.x} : tensor<2xindex> -> index
  %2 = shape.broadcast %0, %sizes : tensor<2xindex>, tensor<2xindex> -> tensor<2xindex>
  %4 = shape.const_shape [3, 4] : tensor<2xindex>
  %5 = shape.const_shape {m.x} [] : !shape.shape
  %6 = shape.cstr_broadcastable %0, %sizes : tensor<2xindex>, tensor<2xindex>
  %size = tensor.dim {m.x} %array, %at : tensor<?x?xf32>
  %element = tensor.extract %array[%at, %at] : tensor<?x?xf32>
  %other = tensor.insert %element into %array[%at, %at] : tensor<?x?xf32>
  %list = tensor.from_elements %element, %element, %element : tensor<3xf32>
  %loose = tensor.cast %list : tensor<3xf32> to tensor<?xf32>
  return
}
func.func @buffers(%buffer: memref<*xi16>) -> memref<i16> {
  %known = memref.cast %buffer {m.x} : memref<*xi16> to memref<i16>
  %array = bufferization.to_tensor %known restrict writable : memref<i16> to tensor<i16>
  %back = bufferization.to_buffer %array read_only : tensor<i16> to memref<i16>
  return %back : memref<i16>
}
func.func @jumps(%choice: i1, %x: tensor<f32>) -> tensor<f32> {
  cf.cond_br %choice weights([1, 2]), ^good(%x : tensor<f32>), ^bad {m.x}
^good(%y: tensor<f32>):
  return %y : tensor<f32>
^bad:
  cf.br ^good(%x : tensor<f32>)
}
func.func @loops(%low: index, %number: i32, %x: tensor<2xf32>) -> tensor<2xf32> {
  %result = scf.for %i = %low to %low step %low iter_args(%sum = %x) -> (tensor<2xf32>) {
    %more = stablehlo.add %sum, %x : tensor<2xf32>
    scf.yield %more : tensor<2xf32>
  } {m.x}
  scf.for unsigned %i = %number to %number step %number : i32 {
    %unused = stablehlo.negate %x : tensor<2xf32>
  }
  return %result : tensor<2xf32>
}
func.func @more_numbers(%a: i32, %w: i64, %b: f32, %h: f16, %i: index, %t: tensor<?x3xf32>) {
  %0 = arith.extui %a nneg : i32 to i64
  %1 = arith.trunci %w overflow<nsw> : i64 to i32
  %2 = arith.truncf %b downward fastmath<fast> : f32 to f16
  %3 = arith.cmpf oeq, %b, %b fastmath<nnan> : f32
  %sum, %overflow = arith.addui_extended %a, %a : i32, i1
  %low, %high = arith.mulsi_extended %a, %a : i32
  %4 = arith.negf %b fastmath<nnan> : f32
  %5 = arith.maximumf %b, %b : f32
  %6 = arith.bitcast %b : f32 to i32
  %7 = arith.index_castui %i nneg : index to i32
  %8 = arith.shrui %a, %a exact : i32
  %9 = math.isnan %t : tensor<?x3xf32>
  %10 = math.fpowi %b, %a : f32, i32
  %11 = math.clampf %b to [%b, %b] fastmath<nnan> : f32
  %sin, %cos = math.sincos %b : f32
  %12 = math.ctlz %a {m.x} : i32
  %13 = ub.poison : tensor<3xf32>
  %rank = tensor.rank %t : tensor<?x3xf32>
  %flat = tensor.collapse_shape %t [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>
  %again = tensor.expand_shape %flat [[0, 1]] output_shape [%i, 3] : tensor<?xf32> into tensor<?x3xf32>
  %empty = tensor.empty(%i) : tensor<?x3xf32>
  %splat = tensor.splat %b[%i] : tensor<?x3xf32>
  %both = tensor.concat dim(0) %t, %again : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
  return
}
func.func @more_control(%choice: i1, %a: i32, %x: f32, %i: index) {
  cf.assert %choice, "must hold"
  %0 = scf.if %choice -> (i32) {
    scf.yield %a : i32
  } else {
    %w = arith.addi %a, %a : i32
    scf.yield %w : i32
  }
  scf.if %choice {
  } else {
  } {m.x}
  %1:2 = scf.while (%p = %a, %q = %x) : (i32, f32) -> (f32, i32) {
    %less = arith.cmpi slt, %p, %a : i32
    scf.condition(%less) %q, %p : f32, i32
  } do {
  ^bb0(%q: f32, %p: i32):
    scf.yield %p, %q : i32, f32
  } attributes {m.x}
  scf.while : () -> () {
    scf.condition(%choice)
  } do {
    scf.yield
  }
  %2 = scf.execute_region -> i32 {
    scf.yield %a : i32
  }
  %3 = scf.index_switch %i -> i32
  case 2 {
    scf.yield %a : i32
  }
  case -5 {
    scf.yield %a : i32
  }
  default {
    scf.yield %a : i32
  }
  return
}
func.func @casts(%x: tensor<4xf32>) -> tensor<4xf32> {
  %quantized = quant.qcast %x : tensor<4xf32> to tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>
  %stored = quant.scast %quantized {m.x} : tensor<4x!quant.uniform<i8:f32, 1.000000e+00>> to tensor<4xi8>
  %back = quant.dcast %quantized : tensor<4x!quant.uniform<i8:f32, 1.000000e+00>> to tensor<4xf32>
  interpreter.print %back : tensor<4xf32>
  %probed = interpreter.probe %back, probe_id = "here" {m.x} : tensor<4xf32>
  return %probed : tensor<4xf32>
}
"""

ALONE = """module {
  func.func @shapes(%arg0: !shape.shape) {
    %0 = shape.broadcast %arg0, %arg0 error = "no" : !shape.shape, !shape.shape -> !shape.shape
    return
  }
  func.func @main(%arg0: tensor<2xf32>) {
    %c = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
    check.expect_eq %c, %c : tensor<2xi32>
    check.expect_eq_const %c, dense<[1, 2]> : tensor<2xi32>
    check.expect_almost_eq %arg0, %arg0 : tensor<2xf32>
    check.expect_almost_eq %arg0, %arg0, tolerance = 1.000000e-01 {m.x} : tensor<2xf32>
    check.expect_almost_eq_const %arg0, dense<1.000000e+00> : tensor<2xf32>, tolerance = 5.000000e-01
    check.expect_close %arg0, %arg0, max_ulp_difference = 3 : tensor<2xf32>, tensor<2xf32>
    check.expect_close %arg0, %arg0, max_ulp_difference = 18446744073709551615, min_ulp_difference = 2 : {m.x} tensor<2xf32>, tensor<2xf32>
    check.expect_serialized_eq %arg0, probe_id = "here" : tensor<2xf32>
    check.expect_serialized_eq %arg0, probe_id = "here", iter = 4 {m.x} : tensor<2xf32>
    return
  }
  ml_program.func @draft(%arg0: tensor<4x16xf32>) -> tensor<4x16xf32> {
    %0 = stablehlo.floor %arg0 : tensor<4x16xf32>
    return %0 : tensor<4x16xf32>
  }
}
"""

GENERIC_FORMS = [
    '"check.expect_eq_const"(%c) <{value = dense<[1, 2]> : tensor<2xi32>}> : (tensor<2xi32>) -> ()',
    '"check.expect_almost_eq"(%arg0, %arg0) <{tolerance = 1.000000e-01 : f64}> {m.x} : (tensor<2xf32>, tensor<2xf32>) -> ()',
    "<{max_ulp_difference = 18446744073709551615 : ui64, min_ulp_difference = 2 : ui64}>",
    '<{iteration = 4 : ui32, probe_id = "here"}>',
    '"ml_program.return"',
]


@pytest.fixture(scope="module")
def oracle() -> Oracle:
    with Oracle(timeout=60) as oracle:
        yield oracle  # type: ignore[misc]


@pytest.mark.parametrize("generic", [False, True])
def test_texts_are_the_oracle_s(oracle: Oracle, generic: bool) -> None:
    for text in (WITH_ORACLE, oracle.generic(WITH_ORACLE)):
        module, diagnostics = parse(text)
        assert diagnostics == []
        assert module.to_text(generic=generic) == oracle.pretty(WITH_ORACLE, print_generic_op_form=generic)


def test_texts_that_the_oracle_does_not_know_come_back() -> None:
    module, diagnostics = parse(ALONE)
    assert diagnostics == []
    assert module.to_text() == ALONE
    generic = module.to_text(generic=True)
    for form in GENERIC_FORMS:
        assert form.replace("%c", "%1").replace("%arg0", "%arg1") in generic
    again, diagnostics = parse(generic)
    assert diagnostics == []
    assert again.to_text() == ALONE


WRONG = [
    '"arith.addf"(%i, %i) : (i32, i32) -> i32',
    '"arith.addi"(%i, %f) : (i32, f32) -> i32',
    '"arith.extsi"(%i) : (i32) -> i32',
    '"arith.convertf"(%f) : (f32) -> f64',
    '"arith.cmpi"(%i, %i) <{predicate = 19 : i64}> : (i32, i32) -> i1',
    '"arith.select"(%b, %i, %f) : (i1, i32, f32) -> i32',
    '"arith.constant"() <{value = 1 : ui32}> : () -> ui32',
    '"arith.index_cast"(%i) : (i32) -> i64',
    '"math.fpowi"(%f, %f) : (f32, f32) -> f32',
    '"tensor.collapse_shape"(%m) <{reassociation = [[1, 0]]}> : (tensor<2x3xf32>) -> tensor<6xf32>',
    '"tensor.collapse_shape"(%m) <{reassociation = [[0, 1]]}> : (tensor<2x3xf32>) -> tensor<5xf32>',
    '"tensor.cast"(%m) : (tensor<2x3xf32>) -> tensor<3x?xf32>',
    '"tensor.extract"(%m, %x) : (tensor<2x3xf32>, index) -> f32',
    '"tensor.empty"() : () -> tensor<?xi32>',
    '"tensor.concat"(%m, %m) <{dim = 0 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>',
    '"scf.if"(%b) ({ scf.yield %i : i32 }, { scf.yield %f : f32 }) : (i1) -> i32',
    '"scf.if"(%b) ({ scf.yield %i : i32 }, { }) : (i1) -> i32',
    '"scf.while"(%i) ({ ^0(%q: i32): scf.yield %b : i1 }, { ^0(%q: i32): scf.yield %q : i32 }) : (i32) -> i32',
    '"scf.for"(%x, %x, %x, %i) ({ ^0(%q: index): scf.yield %i : i32 }) : (index, index, index, i32) -> i32',
    '"scf.execute_region"() ({ scf.yield %f : f32 }) : () -> i32',
]
RIGHT = [
    '"memref.cast"(%u) : (memref<*xi16>) -> memref<i16>',
    '"bufferization.to_tensor"(%u) : (memref<*xi16>) -> tensor<*xi16>',
    '"arith.bitcast"(%i) : (i32) -> f32',
    '"arith.sitofp"(%i) : (i32) -> f64',
    '"math.ctlz"(%x) : (index) -> index',
    '"tensor.cast"(%m) : (tensor<2x3xf32>) -> tensor<*xf32>',
    '"tensor.collapse_shape"(%m) <{reassociation = [[0], [1]]}> : (tensor<2x3xf32>) -> tensor<2x3xf32>',
    '"scf.execute_region"() ({ scf.yield %i : i32 }) : () -> i32',
]


@pytest.mark.parametrize("line", WRONG + RIGHT)
def test_verdicts_are_the_oracle_s(oracle: Oracle, line: str) -> None:
    text = f"""func.func @f(%i: i32, %f: f32, %x: index, %b: i1, %m: tensor<2x3xf32>, %u: memref<*xi16>) {{
      %r = {line}
      return
    }}"""
    _, found = findings_of(Source(text))
    assert oracle.accepts(text).accepted == (line in RIGHT)
    assert (not found) == (line in RIGHT), found


@pytest.mark.parametrize("name", ["tensor.pad", "scf.parallel", "test.anything"])
def test_operations_without_a_card_are_read_in_the_generic_form(name: str) -> None:
    module, diagnostics = parse(
        f'%0 = "{name}"() {{x = !vhlo.i32_v1, y = #vhlo.float_v1<1.0 : !vhlo.f32_v1>}} : () -> i32'
    )
    assert diagnostics == []
    assert (
        f'"{name}"() {{x = !vhlo.i32_v1, y = #vhlo.float_v1<1.0 : !vhlo.f32_v1>}} : () -> i32'
        in module.to_text()
    )


@pytest.mark.parametrize("name", ["check.expect", "arith.plus", "quant.cast", "stablehlo.plus"])
def test_unknown_operations_of_whole_dialects_are_mistakes(name: str) -> None:
    _, diagnostics = parse(f'"{name}"() : () -> ()')
    assert [diagnostic.message for diagnostic in diagnostics] == [f"unknown operation '{name}'"]
