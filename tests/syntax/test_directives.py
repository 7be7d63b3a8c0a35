"""The pretty forms of operations that have a way of their own, both directions, against the oracle."""

from __future__ import annotations

import pytest

from shlo.syntax import module_text, parse

FORMS = {
    "slice": """
        %0 = stablehlo.slice %m [0:2, 1:3:2] {foo} : (tensor<4x3xf32>) -> tensor<2x1xf32>
        %1 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>""",
    "dot_general": """
        %0 = stablehlo.dot_general %m, %m, contracting_dims = [] x []
          : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3x4x3xf32>
        %1 = stablehlo.dot_general %m, %m, batching_dims = [0] x [0], contracting_dims = [1] x [1],
          precision = [HIGH, DEFAULT]
          : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4xf32>
        %2 = stablehlo.dot_general %m, %m, contracting_dims = [0, 1] x [0, 1], precision = [] {foo = "bar"}
          : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<f32>
        %3 = stablehlo.dot_general %m, %m, contracting_dims = [0] x [0], algorithm =
          <lhs_precision_type = tf32,
          rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1,
          rhs_component_count = 1,
          num_primitive_operations = 1, allow_imprecise_accumulation = false>
          : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<3x3xf32>""",
    "dot": """
        %0 = stablehlo.dot %v, %v : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>
        %1 = stablehlo.dot %v, %v, precision = [HIGHEST, DEFAULT] : (tensor<3xf32>, tensor<3xf32>)
          -> tensor<f32>""",
    "convolution": """
        %x = stablehlo.constant dense<1.0> : tensor<1x8x8x2xf32>
        %k = stablehlo.constant dense<1.0> : tensor<3x3x2x4xf32>
        %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
          : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x6x6x4xf32>
        %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
          window = {reverse = [true, 0], pad = [[1, 1], [0, 2]], stride = [1, 2], lhs_dilate = [1,
          1], rhs_dilate = [1, 1],}
          {batch_group_count = 1 : i64, feature_group_count = 1 : i64,
           precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>]}
          : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x8x4x4xf32>""",
    "constant": """
        %0 = stablehlo.constant {foo = 3 : i32} dense<[1, 2]> : tensor<2xi32>
        %1 = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> {foo} : ()
          -> tensor<2x!quant.uniform<i8:f32, 2.0>>
        %2 = chlo.constant {foo} dense<1.0> : tensor<f32>""",
    "reduce": """
        %0 = stablehlo.reduce(%m init: %s) applies stablehlo.add across dimensions = [0, 1] {foo}
          : (tensor<4x3xf32>, tensor<f32>) -> tensor<f32>
        %1:2 = stablehlo.reduce(%m init: %s), (%m init: %s) across dimensions = [1]
          : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<f32>, tensor<f32>) -> (tensor<4xf32>, tensor<4xf32>)
         reducer(%a: tensor<f32>, %b: tensor<f32>) (%c: tensor<f32>, %d: tensor<f32>) {
          %x = stablehlo.add %a, %b : tensor<f32>
          stablehlo.return %x, %c : tensor<f32>, tensor<f32>
        }
        %2 = stablehlo.reduce(%m init: %s) across dimensions = [] : (tensor<4x3xf32>, tensor<f32>)
          -> tensor<4x3xf32>
         reducer(%a: tensor<f32>, %b: tensor<f32>) {
          %x = stablehlo.add %b, %a : tensor<f32>
          stablehlo.return %x : tensor<f32>
        }
        %3 = "stablehlo.reduce"(%m, %s) ({
        ^bb0(%a: tensor<f32>, %b: tensor<f32>):
          %x = stablehlo.multiply %a, %b : tensor<f32>
          stablehlo.return %x : tensor<f32>
        }) {dimensions = array<i64: 1>} : (tensor<4x3xf32>, tensor<f32>) -> tensor<4xf32>""",
    "while": """
        %0:2 = stablehlo.while(%a = %i, %b = %m) : tensor<i32>, tensor<4x3xf32> attributes {foo = 1 : i32}
          cond {
            %c = stablehlo.compare LT, %a, %i, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
            stablehlo.return %c : tensor<i1>
          } do {
            %n = func.call @f(%b) : (tensor<4x3xf32>) -> tensor<4x3xf32>
            stablehlo.return %a, %n : tensor<i32>, tensor<4x3xf32>
          }
        stablehlo.while() cond {
          %c = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %c : tensor<i1>
        } do { stablehlo.return }""",
    "composite": """
        %0 = stablehlo.composite "my.op" %m {decomposition = @f, version = 2 : i32,
          composite_attributes = {a = 1 : i64}}
          : (tensor<4x3xf32>) -> tensor<4x3xf32>
        %1 = stablehlo.composite "my.op" {decomposition = @g} : () -> tensor<f32>
        %2 = stablehlo.composite "my.op" %m ({ stablehlo.return %m
          : tensor<4x3xf32> }, {}) {decomposition = @f}
          : (tensor<4x3xf32>) -> tensor<4x3xf32>""",
    "custom_call": """
        %0 = stablehlo.custom_call @"any name"() {api_version = 1 : i32, has_side_effect = false} : ()
          -> tensor<f32>
        %1:2 = stablehlo.custom_call @target(%m, %s) {backend_config = "x", has_side_effect = true,
          foo.bar = [1, @f::@g],
          output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [0],
          operand_index = 0,
          operand_tuple_indices = []>]} : (tensor<4x3xf32>, tensor<f32>) -> (tensor<4x3xf32>, tensor<f32>)""",
    "compare": """
        %0 = stablehlo.compare  GE, %m, %m {foo} : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
        %1 = stablehlo.compare NE, %m, %m, TOTALORDER : (tensor<4x3xf32>, tensor<4x3xf32>)
          -> tensor<4x3xi1>""",
    "select and complex": """
        %p = stablehlo.constant dense<true> : tensor<i1>
        %0 = stablehlo.select %p, %m, %m : tensor<i1>, tensor<4x3xf32>
        %1 = stablehlo.complex %m, %m : tensor<4x3xcomplex<f32>>
        %2 = stablehlo.complex %m, %m : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<?x3xcomplex<f32>>
        %3 = stablehlo.clamp %m, %m, %m : (tensor<4x3xf32>, tensor<4x3xf32>, tensor<4x3xf32>)
          -> tensor<4x?xf32>""",
    "lists of operands": """
        stablehlo.optimization_barrier()
        %0:2 = stablehlo.optimization_barrier {foo} %m, %s : tensor<4x3xf32>, tensor<f32>
        %1 = stablehlo.after_all : !stablehlo.token
        %2 = stablehlo.after_all %1, %1 : !stablehlo.token
        %3 = stablehlo.tuple %m, %s : tuple<tensor<4x3xf32>, tensor<f32>>
        %4 = stablehlo.get_tuple_element %3[1] : (tuple<tensor<4x3xf32>, tensor<f32>>) -> tensor<f32>
        %8 = stablehlo.transpose %m, dims = [0, 1] {permutation = array<i64: 1, 0>} : (tensor<4x3xf32>)
          -> tensor<3x4xf32>
        %5 = stablehlo.concatenate %v, %v, dim = 0 : (tensor<3xf32>, tensor<3xf32>) -> tensor<6xf32>
        %6 = stablehlo.dynamic_slice %m, %i, %i, sizes = [1, 2]
          : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>""",
    "words and numbers": """
        %0 = stablehlo.reduce_precision %m, format = e5m10 : tensor<4x3xf32>
        %1 = stablehlo.fft %m, type = RFFT, length = [3] : (tensor<4x3xf32>) -> tensor<4x2xcomplex<f32>>
        %2 = stablehlo.pad %v, %s, low = [1], high = [-1], interior = [2] : (tensor<3xf32>, tensor<f32>)
          -> tensor<7xf32>
        %3 = stablehlo.iota dim = 1 {foo} : tensor<4x3xui8>
        %4 = stablehlo.replica_id : tensor<ui32>
        %5 = stablehlo.constant dense<1> : tensor<2xui64>
        %6:2 = stablehlo.rng_bit_generator %5, algorithm = THREE_FRY : (tensor<2xui64>)
          -> (tensor<2xui64>, tensor<4xui32>)
        %7 = stablehlo.einsum %m, %m, config = "ab,cb->ac" : (tensor<4x3xf32>, tensor<4x3xf32>)
          -> tensor<4x4xf32>
        %8 = stablehlo.exponential %m {result_accuracy = #stablehlo.result_accuracy<mode =
          #stablehlo.result_accuracy_mode<DEFAULT>>}
          : tensor<4x3xf32>
        %9 = stablehlo.constant dense<1.0> : tensor<2x2xf32>
        %10 = stablehlo.cholesky %9, lower = true : tensor<2x2xf32>
        %11 = stablehlo.cholesky %9, lower = false : tensor<2x2xf32>""",
    "generic only": """
        %0 = "stablehlo.sort"(%m) <{dimension = 0 : i64}> ({
        ^first(%a: tensor<f32>, %b: tensor<f32>):
          %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
          "stablehlo.return"(%c) : (tensor<i1>) -> ()
        }) {foo} : (tensor<4x3xf32>) -> tensor<4x3xf32>
        %t = stablehlo.create_token : !stablehlo.token
        %4 = "stablehlo.outfeed"(%m, %t) : (tensor<4x3xf32>, !stablehlo.token) -> !stablehlo.token
        %1, %2, %3 = "stablehlo.batch_norm_training"(%m, %v, %v) {epsilon = 1.0e-3 : f32,
          feature_index = 1 : i64}
          : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
          -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)""",
    "chlo": """
        %0 = chlo.erf %m {foo} : tensor<4x3xf32> -> tensor<4x3xf32>
        %1 = chlo.zeta %m, %m : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
        %2 = chlo.broadcast_add %m, %v {broadcast_dimensions = array<i64: 1>}
          : (tensor<4x3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
        %3:2 = chlo.top_k(%m, k = 2) : tensor<4x3xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)
        %4:2 = chlo.scan(%m) inits (%v) dimension=0 attributes {is_reverse = true} {
        ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
          %c = stablehlo.add %a, %b : tensor<3xf32>
          stablehlo.return %c, %c : tensor<3xf32>, tensor<3xf32>
        } : (tensor<4x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)""",
    "sdy": """
        %0 = sdy.sharding_constraint %m <@mesh, [{"x"}, {"y", ?}p1]> {foo} : tensor<4x3xf32>
        %1 = sdy.manual_computation(%0, %s) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, []>]
          out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<2x3xf32>, %b: tensor<f32>) {
          %c = stablehlo.add %a, %a : tensor<2x3xf32>
          sdy.return %c : tensor<2x3xf32>
        } : (tensor<4x3xf32>, tensor<f32>) -> tensor<4x3xf32>
        sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () { sdy.return } : () -> ()
        %2 = stablehlo.add %1, %1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
          : tensor<4x3xf32>
        sdy.sharding_group %2 group_id = 21 : tensor<4x3xf32>
        %3 = sdy.propagation_barrier %2 allowed_direction=BACKWARD : tensor<4x3xf32>
        %4 = sdy.reshard %3 <@mesh, [{"x"}, {}]> : tensor<4x3xf32>
        %5 = sdy.named_computation<"foo">(%4) in_shardings=[<@mesh, [{"x"}, {}]>] (%a: tensor<4x3xf32>) {
          sdy.return %a : tensor<4x3xf32>
        } : (tensor<4x3xf32>) -> tensor<4x3xf32>
        %6 = sdy.all_gather [{}, {}] %4 out_sharding=<@mesh, [{"x"}, {}]> : tensor<4x3xf32>""",
}

PROGRAM = """
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func private @f(tensor<4x3xf32>) -> tensor<4x3xf32>
func.func private @g() -> tensor<f32>
func.func @main(%m: tensor<4x3xf32>, %v: tensor<3xf32>, %s: tensor<f32>, %i: tensor<i32>) {
  BODY
  return
}
"""


@pytest.mark.parametrize("name", FORMS)
def test_form_is_read_and_written_as_mlir_does(name, oracle):
    text = PROGRAM.replace("BODY", FORMS[name])
    module, diagnostics = parse(text)
    assert not diagnostics
    assert module_text(module) == oracle.pretty(text)
    assert module_text(module, generic=True) == oracle.generic(text)
    reread, diagnostics = parse(module_text(module, generic=True))
    assert not diagnostics
    assert module_text(reread) == module_text(module)


WRONG = {
    "%0 = stablehlo.slice %m [0:2:] : (tensor<4x3xf32>) -> tensor<2x3xf32>": "] :",
    "%0 = stablehlo.dot %v, %v, precision = [BEST] : (tensor<3xf32>, tensor<3xf32>) -> tensor<f32>": "BEST",
    "%0 = stablehlo.reduce_precision %m, format = m10e5 : tensor<4x3xf32>": "m10e5",
    "%0 = stablehlo.compare %m, %m : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>": "%m, %m",
    "%0 = stablehlo.reshape %m : tensor<12xf32>": "tensor<12xf32>",
    "%0 = stablehlo.reduce(%m init: %s) applies stablehlo.subtract across dimensions = [0] "
    ": (tensor<4x3xf32>, tensor<f32>) -> tensor<3xf32>": "stablehlo.subtract",
    "%0 = stablehlo.add %m, %m : (tensor<4x3xf32>) -> tensor<4x3xf32>": "(tensor<4x3xf32>) ->",
    "sdy.manual_computation() in_shardings=[ out_shardings=[] manual_axes={} () {} : () -> ()": "out_sh",
}


@pytest.mark.parametrize("line", WRONG)
def test_mistake_is_reported_where_it_is(line, oracle):
    text = PROGRAM.replace("BODY", line)
    _, diagnostics = parse(text)
    assert [text[each.span.start :].startswith(WRONG[line]) for each in diagnostics] == [True], diagnostics
    assert not oracle.accepts(text).accepted
