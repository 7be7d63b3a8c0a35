"""The text of the dialects beside StableHLO: as jaxlib prints it where it knows them, else as it was written."""

from __future__ import annotations

import pytest

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
  %3 = shape.broadcast %shape, %shape {error = "no"} : !shape.shape, !shape.shape -> !shape.shape
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


@pytest.mark.parametrize("name", ["arith.remsi", "tensor.pad", "scf.while", "vhlo.add_v1", "test.anything"])
def test_operations_without_a_card_are_read_in_the_generic_form(name: str) -> None:
    module, diagnostics = parse(
        f'%0 = "{name}"() {{x = !vhlo.i32_v1, y = #vhlo.float_v1<1.0 : !vhlo.f32_v1>}} : () -> i32'
    )
    assert diagnostics == []
    assert (
        f'"{name}"() {{x = !vhlo.i32_v1, y = #vhlo.float_v1<1.0 : !vhlo.f32_v1>}} : () -> i32'
        in module.to_text()
    )


@pytest.mark.parametrize("name", ["check.expect", "interpreter.run", "quant.cast", "stablehlo.plus"])
def test_unknown_operations_of_whole_dialects_are_mistakes(name: str) -> None:
    _, diagnostics = parse(f'"{name}"() : () -> ()')
    assert [diagnostic.message for diagnostic in diagnostics] == [f"unknown operation '{name}'"]
