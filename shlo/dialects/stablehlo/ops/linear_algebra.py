"""OpDefs of decompositions, solvers and the Fourier transform."""

from __future__ import annotations

from shlo.dialects.attr_constraints import BOOL_ATTR, I64_ARRAY_ATTR, enum_of
from shlo.dialects.opdef import OpDef, defaulted, formulas, operand, required
from shlo.dialects.stablehlo import enums
from shlo.dialects.stablehlo.ops.parts import FLOAT_OR_COMPLEX, INEXACT
from shlo.dialects.stablehlo.rules.work import cholesky_work, fft_work, triangular_solve_work

OP_DEFS = (
    OpDef(
        "stablehlo.cholesky",
        "Computes the Cholesky decomposition of each matrix of a batch.",
        operands=(operand("a", INEXACT),),
        attributes=(defaulted("lower", BOOL_ATTR, "false"),),
        results=(operand("result", INEXACT),),
        format="$a [ `,` `lower` `=` $lower ]? attr-dict `:` type(same)",
        constraints=formulas("""
            C1: baseline_type(a) = baseline_type(result)
            C2: 2 <= rank(a)
            C3: dim(a, -2) = dim(a, -1)
        """),
        quantized="dequantize",
        work=cholesky_work,
    ),
    OpDef(
        "stablehlo.triangular_solve",
        "Solves the linear equations of each triangular matrix of a batch.",
        operands=(operand("a", FLOAT_OR_COMPLEX), operand("b", FLOAT_OR_COMPLEX)),
        attributes=(
            required("left_side", BOOL_ATTR),
            required("lower", BOOL_ATTR),
            required("unit_diagonal", BOOL_ATTR),
            required("transpose_a", enum_of(enums.TRANSPOSE)),
        ),
        results=(operand("result", FLOAT_OR_COMPLEX),),
        constraints=formulas("""
            C1: baseline_element_type(a) = baseline_element_type(b)
            C2: 2 <= rank(a) = rank(b)
            C3: shape(a)[:-2] = shape(b)[:-2] and dim(a, -2) = dim(a, -1) = dim(b, (left_side ? -2 : -1))
                # all dimensions but the last two are batch dimensions, the third last too
            C4: baseline_type(b) = baseline_type(result)
            A1: transpose_a != TRANSPOSE_INVALID # a word of the enumeration is no value
        """),
        quantized="dequantize",
        work=triangular_solve_work,
    ),
    OpDef(
        "stablehlo.fft",
        "Computes a Fourier transform, forward or inverse, along the last dimensions.",
        operands=(operand("operand", FLOAT_OR_COMPLEX),),
        attributes=(required("fft_type", enum_of(enums.FFT_TYPE)), required("fft_length", I64_ARRAY_ATTR)),
        results=(operand("result", FLOAT_OR_COMPLEX),),
        format="$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length attr-dict `:` type(function)",
        constraints=formulas("""
            C1: size(fft_length) <= rank(operand)
            C2: element_type(result) = (fft_type = RFFT ? complex_type(element_type(operand))
                : fft_type = IRFFT ? real_type(operand) : element_type(operand))
                and (fft_type = RFFT ? element_type(operand) in [f32, f64] : is_complex(operand))
            C3: 1 <= size(fft_length) <= 3
            C4: (if fft_type = RFFT then shape(operand)[-size(fft_length):] = fft_length)
                and (if fft_type = IRFFT then shape(result)[-size(fft_length):] = fft_length)
            C5: shape(result) = (fft_type = RFFT and fft_length[-1] != 0
                ? with_items(shape(operand), [rank(operand) - 1], [half])
                : fft_type = IRFFT ? with_items(shape(operand), [rank(operand) - 1], [fft_length[-1]])
                : shape(operand)) and (if fft_type = IRFFT then dim(operand, -1) = half
                or (dim(operand, -1) = 0 and fft_length[-1] = 0)) where half = floor(fft_length[-1] / 2) + 1
        """),
        work=fft_work,
    ),
)
