"""Small programs that between them have every attribute, type, region and location that is stored in binary."""

from __future__ import annotations

ATTRIBUTES = """
module @attributes attributes {a.list = [1, "x", unit, [], {}], a.text = "\\FF\\00 \\C3\\A9", a.typed = "t" : i32} {
  "t.integers"() {a = true, b = -2 : i8, c = 255 : ui8, d = -129 : i16, e = -1 : i64, f = -1 : index,
                  g = 170141183460469231731687303715884105727 : i129, h = -1 : i129, i = 1 : i3, j = -1 : si9} : () -> ()
  "t.floats"() {a = 1.5 : f32, b = -0.0 : f64, c = 0x7E01 : f16, d = 1.5 : bf16, e = 1.5 : f8E4M3FN, f = 1.5 : f80,
                g = 1.5 : f128, h = 1.5 : tf32, i = 0.5 : f4E2M1FN, j = 0x7FF8000000000001 : f64} : () -> ()
  "t.arrays"() {a = array<i1: true, false>, b = array<i8: -1, 2>, c = array<i64: -3>, d = array<f32: 1.5, -0.0>, e = array<i32>} : () -> ()
  "t.symbols"() {a = @f, b = @"g h"::@i::@j, c = tensor<?x3xf32>, d = affine_map<(d0, d1)[s0] -> (d1 + s0)>} : () -> ()
  "t.dense"() {a = dense<[1, -2, 3]> : tensor<3xi32>, b = dense<1.5> : tensor<2x2xf16>, c = dense<true> : tensor<5xi1>,
               d = dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>, e = dense<false> : tensor<8xi1>,
               f = dense<[-2, 1]> : tensor<2xi4>, g = dense<> : tensor<0xi8>, h = dense<[(1.0, 2.0), (-0.0, 0.5)]> : tensor<2xcomplex<f32>>,
               i = dense<[1, 2]> : vector<2xindex>, j = dense<[true, false]> : tensor<2xi1>, k = dense<true> : tensor<i1>,
               l = dense<["a", "b\\00"]> : tensor<2x!t.string>, m = dense<"s"> : tensor<3x!t.string>,
               n = sparse<[[0, 1]], [2.0]> : tensor<2x3xf32>, o = dense<[0.5, -6.0]> : tensor<2xf4E2M1FN>} : () -> ()
  "t.foreign"() {a = #t.thing<1, [2]>, b = #t<other x>, c = #chlo<precision HIGH>, d = #chlo<comparison_direction EQ>} : () -> ()
}
"""

TYPES = """
func.func private @builtin(i1, i17, si8, ui64, index, bf16, f16, f32, f64, f80, f128, tf32, f8E5M2, f8E4M3, f8E4M3FN,
  f8E5M2FNUZ, f8E4M3FNUZ, f8E4M3B11FNUZ, f8E3M4, f4E2M1FN, f6E2M3FN, f6E3M2FN, f8E8M0FNU, none, complex<f32>, tuple<>,
  tuple<i1, tuple<f32>>, (i1) -> (i8, i8), tensor<f32>, tensor<2x?x0xi8>, tensor<*xf32>, vector<2x3xf32>, vector<[4]xi8>,
  vector<2x[4]xi8>, memref<2x?xf32>, memref<2xf32, strided<[1], offset: ?>, 1>, memref<*xf32>, memref<*xf32, "x">,
  tensor<?x?xf32, #stablehlo.bounds<?, 4>>, !stablehlo.token, !stablehlo.future<tensor<1xf32>>, !t.string, !shape.shape)
func.func private @quantized(!quant.any<i8<-8:7>:f32>, !quant.any<u8>, !quant.calibrated<f32<-0.99:0.5>>,
  tensor<2x!quant.uniform<i8:f32, 2.0:15>>, tensor<2x!quant.uniform<u8<1:9>:f32, 0.5>>, tensor<2x!quant.uniform<ui8:f32, 0.5>>,
  tensor<2x2x!quant.uniform<i8:f32:1, {1.0, 2.0:3}>>, tensor<2x2x!quant.uniform<i8:f32:{0:1, 1:2}, {{1.0}, {2.0:3}}>>)
"""

REGIONS = """
func.func @blocks(%c: i1, %x: i32) -> i32 attributes {a.b} {
  cf.cond_br %c, ^bb2(%x, %x : i32, i32), ^bb1
^bb1:
  %1 = "t.regions"(%x) ({
    "t.inner"(%x, %c) : (i32, i1) -> ()
  }, {
  }, {
  ^bb0(%y: i32):
    %3:2 = "t.pair"(%y) : (i32) -> (i32, f32)
    "t.use"(%3#1, %x) [^bb1] : (f32, i32) -> ()
  ^bb1:
    "t.end"() : () -> ()
  }) : (i32) -> i32
  cf.br ^bb2(%1, %x : i32, i32)
^bb2(%2: i32, %z: i32):
  return %2 : i32
}
module @inner {
  %0 = "t.early"(%1, %2#1) ({
    "t.earlier"(%2#0) : (f32) -> ()
  }) : (i32, i8) -> i32
  %1 = "t.late"() : () -> i32
  %2:2 = "t.later"(%0) : (i32) -> (f32, i8)
  func.func private @g(i1 {t.u}) -> (i8 {t.v = 1}) }
"""

LOCATIONS = """
func.func @f(%a: i1 loc("argument")) {
  "t.a"() : () -> () loc(unknown)
  "t.b"() : () -> () loc("file.py":3:4)
  "t.c"() : () -> () loc("file.py":3:4 to 5:6)
  "t.d"() : () -> () loc("file.py":3:4 to :9)
  "t.e"() : () -> () loc("name"("file.py":7:0))
  "t.f"() : () -> () loc(callsite("callee"(callsite("x" at "y")) at "file.py":1:2))
  "t.g"() : () -> () loc(fused["a", "b", "a"])
  "t.h"() : () -> () loc(fused<{k = 1}>["a"])
  return
}
"""

STABLEHLO = """
module @stablehlo attributes {mhlo.num_partitions = 1 : i32} {
  func.func public @main(%x: tensor<4x4xf32> {jax.name = "x"}, %i: tensor<2x1xi32>, %s: tensor<i32>) -> (tensor<4x4xf32> {jax.info = "r"}) {
    %c = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi64>
    %z = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT],
      algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1,
                   rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false>
      : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.gather"(%0, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}> : (tensor<4x4xf32>, tensor<2x1xi32>) -> tensor<2x4xf32>
    %2 = "stablehlo.scatter"(%0, %i, %1) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %sum = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %sum : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<2x1xi32>, tensor<2x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
    %4 = stablehlo.compare GT, %3, %3, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    %5:2 = stablehlo.while(%n = %s, %acc = %2) : tensor<i32>, tensor<4x4xf32>
    cond {
      %p = stablehlo.compare LT, %n, %s : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %q = stablehlo.add %acc, %x : tensor<4x4xf32>
      stablehlo.return %n, %q : tensor<i32>, tensor<4x4xf32>
    }
    %6 = stablehlo.custom_call @target(%5#1) {backend_config = "b", called_computations = [@main], has_side_effect = true,
      operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[1, 0]> : tensor<2xindex>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %7 = "stablehlo.all_gather"(%6) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 0>,
      replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x4xf32>) -> tensor<4x8xf32>
    %8 = stablehlo.slice %7 [0:4, 0:8:2] : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %9 = "stablehlo.sort"(%8) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %lt = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %lt : tensor<i1>
    }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %10 = call @private(%9) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %11 = "stablehlo.reduce_window"(%10, %z) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 1, 1>,
      padding = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %a : tensor<f32>
    }) : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x4xf32>
    return %11 : tensor<4x4xf32>
  }
  func.func private @private(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %0 = stablehlo.exponential %x : tensor<4x4xf32>
    return %0 : tensor<4x4xf32>
  }
}
"""

RECENT = """
func.func @recent(%x: tensor<2xf32>, %t: !stablehlo.token) -> tensor<2xf32> {
  %0 = "stablehlo.exponential"(%x) <{result_accuracy = #stablehlo.result_accuracy<atol = 0.5, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "stablehlo.custom_call"(%0) <{api_version = 4 : i32, backend_config = {a = 1 : i32}, call_target_name = "f",
    output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]}> : (tensor<2xf32>) -> tensor<2xf32>
  %2 = "stablehlo.all_reduce"(%1) <{replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes = [#stablehlo.mesh_axis<name = "x", size = 2>]>, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)2>]>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2xf32>) -> tensor<2xf32>
  %3 = "stablehlo.send"(%2, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
  %4 = stablehlo.composite "a.b" %2 {decomposition = @recent2, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return %4 : tensor<2xf32>
}
func.func private @recent2(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
"""

SEGMENTS = """
func.func @segments(%c: i1, %i: i32, %x: tensor<3x2xf32>, %s: tensor<2xf32>) {
  %0:2 = "chlo.scan"(%x, %s) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a, %b : tensor<2xf32>, tensor<2xf32>
  }) : (tensor<3x2xf32>, tensor<2xf32>) -> (tensor<3x2xf32>, tensor<2xf32>)
  cf.cond_br %c, ^bb1, ^bb2(%i, %i : i32, i32)
^bb1:
  return
^bb2(%j: i32, %k: i32):
  return
}
"""

SHARDY = """
module @shardy {
  "t.shardings"() {a = #sdy.mesh<["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>, b = #sdy.mesh<[], device_ids=[0]>,
    c = #sdy.sharding<@m, [{"x":(1)2, ?}p1, {}], replicated={"y"}>, d = #sdy.sharding<mesh<["x"=2]>, [], unreduced={"x"}>,
    e = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, []>]>,
    f = #sdy.sharding_per_value<[<@m, [{"x"}]>, <@m, [], unreduced={"y"}>]>} : () -> ()
  "t.axes"() {a = #sdy<manual_axes{"x"}>, b = #sdy<axis_ref_list{"x", "y":(1)2}>, c = #sdy<list_of_axis_ref_lists[{"x"}, {}]>,
    d = #sdy<all_to_all_param_list[{"x"}: 0->1]>, e = #sdy<axis_ref"x":(1)2>, f = #sdy<dimension_sharding{"x", ?}p1>,
    g = #sdy<all_to_all_param{"x"}: 0->1>} : () -> ()
  "t.rules"() {a = #sdy.op_sharding_rule<([ij, k])->([i, jk]) {i=2, j=3, k=4} reduction={i} permutation={k}, custom>,
    b = #sdy.propagation_edges<[{step-1 = [{"x" = operand-0 -> [result-0]}]}]>} : () -> ()
}
"""


def _alike(number: int) -> str:
    """Operations that differ from those of other numbers in little but the values that they use; the first
    ones have as many operands, later ones do not.
    """
    more = number % 3 if number > 15 else 1
    return f"""
    %{number} = stablehlo.add %{number - 1}, %{number // 2} : tensor<f32>
    %a{number} = stablehlo.convert %{number} : (tensor<f32>) -> tensor<{"f32" if number % 5 else "i8"}>
    %b{number}:2 = "t.some"(%{number}{", %0" * more}) {{a = {number % 2}}}
      : (tensor<f32>{", tensor<f32>" * more}) -> (i8, tensor<f32>)"""


REPEATED = f"""
func.func @repeated(%0: tensor<f32>) -> tensor<f32> {{
{"".join(map(_alike, range(1, 41)))}
    return %40 : tensor<f32>
}}
module @early {{
{"".join(f'  %{n} = "t.early"(%{n + 1}) : (i1) -> i1 ' for n in range(20))}
  %20 = "t.late"() : () -> i1
{"".join(f'  %{n} = "t.early"(%{n - 1}) : (i1) -> i1 ' for n in range(21, 40))}
}}
"""

TEXTS = {
    "attributes": ATTRIBUTES,
    "types": TYPES,
    "regions": REGIONS,
    "locations": LOCATIONS,
    "stablehlo": STABLEHLO,
    "recent": RECENT,
    "segments": SEGMENTS,
    "shardy": SHARDY,
    "repeated": REPEATED,
}
"""All of them by name."""
