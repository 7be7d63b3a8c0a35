"""Where the programs that the specification allows and those that the MLIR tools accept differ."""

from __future__ import annotations

from docs.differences.difference import Difference, Topic

_GROUPS = "replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>"
_TOOLS_ACCEPT = "errors are what the MLIR tools refuse; what only the specification refuses is a warning"
_TOOLS_REFUSE = "what the MLIR tools refuse cannot be used elsewhere"


def _program(arguments: str, operation: str) -> str:
    return f"func.func @f({arguments}) {{\n  %0 = {operation}\n  return\n}}\n"


def _gather(attributes: str, operand: str, result: str) -> str:
    given = f"all_gather_dim = 1 : i64, {_GROUPS}{attributes}"
    return _program(f"%x: {operand}", f'"stablehlo.all_gather"(%x) <{{{given}}}> : ({operand}) -> {result}')


def _reduce_scatter(operand: str, result: str) -> str:
    return _program(
        f"%x: {operand}",
        f'"stablehlo.reduce_scatter"(%x) <{{scatter_dimension = 0 : i64, {_GROUPS}}}> ({{\n'
        "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n"
        "    %1 = stablehlo.add %a, %b : tensor<i32>\n    stablehlo.return %1 : tensor<i32>\n"
        f"  }}) : ({operand}) -> {result}",
    )


_PER_AXIS = "tensor<2x!quant.uniform<i8:f32:0, {0.5,0.25}>>"
_QUANTIZED = "tensor<2x2x!quant.uniform<i8:f32, 0.5>>"

CONSTRAINTS = Topic(
    "Constraints",
    "Which programs are valid. Constraints with errata, in [constraints.md](constraints.md), are the small"
    " ones of these differences.",
    (
        Difference(
            "Quantization along an axis in `if`, `case`, `while` and `return`",
            'says "per-tensor quantized"',
            "MLIR takes both kinds",
            "takes both kinds",
            "nothing depends on the kind where values are handed on",
            _program(
                f"%p: tensor<i1>, %x: {_PER_AXIS}",
                f'"stablehlo.if"(%p) ({{\n    stablehlo.return %x : {_PER_AXIS}\n  }}, {{\n'
                f"    stablehlo.return %x : {_PER_AXIS}\n  }}) : (tensor<i1>) -> {_PER_AXIS}",
            ),
        ),
        Difference(
            "The state of `rng_bit_generator`",
            "1-dimensional, of ui64 (I2)",
            "MLIR takes integers and floats of all shapes",
            "warns; runs take ui64 alone",
            _TOOLS_ACCEPT,
            _program(
                "%s: tensor<2xi64>",
                "stablehlo.rng_bit_generator %s, algorithm = DEFAULT"
                " : (tensor<2xi64>) -> (tensor<2xi64>, tensor<4xui32>)",
            ).replace("%0 =", "%0, %1 ="),
            "warning rng_bit_generator-I2",
        ),
        Difference(
            "The shape of `rng`",
            "of si64 (I3)",
            "MLIR takes integers of all widths",
            "warns",
            _TOOLS_ACCEPT,
            _program(
                "%a: tensor<f32>, %n: tensor<1xi32>",
                "stablehlo.rng %a, %a, %n, distribution = UNIFORM"
                " : (tensor<f32>, tensor<f32>, tensor<1xi32>) -> tensor<?xf32>",
            ),
            "warning rng-I3",
        ),
        Difference(
            "The indices of `scatter`",
            "of integer type (I2)",
            "MLIR takes booleans, too",
            "warns",
            _TOOLS_ACCEPT,
            _program(
                "%x: tensor<3xi32>, %i: tensor<1xi1>, %u: tensor<i32>",
                '"stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<'
                "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({\n"
                "  ^bb0(%a: tensor<i32>, %b: tensor<i32>):\n    stablehlo.return %b : tensor<i32>\n"
                "  }) : (tensor<3xi32>, tensor<1xi1>, tensor<i32>) -> tensor<3xi32>",
            ),
            "warning scatter-I2",
        ),
        Difference(
            "`use_global_device_ids` of `all_gather` without a channel",
            "channel_id is greater than 0 (C5)",
            "MLIR takes 0, and none",
            "warns; the run refuses it",
            _TOOLS_ACCEPT,
            _gather(", use_global_device_ids", "tensor<2x2xi64>", "tensor<2x4xi64>"),
            "warning all_gather-C5",
        ),
        Difference(
            "The size of the result of `all_gather`",
            "the operand's, times the size of a group (C6)",
            "MLIR wants a multiple of the operand's",
            "warns where the groups tell the size",
            _TOOLS_ACCEPT,
            _gather("", "tensor<2x2xi64>", "tensor<2x6xi64>"),
            "warning all_gather-C6",
        ),
        Difference(
            "The size of the operand of `reduce_scatter`",
            "a multiple of the size of a group (C1)",
            "MLIR wants a multiple of the result's",
            "warns where the groups tell the size",
            _TOOLS_ACCEPT,
            _reduce_scatter("tensor<3xi32>", "tensor<1xi32>"),
            "warning reduce_scatter-C1",
        ),
        Difference(
            "The size of the result of `reduce_scatter`",
            "the operand's, divided by the size of a group (C8)",
            "MLIR wants a divisor of the operand's",
            "warns where the groups tell the size",
            _TOOLS_ACCEPT,
            _reduce_scatter("tensor<4xi32>", "tensor<1xi32>"),
            "warning reduce_scatter-C8",
        ),
        Difference(
            "`precision_config` with one precision",
            "has two (C11 of dot_general, C24 of convolution)",
            "MLIR takes up to two",
            "takes up to two; one that is missing is `DEFAULT`",
            "no value depends on it",
            _program(
                "%x: tensor<2x2xf32>",
                '"stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<'
                "lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>,"
                " precision_config = [#stablehlo<precision DEFAULT>]}>"
                " : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>",
            ),
        ),
        Difference(
            "Reductions of booleans",
            "is_promotable is false for them, so that C6 of reduce excludes them",
            "MLIR accepts them",
            "accepts them",
            "the missing branch is a mistake of the specification: `and` and `or` are for booleans",
            _program(
                "%x: tensor<2xi1>, %z: tensor<i1>",
                "stablehlo.reduce(%x init: %z) applies stablehlo.or across dimensions = [0]"
                " : (tensor<2xi1>, tensor<i1>) -> tensor<i1>",
            ),
        ),
        Difference(
            "`all_gather` along a dimension of size 0",
            "allowed",
            "MLIR refuses it",
            "refuses it (A2)",
            _TOOLS_REFUSE,
            _gather("", "tensor<2x0xi64>", "tensor<2x0xi64>"),
            "error all_gather-A2",
            False,
        ),
        Difference(
            "`convolution` with a kernel of size 0",
            "C25 has a case for it",
            "MLIR refuses it",
            "refuses it (A1)",
            _TOOLS_REFUSE,
            _program(
                "%x: tensor<1x2x2x1xf32>, %k: tensor<0x1x1x1xf32>",
                "stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],"
                " window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64}"
                " : (tensor<1x2x2x1xf32>, tensor<0x1x1x1xf32>) -> tensor<1x3x2x1xf32>",
            ),
            "error convolution-A1",
            False,
        ),
        Difference(
            "Results of unknown sizes of `reshape`, `broadcast_in_dim`, `iota`",
            "operands and results may have dynamic dimensions",
            "MLIR wants static shapes, or one bounded dimension",
            "refuses them; `dynamic_reshape` and its like take them",
            _TOOLS_REFUSE,
            _program("", "stablehlo.iota dim = 0 : tensor<?xi64>"),
            "error iota-A1",
            False,
        ),
        Difference(
            "`triangular_solve` of quantized tensors",
            "allowed (I1)",
            "MLIR refuses them",
            "refuses them",
            _TOOLS_REFUSE,
            _program(
                f"%x: {_QUANTIZED}",
                '"stablehlo.triangular_solve"(%x, %x) <{left_side = true, lower = true, unit_diagonal'
                " = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>}>"
                f" : ({_QUANTIZED}, {_QUANTIZED}) -> {_QUANTIZED}",
            ),
            "error triangular_solve-I1",
            False,
        ),
        Difference(
            "Quantized types that break their own constraints (C7, C12, C13)",
            "are no types",
            "MLIR reads them; no operation takes them",
            "as MLIR; the message names the constraint",
            "a program may declare what it does not use",
            _program(
                "%x: tensor<2x!quant.uniform<i8:f32, 0.5:300>>",
                "stablehlo.abs %x : tensor<2x!quant.uniform<i8:f32, 0.5:300>>",
            ),
            "error abs-I1",
            False,
        ),
        Difference(
            "`sdy.all_reduce` and `sdy.reduce_scatter` whose result has more unreduced axes",
            "does not speak of Shardy",
            "jaxlib 0.10.2 takes them; Shardy of 2026 refuses them",
            "refuses them",
            "an axis that is reduced cannot become unreduced",
            'sdy.mesh @m = <["x"=2, "y"=2]>\n'
            'func.func @f(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced={"x"}>}) {\n'
            '  %0 = sdy.all_reduce {"x"} %x out_sharding=<@m, [{}], unreduced={"y"}> : tensor<2xf32>\n'
            "  return\n}\n",
            "error sdy.all_reduce-A5",
            until="0.12.0",
        ),
    ),
)
