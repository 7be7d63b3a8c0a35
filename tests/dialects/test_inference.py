"""Type inference: what formulas tell of results, with sizes that are unknown or bounded."""

from __future__ import annotations

import pytest

from shlo.dialects import all_op_defs, find_op_def
from shlo.dialects.formula.values import compatible
from shlo.dialects.inference import infer, infer_operation
from shlo.dialects.op_bindings import OpBindings
from shlo.ir.attributes import DenseArrayAttr, IntegerAttr
from shlo.ir.operations import Region
from shlo.ir.source import Span
from shlo.ir.types import I64
from shlo.syntax import parse, parse_attribute, parse_type
from shlo.verifier.op_context import region_type
from shlo.verifier.op_cursor import OpCursor
from tests.jax_programs import RUNNABLE, program_id
from tests.programs.registry import Program

pytestmark = pytest.mark.slow

BOUNDED = "tensor<?x4xf32, #stablehlo.bounds<3, ?>>"

ONE_OPERATION = {
    "%r = stablehlo.add %a, %b : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<?x?xf32>": "tensor<3x4xf32>",
    f"%r = stablehlo.add %a, %b : ({BOUNDED}, tensor<?x?xf32>) -> tensor<?x?xf32>": BOUNDED,
    f"%r = stablehlo.concatenate %a, %b, dim = 0 : ({BOUNDED}, tensor<2x4xf32>) -> tensor<?x?xf32>": (
        "tensor<?x4xf32, #stablehlo.bounds<5, ?>>"
    ),
    f"%r = stablehlo.set_dimension_size %a, %b, dim = 0 : (tensor<3x4xf32>, tensor<i32>) -> {BOUNDED}": BOUNDED,
    "%r = stablehlo.compare EQ, %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<?xi1>": "tensor<2xi1>",
    "%r = stablehlo.transpose %a, dims = [1, 0] : (tensor<?x4xf32>) -> tensor<4x?xf32>": "tensor<4x?xf32>",
    "%r = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>": "tensor<i32>",
    "%r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] :"
    " (tensor<2x?xf32>, tensor<4x?xf32>) -> tensor<?x?xf32>": None,
    "%r = stablehlo.uniform_quantize %a : (tensor<?x2xf32>) -> tensor<?x2x!quant.uniform<i8:f32, 0.5>>": None,
    "%r = stablehlo.abs %a : (tensor<2xcomplex<f32>>) -> tensor<2xf32>": "tensor<2xf32>",
}


@pytest.mark.parametrize("line", ONE_OPERATION)
def test_results_of_one_operation(line: str) -> None:
    inputs = [part.strip(" ()") for part in line.rpartition(" : ")[2].partition("->")[0].split(", tensor")]
    types = [inputs[0], *(f"tensor{each}" for each in inputs[1:])]
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in zip("ab", types))
    module, found = parse(f"func.func @main({arguments}) {{\n{line}\nreturn\n}}")
    assert not found
    operation = module.functions["main"].operation.regions[0].blocks[0].operations[0]
    (inferred,) = _inferred(OpCursor(operation, Span(0, 0)))
    assert (None if inferred is None else str(inferred)) == ONE_OPERATION[line]


@pytest.mark.parametrize(
    "operands", [(), ("tensor<2xf32>",), ("tensor<4xf32>", "tensor<f32>"), ("tensor<4x3xi32>",) * 4]
)
def test_operations_that_are_being_written_lack_attributes_and_operands(operands: tuple[str, ...]) -> None:
    types = [parse_type(each) for each in operands]
    for op_def in all_op_defs():
        for results in (None, 0, 1, 3):
            found = infer_operation(op_def.name, types, results=results)
            assert results in (None, len(found)), op_def.name


def test_values_of_constant_operands_are_shapes() -> None:
    (inferred,) = _of_last("""
      %shape = stablehlo.constant dense<[3, 2]> : tensor<2xi32>
      %r = stablehlo.dynamic_reshape %x, %shape : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>""")
    assert str(inferred) == "tensor<3x2xf32>"


def test_regions_tell_the_elements_of_a_reduction() -> None:
    (inferred,) = _of_last("""
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %r = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0]
        : (tensor<?xf32>, tensor<f32>) -> tensor<f32>""")
    assert str(inferred) == "tensor<f32>"


def test_an_operation_that_nobody_wrote_yet() -> None:
    x, y = parse_type("tensor<2x3xf32>"), parse_type("tensor<3x4xf32>")
    numbers = parse_attribute(
        "#stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"
    )
    properties = {"dot_dimension_numbers": numbers}
    assert _texts(infer_operation("stablehlo.dot_general", [x, y], properties)) == ["tensor<2x4xf32>"]
    permutation = {"permutation": DenseArrayAttr(I64, (1, 0))}
    assert _texts(infer_operation("stablehlo.transpose", [x], permutation)) == ["tensor<3x2xf32>"]
    assert _texts(infer_operation("stablehlo.optimization_barrier", [x, y])) == [str(x), str(y)]
    assert infer_operation("stablehlo.iota", [], {"iota_dimension": IntegerAttr(0, I64)}) == [None]
    assert infer_operation("none.such", [x], results=2) == [None, None]


@pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
def test_declared_types_are_what_is_inferred(program: Program) -> None:
    module, _ = parse(program.text())
    for cursor in _sites(module.body, OpCursor.root(module)):
        op_def = find_op_def(cursor.operation.name)
        if op_def is None or not op_def.constraints:
            continue
        for inferred, declared in zip(_inferred(cursor), cursor.operation.result_types):
            assert inferred is None or compatible(inferred, declared) is not False, cursor.operation.name


def _of_last(lines: str) -> list[object]:
    """Returns what is inferred of the last operation of a function of one vector."""
    module, found = parse(f"func.func @main(%x: tensor<?xf32>) {{{lines}\nreturn\n}}")
    assert not found
    return _inferred([cursor for cursor in _sites(module.body, OpCursor.root(module)) if cursor.parent][-2])


def _sites(region: Region, parent: OpCursor) -> list[OpCursor]:
    found: list[OpCursor] = []
    for number, block in enumerate(region.blocks):
        for index, operation in enumerate(block.operations):
            cursor = OpCursor(operation, Span(0, 0), region, number, index, parent)
            found.append(cursor)
            for inner in operation.regions:
                if inner.values is region.values or operation.name == "func.func":
                    found += _sites(inner, cursor)
    return found


def _inferred(cursor: OpCursor) -> list[object]:
    operation = cursor.operation
    op_def = find_op_def(operation.name)
    assert op_def is not None
    constants = cursor.constant if cursor.region else None
    return list(
        infer(
            op_def,
            OpBindings(op_def, operation.signature, tuple(map(region_type, operation.regions)), constants),
        )
    )


def _texts(types: list[object]) -> list[str]:
    return list(map(str, types))
