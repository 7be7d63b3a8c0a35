"""Where the texts that the specification allows and those that the MLIR tools read differ."""

from __future__ import annotations

from docs.differences.difference import Difference, Topic


def _constant(literal: str, type_: str) -> str:
    return f"func.func @f() {{\n  %0 = stablehlo.constant dense<{literal}> : {type_}\n  return\n}}\n"


def _declared(type_: str) -> str:
    return f"func.func private @f({type_})\n"


_HINT = "hint spelling"
_UNMISTAKABLE = "the text can mean nothing else"

SYNTAX = Topic(
    "Syntax",
    "What a text may look like. A hint or a warning never makes a program invalid; hints offer today's"
    " spelling as a fix.",
    (
        Difference(
            "Floats without a fraction: `1`, `1e5`, `(1, 2)`",
            "fraction and exponent are optional (FloatLiteral)",
            "MLIR wants a decimal point",
            "refuses them, with a fix; reads them as arguments of a run",
            "every other consumer of the text refuses it",
            _constant("[1, 1e5, 2.0]", "tensor<3xf32>"),
            "error syntax",
            False,
        ),
        Difference(
            "Plus signs: `+1`",
            "numbers may have one (SignPart)",
            "MLIR refuses it",
            "reads it, with a hint",
            _UNMISTAKABLE,
            _constant("+1", "tensor<i8>"),
            _HINT,
            False,
        ),
        Difference(
            "Integers above the largest of a signless type: `128` in i8",
            "ill-formed (integer_constant C1)",
            "MLIR reads the bits: -128",
            "reads the bits, with a warning; hexadecimal ones without",
            "programs in use contain bit patterns; who means the number should know",
            _constant("128", "tensor<i8>"),
            "warning integer_constant-C1",
        ),
        Difference(
            "Booleans as numbers: `1` in i1",
            "booleans are `true` and `false`",
            "MLIR reads 1 and -1 as `true`, 0 as `false`",
            "as MLIR, with a hint",
            "no value is changed",
            _constant("1", "tensor<i1>"),
            _HINT,
        ),
        Difference(
            "Hexadecimal floats with missing digits: `0x42f6` in f32",
            "has as many digits as the type's bits take (float_constant C2)",
            "MLIR adds zeros in front: 2.4e-41",
            "as MLIR, with a warning",
            "forgotten digits give a tiny number silently",
            _constant("0x42f6", "tensor<f32>"),
            "warning float_constant-C2",
        ),
        Difference(
            "Constants of quantized types",
            "`dense<[1, 2]>` with the quantized type",
            "MLIR reads only the generic form, whose elements have the storage type",
            "reads them, with a hint",
            _UNMISTAKABLE,
            _constant("[1, 2]", "tensor<2x!quant.uniform<i8:f32, 0.5>>"),
            _HINT,
            False,
        ),
        Difference(
            "Signed integers: `si32`",
            "the names of signed integers",
            "MLIR reads the types, but no operation takes them, except as `scatter_indices`",
            "takes them for `i32` of the same width, with a hint; they stay `si32` in printed text",
            _UNMISTAKABLE,
            "func.func @f(%x: tensor<2xsi32>) {\n  %0 = stablehlo.add %x, %x : tensor<2xsi32>\n  return\n}\n",
            _HINT,
            False,
        ),
        Difference(
            "Signed attributes: `iota_dimension = 0 : si64`",
            "attributes are constants of type si64 or si32",
            "MLIR wants `i64`",
            "reads them as `i64`, with a hint",
            _UNMISTAKABLE,
            'func.func @f() {\n  %0 = "stablehlo.iota"() {iota_dimension = 0 : si64}'
            " : () -> tensor<2xi8>\n  return\n}\n",
            _HINT,
            False,
        ),
        Difference(
            "`pred`, `u8`, `c64`, `c128`, `token`",
            "names of types in older documents and examples",
            "MLIR writes `i1`, `ui8`, `complex<f32>`, `complex<f64>`, `!stablehlo.token`",
            "reads them, with a hint",
            _UNMISTAKABLE,
            _declared("tensor<2xpred>"),
            _HINT,
            False,
        ),
        Difference(
            "Braces around the one scale of a tensor",
            "allowed (QuantizationParameters, C10)",
            "MLIR refuses them",
            "reads them, with a hint",
            _UNMISTAKABLE,
            _declared("tensor<2x!quant.uniform<i8:f32, {0.5:1}>>"),
            _HINT,
            False,
        ),
        Difference(
            "Quantized types that store 64-bit integers",
            "storage types are all integer types",
            "MLIR allows at most 32 bits",
            "refuses them",
            "no tool, file format or kernel has them",
            _declared("tensor<2x!quant.uniform<i64:f32, 0.5>>"),
            "error syntax",
            False,
        ),
        Difference(
            "Quantized types that store `si8`",
            "the name of a signed storage type",
            "MLIR reads them, but no operation takes them, which StableHLO's tests ask for",
            "as MLIR",
            "`i8` is the type that they mean",
            "func.func @f(%x: tensor<2x!quant.uniform<si8:f32, 0.5>>) {\n"
            "  %0 = stablehlo.abs %x : tensor<2x!quant.uniform<si8:f32, 0.5>>\n  return\n}\n",
            "error abs-I1",
            False,
        ),
        Difference(
            "`while` with regions whose arguments have other types than the operands",
            "has only the generic form",
            "MLIR prints a short form that it cannot read again",
            "prints what MLIR prints",
            "texts of both tools can be compared",
        ),
        Difference(
            "Lists of integers in attributes",
            "constants: `dense<[0, 1]> : tensor<2xi64>`",
            "MLIR has arrays today: `array<i64: 0, 1>`",
            "reads both, the former with a hint",
            "older programs and all of the specification's examples have them",
            "func.func @f(%x: tensor<2xi8>) {\n"
            '  %0 = "stablehlo.reverse"(%x) {dimensions = dense<0> : tensor<1xi64>}'
            " : (tensor<2xi8>) -> tensor<2xi8>\n  return\n}\n",
            _HINT,
            False,
        ),
        Difference(
            "`trace`, `compute_reshape_shape`, `cstr_reshapable`",
            'named among operations "in the wild"',
            "no longer operations of StableHLO",
            "refuses them",
            "nothing defines them",
            'func.func @f(%x: tensor<2x2xf32>) {\n  %0 = "stablehlo.trace"(%x)'
            " : (tensor<2x2xf32>) -> tensor<f32>\n  return\n}\n",
            "error syntax",
            False,
        ),
        Difference(
            "`unreduced=max{...}` of shardings, `sdy.all_reduce max`, `sdy.reduce_scatter max`",
            "does not speak of Shardy",
            "Shardy of 2026 prints them; jaxlib 0.10.2 reads sums alone",
            "reads and prints them",
            "later programs have them",
            'sdy.mesh @m = <["x"=2]>\n'
            'func.func @f(%x: tensor<2xf32> {sdy.sharding = #sdy.sharding<@m, [{}], unreduced=max{"x"}>}) {\n'
            '  %0 = sdy.all_reduce max {"x"} %x out_sharding=<@m, [{}]> : tensor<2xf32>\n  return\n}\n',
            "",
            False,
            "0.12.0",
        ),
        Difference(
            "`module @x` with a visibility, inside another module",
            "does not speak of it",
            'MLIR of jaxlib 0.12 has `module @x <sym_visibility = "private">`, older ones '
            '`module @x attributes {sym_visibility = "private"}`; each refuses the other',
            "reads both, prints the older form",
            "most of today's readers know the older form",
            'module @x <sym_visibility = "private"> {\n}\n',
            "",
            False,
            "0.12.0",
        ),
        Difference(
            "`sdy.all_reduce` and `sdy.reduce_scatter` that sum, in the generic form",
            "does not speak of Shardy",
            "jaxlib 0.12 prints `reduction_op = 0 : i32`, the default, and reads texts without it; jaxlib "
            "0.10.2 knows no such attribute",
            "leaves the default out, reads both",
            "both read the text",
        ),
        Difference(
            "decimals of narrow floats with more digits than a double has",
            "leaves the rounding open",
            "MLIR of jaxlib 0.10.2 rounds to a double, and that to the type; that of jaxlib 0.12 rounds once",
            "rounds twice, as the former",
            "the two part where a decimal lies within a double's rounding of the middle between two numbers; "
            "no tool prints such decimals",
        ),
    ),
)
