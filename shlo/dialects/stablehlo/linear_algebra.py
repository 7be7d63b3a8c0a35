"""Cards of decompositions, solvers and the Fourier transform."""

from __future__ import annotations

from shlo.dialects.card import Card, defaulted, operand, required
from shlo.dialects.stablehlo.parts import FLOAT_OR_COMPLEX, INEXACT

CARDS = (
    Card(
        "stablehlo.cholesky",
        "The Cholesky decomposition of each matrix of a batch.",
        operands=(operand("a", INEXACT),),
        attributes=(defaulted("lower", "bool", "false"),),
        results=(operand("result", INEXACT),),
        format="$a [ `,` `lower` `=` $lower ]? attr-dict `:` type(same)",
        section="cholesky",
    ),
    Card(
        "stablehlo.triangular_solve",
        "Solves the linear equations of each triangular matrix of a batch.",
        operands=(operand("a", FLOAT_OR_COMPLEX), operand("b", FLOAT_OR_COMPLEX)),
        attributes=(
            required("left_side", "bool"),
            required("lower", "bool"),
            required("unit_diagonal", "bool"),
            required("transpose_a", "enum:transpose"),
        ),
        results=(operand("result", FLOAT_OR_COMPLEX),),
        section="triangular_solve",
    ),
    Card(
        "stablehlo.fft",
        "A Fourier transform, forward or inverse, along the last dimensions.",
        operands=(operand("operand", FLOAT_OR_COMPLEX),),
        attributes=(required("fft_type", "enum:fft_type"), required("fft_length", "i64_array")),
        results=(operand("result", FLOAT_OR_COMPLEX),),
        format="$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict `:` type(function)",
        section="fft",
    ),
)
