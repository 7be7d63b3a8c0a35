"""The text of operations, of those too that JAX rarely prints.

Each is written in the generic form with an attribute of another dialect, and must come out as jaxlib prints
it, pretty and generic, and be read back from both.
"""

from __future__ import annotations

import pytest

import shlo
from docs.generate_ops import program_file
from shlo.dialects import all_op_defs
from tests.oracle import Oracle

F, V, M = "tensor<f32>", "tensor<4xf32>", "tensor<4x4xf32>"
INTS, S = "tensor<4xi32>", "tensor<i32>"
T, C, B = "!stablehlo.token", "tensor<4xcomplex<f32>>", "tensor<4xi1>"

ARGUMENTS = {
    "f": F, "v": V, "m": M, "i": INTS, "s": S, "t": T, "c": C, "b": B,
    "p": "tensor<i1>", "d": "tensor<2xi64>", "dyn": "tensor<?xf32>", "tuple": f"tuple<{V}, {S}>",
}  # fmt: skip
GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
SUM = f"({{ ^bb0(%x: {F}, %y: {F}): %z = stablehlo.add %x, %y : {F} stablehlo.return %z : {F} }})"  # a region
CHANNEL = "channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>"
DIMENSIONS = "dimension_numbers = #stablehlo.conv<[b, f]x[i, o]->[b, f]>"
GATHER = "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"

OPERATIONS = [
    f'"stablehlo.abs"(%c) {{m.x}} : ({C}) -> {V}',
    f'"stablehlo.cosine"(%v) {{result_accuracy = #stablehlo.result_accuracy<ulps = 3, mode = '
    f"#stablehlo.result_accuracy_mode<TOLERANCE>>, m.x}} : ({V}) -> {V}",
    f'"stablehlo.tan"(%v) {{m.x}} : ({V}) -> tensor<?xf32>',
    f'"stablehlo.complex"(%v, %v) {{m.x}} : ({V}, {V}) -> {C}',
    f'"stablehlo.complex"(%v, %dyn) {{m.x}} : ({V}, tensor<?xf32>) -> {C}',
    f'"stablehlo.compare"(%v, %v) {{comparison_direction = #stablehlo<comparison_direction GE>, '
    f"compare_type = #stablehlo<comparison_type TOTALORDER>, m.x}} : ({V}, {V}) -> {B}",
    f'"stablehlo.compare"(%v, %v) {{comparison_direction = #stablehlo<comparison_direction LT>}} : ({V}, {V}) -> {B}',
    f'"stablehlo.clamp"(%f, %v, %f) {{m.x}} : ({F}, {V}, {F}) -> {V}',
    f'"stablehlo.select"(%p, %v, %v) {{m.x}} : (tensor<i1>, {V}, {V}) -> {V}',
    f'"stablehlo.select"(%b, %v, %dyn) {{m.x}} : ({B}, {V}, tensor<?xf32>) -> {V}',
    f'"stablehlo.reduce_precision"(%v) {{exponent_bits = 5 : i32, mantissa_bits = 10 : i32, m.x}} : ({V}) -> {V}',
    f'"stablehlo.constant"() {{value = dense<[1, -2, 3, 4]> : {INTS}, m.x}} : () -> {INTS}',
    f'"stablehlo.iota"() {{iota_dimension = 1 : i64, m.x}} : () -> {M}',
    '"stablehlo.dynamic_iota"(%d) {iota_dimension = 1 : i64, m.x} : (tensor<2xi64>) -> tensor<?x?xf32>',
    f'"stablehlo.broadcast"(%v) {{broadcast_sizes = array<i64: 4>, m.x}} : ({V}) -> {M}',
    f'"stablehlo.broadcast_in_dim"(%f) {{broadcast_dimensions = array<i64>, m.x}} : ({F}) -> {M}',
    f'"stablehlo.dynamic_broadcast_in_dim"(%f, %d) {{broadcast_dimensions = array<i64>, '
    f"known_expanding_dimensions = array<i64>, m.x}} : ({F}, tensor<2xi64>) -> tensor<?x?xf32>",
    f'"stablehlo.concatenate"(%v, %v) {{dimension = 0 : i64, m.x}} : ({V}, {V}) -> tensor<8xf32>',
    f'"stablehlo.pad"(%v, %f) {{edge_padding_low = array<i64: -1>, edge_padding_high = array<i64: 2>, '
    f"interior_padding = array<i64: 1>, m.x}} : ({V}, {F}) -> tensor<8xf32>",
    f'"stablehlo.dynamic_reshape"(%m, %d) {{m.x}} : ({M}, tensor<2xi64>) -> tensor<?x?xf32>',
    f'"stablehlo.reverse"(%v) {{dimensions = array<i64: 0>, m.x}} : ({V}) -> {V}',
    f'"stablehlo.transpose"(%m) {{permutation = array<i64: 1, 0>, m.x}} : ({M}) -> {M}',
    f'"stablehlo.slice"(%m) {{start_indices = array<i64: 0, 1>, limit_indices = array<i64: 4, 4>, '
    f"strides = array<i64: 1, 2>, m.x}} : ({M}) -> tensor<4x2xf32>",
    f'"stablehlo.slice"(%f) {{start_indices = array<i64>, limit_indices = array<i64>, strides = array<i64>}} '
    f": ({F}) -> {F}",
    f'"stablehlo.dynamic_slice"(%v, %s) {{slice_sizes = array<i64: 2>, m.x}} : ({V}, {S}) -> tensor<2xf32>',
    f'"stablehlo.dynamic_update_slice"(%v, %v, %s) {{m.x}} : ({V}, {V}, {S}) -> {V}',
    f'"stablehlo.gather"(%v, %i) {{dimension_numbers = {GATHER}, slice_sizes = array<i64: 1>, m.x}} '
    f": ({V}, {INTS}) -> {V}",
    f'"stablehlo.torch_index_select"(%v, %i) {{dim = 0 : i64, batch_dims = 0 : i64, m.x}} : ({V}, {INTS}) -> {V}',
    f'"stablehlo.get_dimension_size"(%m) {{dimension = 1 : i64, m.x}} : ({M}) -> {S}',
    f'"stablehlo.set_dimension_size"(%v, %s) {{dimension = 0 : i64, m.x}} '
    f": ({V}, {S}) -> tensor<?xf32, #stablehlo.bounds<4>>",
    f'"stablehlo.dot"(%m, %v) {{precision_config = [#stablehlo<precision HIGH>, #stablehlo<precision DEFAULT>], m.x}} '
    f": ({M}, {V}) -> {V}",
    f'"stablehlo.dot"(%v, %v) : ({V}, {V}) -> {F}',
    f'"stablehlo.dot_general"(%m, %m) {{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], '
    f"rhs_batching_dimensions = [1], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, "
    f"precision_config = [], m.x}} : ({M}, {M}) -> {V}",
    f'"stablehlo.dot_general"(%v, %f) {{dot_dimension_numbers = #stablehlo.dot<>, '
    f"precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], "
    f"algorithm = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, "
    f"accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, "
    f"allow_imprecise_accumulation = false>}} : ({V}, {F}) -> {V}",
    f'"stablehlo.einsum"(%m, %m) {{einsum_config = "ab,bc->ac", m.x}} : ({M}, {M}) -> {M}',
    f'"stablehlo.unary_einsum"(%m) {{einsum_config = "ab->a", m.x}} : ({M}) -> {V}',
    f'"stablehlo.convolution"(%m, %m) {{{DIMENSIONS}, feature_group_count = 1 : i64, batch_group_count = 1 : i64, '
    f"window_strides = array<i64>, window_reversal = array<i1>, m.x}} : ({M}, {M}) -> {M}",
    f'"stablehlo.batch_norm_inference"(%m, %v, %v, %v, %v) {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64, m.x}} '
    f": ({M}, {V}, {V}, {V}, {V}) -> {M}",
    f'%r:3 = "stablehlo.batch_norm_training"(%m, %v, %v) {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64, m.x}} '
    f": ({M}, {V}, {V}) -> ({M}, {V}, {V})",
    f'%r:3 = "stablehlo.batch_norm_grad"(%m, %v, %v, %v, %m) {{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}} '
    f": ({M}, {V}, {V}, {V}, {M}) -> ({M}, {V}, {V})",
    f'"stablehlo.reduce"(%m, %f) {SUM} {{dimensions = array<i64: 0>, m.x}} : ({M}, {F}) -> {V}',
    f'"stablehlo.map"(%v, %v) {SUM} {{dimensions = array<i64: 0>, m.x}} : ({V}, {V}) -> {V}',
    f'"stablehlo.all_reduce"(%v) {SUM} {{{GROUPS}, {CHANNEL}, use_global_device_ids, m.x}} : ({V}) -> {V}',
    f'"stablehlo.reduce_scatter"(%v) {SUM} {{{GROUPS}, scatter_dimension = 0 : i64}} : ({V}) -> tensor<2xf32>',
    f'"stablehlo.collective_permute"(%v) {{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>, m.x}} '
    f": ({V}) -> {V}",
    f'"stablehlo.cross-replica-sum"(%v) {{{GROUPS}, m.x}} : ({V}) -> {V}',
    '"stablehlo.replica_id"() {m.x} : () -> tensor<ui32>',
    f'"stablehlo.after_all"(%t, %t) {{m.x}} : ({T}, {T}) -> {T}',
    f'"stablehlo.after_all"() : () -> {T}',
    f'"stablehlo.create_token"() {{m.x}} : () -> {T}',
    f'"stablehlo.infeed"(%t) {{infeed_config = "", layout = [[0]], m.x}} : ({T}) -> ({V}, {T})'.replace(
        '"stablehlo', '%r:2 = "stablehlo', 1
    ),
    f'"stablehlo.outfeed"(%v, %t) {{outfeed_config = "x", m.x}} : ({V}, {T}) -> {T}',
    f'"stablehlo.send"(%v, %t) {{{CHANNEL.replace("type = 0", "type = 1")}, m.x}} : ({V}, {T}) -> {T}',
    f'"stablehlo.custom_call"(%v) {{call_target_name = "a b", has_side_effect = false, api_version = 4 : i32, '
    f"backend_config = {{k = 1 : i32}}, m.x}} : ({V}) -> {V}",
    f'"stablehlo.custom_call"() {{call_target_name = "f", has_side_effect = true, backend_config = "", '
    f"called_computations = []}} : () -> {V}",
    f'"stablehlo.composite"(%v) {{name = "a.b", decomposition = @g, version = 0 : i32, composite_attributes = {{}}, '
    f"m.x}} : ({V}) -> {V}",
    f'"stablehlo.composite"(%v) {{name = "a.b", decomposition = @g, version = 2 : i32, '
    f"composite_attributes = {{k = 1 : i32}}}} : ({V}) -> {V}",
    f'"stablehlo.optimization_barrier"(%v) {{m.x}} : ({V}) -> {V}',
    f'%r:2 = "stablehlo.optimization_barrier"(%v, %s) : ({V}, {S}) -> ({V}, {S})',
    '"stablehlo.optimization_barrier"() {m.x} : () -> ()',
    f'"stablehlo.tuple"(%v, %s) {{m.x}} : ({V}, {S}) -> tuple<{V}, {S}>',
    '"stablehlo.tuple"() : () -> tuple<>',
    f'"stablehlo.get_tuple_element"(%tuple) {{index = 1 : i32, m.x}} : (tuple<{V}, {S}>) -> {S}',
    f'"stablehlo.rng"(%f, %f, %d) {{rng_distribution = #stablehlo<rng_distribution NORMAL>, m.x}} '
    f": ({F}, {F}, tensor<2xi64>) -> tensor<?x?xf32>",
    f'"stablehlo.cholesky"(%m) {{lower = true, m.x}} : ({M}) -> {M}',
    f'"stablehlo.cholesky"(%m) {{lower = false}} : ({M}) -> {M}',
    f'"stablehlo.triangular_solve"(%m, %m) {{left_side = true, lower = true, unit_diagonal = false, '
    f"transpose_a = #stablehlo<transpose ADJOINT>, m.x}} : ({M}, {M}) -> {M}",
    f'"stablehlo.fft"(%c) {{fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 4>, m.x}} : ({C}) -> {C}',
    f'"stablehlo.sort"(%v) ({{ ^bb0(%x: {F}, %y: {F}): %z = stablehlo.compare LT, %x, %y : ({F}, {F}) -> tensor<i1> '
    f"stablehlo.return %z : tensor<i1> }}) {{dimension = -1 : i64, is_stable = false, m.x}} : ({V}) -> {V}",
    f'"stablehlo.while"(%s) ({{ ^bb0(%x: {S}): stablehlo.return %p : tensor<i1> }}, '
    f"{{ ^bb0(%x: {S}): stablehlo.return %x : {S} }}) {{m.x}} : ({S}) -> {S}",
    f'"stablehlo.if"(%p) ({{ stablehlo.return %v : {V} }}, {{ stablehlo.return %v : {V} }}) {{m.x}} : (tensor<i1>) -> {V}',
    f'"stablehlo.case"(%s) ({{ "stablehlo.return"(%v) {{m.x}} : ({V}) -> () }}) : ({S}) -> {V}',
    f'"chlo.asin"(%v) {{m.x}} : ({V}) -> {V}',
    f'"chlo.is_inf"(%v) {{m.x}} : ({V}) -> {B}',
    f'"chlo.next_after"(%v, %v) {{m.x}} : ({V}, {V}) -> {V}',
    f'"chlo.broadcast_add"(%v, %f) {{broadcast_dimensions = array<i64>, m.x}} : ({V}, {F}) -> {V}',
    f'"chlo.broadcast_compare"(%v, %v) {{comparison_direction = #chlo<comparison_direction LT>, m.x}} '
    f": ({V}, {V}) -> {B}",
    f'"chlo.broadcast_select"(%p, %v, %v) {{m.x}} : (tensor<i1>, {V}, {V}) -> {V}',
    f'"chlo.constant"() {{value = dense<1.0> : {V}, m.x}} : () -> {V}',
    f'"chlo.constant_like"(%v) {{value = 1.0 : f32, m.x}} : ({V}) -> {V}',
    f'%r:2 = "chlo.top_k"(%v) {{k = 2 : i64, m.x}} : ({V}) -> (tensor<2xf32>, tensor<2xi32>)',
    f'%r:2 = "chlo.scan"(%v, %f) <{{dimension = 0 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, '
    f"resultSegmentSizes = array<i32: 1, 1>}}> ({{ ^bb0(%x: {F}, %y: {F}): stablehlo.return %x, %y : {F}, {F} }}) "
    f"{{m.x}} : ({V}, {F}) -> ({V}, {F})",
    f'"func.call"(%v) {{callee = @g, m.x}} : ({V}) -> {V}',
    f'%r = "func.constant"() {{value = @g, m.x}} : () -> (({V}) -> {V})',
    f'"builtin.unrealized_conversion_cast"(%v) {{m.x}} : ({V}) -> {S}',
]  # fmt: skip


def program(operation: str) -> str:
    """Returns a program with that operation; its results are named where it has no names for them."""
    arguments = ", ".join(f"%{name}: {type_}" for name, type_ in ARGUMENTS.items())
    has_result = not operation.endswith("-> ()") and not operation.startswith("%")
    return (
        f"func.func @main({arguments}) {{\n  {'%r = ' if has_result else ''}{operation}\n  return\n}}\n"
        f"func.func private @g(%v: {V}) -> {V} {{\n  return %v : {V}\n}}\n"
    )


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda text: text.split('"')[1])
def test_operation_is_written_as_the_oracle_writes_it(oracle: Oracle, operation: str) -> None:
    text = program(operation)
    for form in (text, oracle.pretty(text), oracle.generic(text)):
        module = shlo.parse(form)
        assert module.to_text().strip() == oracle.pretty(form).strip()
        assert module.to_text(generic=True).strip() == oracle.generic(form).strip()


def test_dynamic_slice_of_a_scalar_is_written_so_that_it_can_be_read(oracle: Oracle) -> None:
    operation = f'"stablehlo.dynamic_slice"(%f) {{slice_sizes = array<i64>}} : ({F}) -> {F}'
    assert not oracle.accepts(oracle.pretty(program(operation))).accepted  # a fault of MLIR's printer
    text = shlo.parse(program(operation)).to_text()
    assert "dynamic_slice %arg0, sizes = []" in text
    assert oracle.same_module(text, program(operation))


def test_pretty_forms_are_covered_here_or_by_check_programs() -> None:
    covered = {text.split('"')[1] for text in OPERATIONS}
    covered |= {op_def.name for op_def in all_op_defs() if program_file(op_def)}
    families = {op_def.format for op_def in all_op_defs() if op_def.name in covered}
    here = {"builtin", "func", "stablehlo", "chlo"}
    missing = {
        op_def.name for op_def in all_op_defs() if op_def.format not in families and op_def.dialect in here
    }
    assert missing <= {"builtin.module", "func.func", "func.call_indirect", "func.return"}
