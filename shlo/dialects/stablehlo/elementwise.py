"""Cards of the operations that work on each element alone."""

from __future__ import annotations

from shlo.dialects.card import AttributeSpec, Card, Trait, may, operand, required
from shlo.dialects.stablehlo.parts import (
    ANY,
    ANY_OR_QUANTIZED,
    BOOLEAN,
    COMMUTATIVE,
    ELEMENTWISE,
    FLOAT,
    FLOAT_OR_COMPLEX,
    FLOAT_OR_QUANTIZED,
    FUNCTIONAL,
    INEXACT,
    INTEGER,
    LOGICAL,
    NUMERIC,
    RESULT_ACCURACY,
    SAME,
    SIGNED_NUMERIC,
)


def _unary(
    name: str,
    summary: str,
    type_: str,
    result_type: str | None = None,
    attributes: tuple[AttributeSpec, ...] = (),
) -> Card:
    return Card(
        f"stablehlo.{name}",
        summary,
        operands=(operand("operand", type_),),
        attributes=attributes,
        results=(operand("result", result_type or type_),),
        format=SAME,
        traits=ELEMENTWISE,
        section=name,
    )


def _transcendental(name: str, summary: str) -> Card:
    return _unary(name, summary, INEXACT, attributes=(RESULT_ACCURACY,))


def _binary(name: str, summary: str, type_: str, traits: frozenset[Trait] = ELEMENTWISE) -> Card:
    return Card(
        f"stablehlo.{name}",
        summary,
        operands=(operand("lhs", type_), operand("rhs", type_)),
        results=(operand("result", type_),),
        format=SAME,
        traits=traits,
        section=name,
    )


UNARY = (
    _unary("abs", "The magnitude of each element.", SIGNED_NUMERIC),
    _transcendental("cbrt", "The cubic root of each element."),
    _unary("ceil", "Each element rounded up.", FLOAT_OR_QUANTIZED),
    _unary("convert", "Each element as an element of another type.", ANY),
    _transcendental("cosine", "The cosine of each element."),
    _unary("count_leading_zeros", "How many leading zero bits each element has.", INTEGER),
    _transcendental("exponential", "e to the power of each element."),
    _transcendental("exponential_minus_one", "e to the power of each element, minus one, exact near zero."),
    _unary("floor", "Each element rounded down.", FLOAT_OR_QUANTIZED),
    _unary("imag", "The imaginary part of each element.", FLOAT_OR_COMPLEX, FLOAT),
    _transcendental("log", "The natural logarithm of each element."),
    _transcendental("log_plus_one", "The natural logarithm of one plus each element, exact near zero."),
    _transcendental("logistic", "The logistic function of each element."),
    _unary("negate", "The negation of each element.", NUMERIC),
    _unary("not", "NOT of each boolean, or of each bit of the integers.", LOGICAL),
    _unary("popcnt", "How many bits of each element are set.", INTEGER),
    _unary("real", "The real part of each element.", FLOAT_OR_COMPLEX, FLOAT),
    _unary(
        "round_nearest_afz",
        "Each element rounded to the nearest integer, ties away from 0.",
        FLOAT_OR_QUANTIZED,
    ),
    _unary(
        "round_nearest_even", "Each element rounded to the nearest integer, ties to even.", FLOAT_OR_QUANTIZED
    ),
    _transcendental("rsqrt", "The reciprocal square root of each element."),
    _unary("sign", "The sign of each element.", SIGNED_NUMERIC),
    _transcendental("sine", "The sine of each element."),
    _transcendental("sqrt", "The square root of each element."),
    _transcendental("tan", "The tangent of each element."),
    _transcendental("tanh", "The hyperbolic tangent of each element."),
    Card(
        "stablehlo.is_finite",
        "Whether each element is neither infinite nor NaN.",
        operands=(operand("x", FLOAT_OR_QUANTIZED),),
        results=(operand("y", BOOLEAN),),
        format=FUNCTIONAL,
        traits=ELEMENTWISE,
        section="is_finite",
    ),
    Card(
        "stablehlo.reduce_precision",
        "Each element rounded to a format of fewer exponent and mantissa bits and back.",
        operands=(operand("operand", FLOAT_OR_QUANTIZED),),
        attributes=(required("exponent_bits", "i32"), required("mantissa_bits", "i32")),
        results=(operand("output", FLOAT_OR_QUANTIZED),),
        format="$operand `,` `format` `=` custom(exponent_mantissa) attr-dict `:` type(same)",
        traits=ELEMENTWISE,
        section="reduce_precision",
    ),
)

BINARY = (
    _binary("add", "The sum of two elements; OR of booleans.", ANY_OR_QUANTIZED, COMMUTATIVE),
    _binary("and", "AND of two booleans, or of the bits of two integers.", LOGICAL, COMMUTATIVE),
    _binary("atan2", "The angle of the point (rhs, lhs).", INEXACT),
    _binary("divide", "The quotient of two elements; of integers, rounded towards zero.", NUMERIC),
    _binary("maximum", "The larger of two elements; NaN where one is.", ANY_OR_QUANTIZED, COMMUTATIVE),
    _binary("minimum", "The smaller of two elements; NaN where one is.", ANY_OR_QUANTIZED, COMMUTATIVE),
    _binary("multiply", "The product of two elements; AND of booleans.", ANY_OR_QUANTIZED, COMMUTATIVE),
    _binary("or", "OR of two booleans, or of the bits of two integers.", LOGICAL, COMMUTATIVE),
    _binary("power", "The left element to the power of the right one.", NUMERIC),
    _binary("remainder", "The remainder of a division, with the sign of the dividend.", NUMERIC),
    _binary("shift_left", "The left element's bits shifted left.", INTEGER),
    _binary("shift_right_arithmetic", "The left element's bits shifted right, the sign kept.", INTEGER),
    _binary("shift_right_logical", "The left element's bits shifted right, zeros coming in.", INTEGER),
    _binary("subtract", "The difference of two elements.", NUMERIC),
    _binary("xor", "XOR of two booleans, or of the bits of two integers.", LOGICAL, COMMUTATIVE),
    Card(
        "stablehlo.complex",
        "A complex number from its real and its imaginary part.",
        operands=(operand("lhs", FLOAT), operand("rhs", FLOAT)),
        results=(operand("result", "tensor of complex type"),),
        format="operands attr-dict `:` type(complex)",
        traits=ELEMENTWISE,
        section="complex",
    ),
    Card(
        "stablehlo.compare",
        "Whether two elements stand in a relation.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_QUANTIZED)),
        attributes=(
            required("comparison_direction", "enum:comparison_direction"),
            may("compare_type", "enum:comparison_type"),
        ),
        results=(operand("result", BOOLEAN),),
        format="$comparison_direction `,` $lhs `,` $rhs [ `,` $compare_type ]? attr-dict `:` type(function)",
        traits=ELEMENTWISE,
        section="compare",
    ),
)

TERNARY = (
    Card(
        "stablehlo.clamp",
        "Each element moved into the range from a minimum to a maximum.",
        operands=(
            operand("min", ANY_OR_QUANTIZED),
            operand("operand", ANY_OR_QUANTIZED),
            operand("max", ANY_OR_QUANTIZED),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=SAME,
        traits=ELEMENTWISE,
        section="clamp",
    ),
    Card(
        "stablehlo.select",
        "Each element from one tensor or another, as a predicate says.",
        operands=(
            operand("pred", BOOLEAN),
            operand("on_true", ANY_OR_QUANTIZED),
            operand("on_false", ANY_OR_QUANTIZED),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="operands attr-dict `:` type(select)",
        traits=ELEMENTWISE,
        section="select",
    ),
)

CARDS = UNARY + BINARY + TERNARY
