"""The printer: MLIR's own text, byte for byte."""

from __future__ import annotations

import pytest

from shlo.dialects import find_op_def
from shlo.ir.attributes import StringAttr
from shlo.ir.locations import CallSiteLocation, LocationAlias, UnknownLocation
from shlo.ir.operations import Block, Module, Operation, Region, Signature, ValueTable
from shlo.ir.source import Source
from shlo.ir.types import F32, RankedTensorType
from shlo.syntax import module_text, parse
from tests.jax_programs import GIANTS, SMALL, Program, program_id
from tests.oracle import JAXLIB, Oracle

pytestmark = pytest.mark.slow


def parsed(text: str, name: str = "-") -> Module:
    module, diagnostics = parse(Source(text, name))
    assert diagnostics == []
    return module


@pytest.mark.parametrize("program", SMALL, ids=program_id)
def test_what_jax_prints_comes_back(program: Program, oracle: Oracle) -> None:
    pretty = program.text()
    assert module_text(parsed(pretty)) == pretty
    assert module_text(parsed(pretty), generic=True) == oracle.generic(pretty)
    generic = program.text(generic=True)
    assert module_text(parsed(generic), generic=True) == generic
    debug = program.text(debug_info=True)
    assert module_text(parsed(debug), locations=True) == debug
    debug_generic = module_text(parsed(debug), generic=True, locations=True)
    assert debug_generic == oracle.generic(debug, locations=True)


def test_a_giant_comes_back() -> None:
    text = next(program for program in GIANTS if program.name == "giant_gradient").text()
    assert module_text(parsed(text)) == text


def check(text: str, oracle: Oracle) -> None:
    """Prints like the oracle in all forms, with operations placed where they stand in the text."""
    module = parsed(text)
    assert module_text(module) == oracle.pretty(text, unregistered=True)
    assert module_text(module, generic=True) == oracle.generic(text, unregistered=True)
    assert module_text(module, locations=True) == oracle.pretty(text, locations=True, unregistered=True)


def test_functions(oracle: Oracle) -> None:
    check(
        """
        func.func private @declared(tensor<f32> {a.b}, f32) -> f32
        func.func private @"any name"()
        func.func nested @no_results(%x: tensor<f32>) -> () attributes {no_inline, foo = 1 : i32} { return }
        func.func @attributes(%x: f32 {x.y = 1 : i64}) -> (f32 {a.b = "\\09"}) { return %x : f32 }
        func.func @function_as_result() -> (() -> ()) {
          %0 = func.constant @function_as_result : () -> (() -> ())
          func.call_indirect %0() : () -> (() -> ())
          func.call @no_results2() : () -> ()
          %1:2 = "foo.bar"() {a = 1 : i32} : () -> (f32, () -> ())
          return %1#1 : () -> ()
        }
        func.func private @no_results2() -> ()
        """,
        oracle,
    )


def test_nested_modules_and_default_dialects(oracle: Oracle) -> None:
    # MLIR 24 has the visibility of a module in angle brackets, which MLIR 23 does not read.
    attributes = 'sym_visibility = "private"' if JAXLIB < (0, 12) else 'a.c = "private"'
    check(
        f"""
        module @outer attributes {{a.b}} {{
          module {{ func.func @f() {{ "builtin.module"() ({{ ^bb0: }}) : () -> () func.return }} }}
          builtin.module @x attributes {{{attributes}}} {{ func.func private @g() -> i1 }}
        }}
        """,
        oracle,
    )


def test_several_modules_in_one_text(oracle: Oracle) -> None:
    check("module @a {\n}\nmodule @b {\n}\n", oracle)


def test_values_are_renamed_as_mlir_names_them(oracle: Oracle) -> None:
    check(
        """
        func.func @f(%x: tensor<i32>, %y: tensor<f32>) -> tensor<i32> {
          %one = stablehlo.constant dense<1> : tensor<i32>
          %two = stablehlo.constant dense<2> : tensor<i32>
          %half = stablehlo.constant dense<0.5> : tensor<f32>
          %q = stablehlo.constant dense<true> : tensor<i1>
          %r:2 = "stablehlo.if"(%q) ({
            %a = stablehlo.constant dense<3> : tensor<i32>
            %b = stablehlo.add %a, %one : tensor<i32>
            %c:2 = stablehlo.while(%i = %b, %j = %half) : tensor<i32>, tensor<f32> cond {
              %n = stablehlo.constant dense<3> : tensor<i32>
              %m = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
              stablehlo.return %m : tensor<i1>
            } do {
              %n = stablehlo.constant dense<4.0> : tensor<f32>
              stablehlo.return %i, %n : tensor<i32>, tensor<f32>
            }
            stablehlo.return %c#0, %c#1 : tensor<i32>, tensor<f32>
          }, {
            stablehlo.return %two, %y : tensor<i32>, tensor<f32>
          }) : (tensor<i1>) -> (tensor<i32>, tensor<f32>)
          %s = stablehlo.add %r#0, %x : tensor<i32>
          return %s : tensor<i32>
        }
        """,
        oracle,
    )


def test_blocks_say_where_control_comes_from(oracle: Oracle) -> None:
    check(
        """
        func.func @f(%x: i32, %p: i1) -> i32 {
          "cf.br"(%x)[^next] : (i32) -> ()
        ^dead:
          "cf.br"(%x)[^next] : (i32) -> ()
        ^next(%a: i32):
          "cf.cond_br"(%p, %a)[^next, ^end] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, i32) -> ()
        ^end:
          return %a : i32
        }
        """.replace('"cf.', '"test.'),
        oracle,
    )


def test_unknown_dialects_stay_as_they_are() -> None:
    text = """module attributes {x.y = #x.y<"a" [1, 2]>, x.z = #x<z {a = 1}>} {
  %0:2 = "x.op"() <{a = !x.t<[4]>}> {b = #x.c} : () -> (!x.t<[4]>, !x<u v>)
  "x.region"(%0#1) ({
  ^bb0(%arg0: !x.t):
    "x.inner"(%0#0) : (!x.t<[4]>) -> ()
  }, {
  }) : (!x<u v>) -> ()
}
"""
    assert module_text(parsed(text)) == text


def test_resources_that_are_used_stand_behind_the_module(oracle: Oracle) -> None:
    text = """
        func.func @f() {
          %0 = stablehlo.constant dense_resource<k2> : tensor<2xf32>
          %1 = stablehlo.constant dense_resource<"a b"> : tensor<2xf32>
          return
        }
        {-# dialect_resources: { builtin: {
          k1: "0x040000000000803F00000040", k2: "0x040000000000803f00000041",
          "a b": "0x080000000000803f00000041"
        } } #-}
        """
    assert module_text(parsed(text)) == oracle.pretty(text)


def test_what_could_not_be_read_is_printed_as_it_was() -> None:
    module, diagnostics = parse("module {\n  %0 = stablehlo.add %1 :: no\n  func.func private @f()\n}\n")
    assert diagnostics
    assert module_text(module) == "module {\n  %0 = stablehlo.add %1 :: no\n  func.func private @f()\n}\n"


def test_an_operation_without_all_its_parts_is_printed_in_the_generic_form() -> None:
    text = """module {
  "sdy.mesh"() <{sym_name = "x"}> : () -> ()
  %0:2 = "stablehlo.replica_id"() : () -> (tensor<ui32>, tensor<ui32>)
  "func.func"() <{function_type = (i1) -> (), sym_name = "f"}> ({
    func.return
  }) : () -> ()
  "stablehlo.while"(%0#0) ({
    "test.end"() : () -> ()
  }, {
  }) : (tensor<ui32>) -> ()
}
"""
    assert module_text(parsed(text)) == text


def test_aliases_of_encodings_and_maps(oracle: Oracle) -> None:
    text = """
        #one = #sparse_tensor.encoding<{ map = (d0)  -> (d0 : compressed) }>
        func.func @f(%x: tensor<4xf32, #one>, %y: memref<4xf32, affine_map<(i) -> (i + 1)>>) {
          "test.op"(%x) {a = affine_map<(d0) -> (d0 + 1)>, b = affine_set<(d0) : (d0 - 1 >= 0)>}
            : (tensor<4xf32, #one>) -> tensor<4xf32, #sparse_tensor.encoding<{map = (d0) -> (d0 : dense)}>>
          return
        }
        """
    assert module_text(parsed(text)) == oracle.pretty(text, unregistered=True)


@pytest.mark.parametrize(
    "attributes",
    [
        'm = "affine_map<(d0) -> (d0)>", n = affine_map<(d0) -> (d0)>',
        'm = "x affine_map<(d0", n = "#sparse_tensor.encoding<1>", o = "affine_set<> oh"',
        'm = ["\\22", affine_map<(d0) -> (d0)>, "affine_map<"], "affine_map<" = @"affine_map<(d0) -> (d0)>"',
        'm = #foo.bar<affine_map<(d0) -> (d0)>, "affine_map<">, n = !foo.bar<affine_set<(d0) : (d0 == 0)>>',
    ],
    ids=["a map in a string", "part of a map in a string", "strings around a map", "other dialects"],
)
def test_strings_and_other_dialects_get_no_aliases(attributes: str, oracle: Oracle) -> None:
    text = f"func.func @f() attributes {{{attributes}}} {{ return }}"
    assert module_text(parsed(text)) == oracle.pretty(text, unregistered=True)
    assert module_text(parsed(module_text(parsed(text)))) == module_text(parsed(text))


def test_a_location_inside_itself_is_unknown_there() -> None:
    alias = LocationAlias("a")
    alias.target = CallSiteLocation(UnknownLocation(), alias)
    body = Region((Block([]),), ValueTable())
    module = Module(Operation(Signature("builtin.module"), regions=(body,), location=alias))
    assert module_text(module, locations=True) == (
        "module {\n} loc(#loc1)\n#loc = loc(unknown)\n#loc1 = loc(callsite(#loc at #loc))\n"
    )


def test_a_module_that_was_built_by_hand_is_printed() -> None:
    scalar = RankedTensorType((), F32)
    values = ValueTable()
    argument, total = values.define(scalar), values.define(scalar)
    add = Operation(Signature("stablehlo.add", (scalar, scalar), (scalar,)), (argument, argument), (total,))
    block = Block([add], (argument,))
    outer = Operation(
        Signature("test.region", attributes={"text": StringAttr('%s "')}), regions=(Region((block,), values),)
    )
    body = Region((Block([outer]),), ValueTable())
    assert module_text(Module(Operation(Signature("builtin.module"), regions=(body,)))) == (
        "module {\n"
        '  "test.region"() ({\n'
        "  ^bb0(%arg0: tensor<f32>):\n"
        "    %0 = stablehlo.add %arg0, %arg0 : tensor<f32>\n"
        '  }) {text = "%s \\22"} : () -> ()\n'
        "}\n"
    )
    assert find_op_def("test.region") is None
