"""OpDefs of the operations that work on each element alone."""

from __future__ import annotations

from msgspec.structs import replace

from shlo.dialects.attr_constraints import I32_ATTR, enum_of
from shlo.dialects.opdef import (
    AttributeDef,
    Constraint,
    OpDef,
    Poles,
    Quantized,
    Reducer,
    Trait,
    constraint,
    formulas,
    may,
    operand,
    required,
)
from shlo.dialects.stablehlo import enums
from shlo.dialects.stablehlo.ops.parts import (
    ANY,
    ANY_OR_PER_AXIS,
    ANY_OR_QUANTIZED,
    BOOLEAN,
    COMMUTATIVE,
    ELEMENTWISE,
    FLOAT,
    FLOAT_32_OR_64,
    FLOAT_OR_COMPLEX,
    FLOAT_OR_QUANTIZED,
    FUNCTIONAL,
    INEXACT,
    INTEGER,
    INTEGRAL,
    LOGICAL,
    NUMERIC,
    RESULT_ACCURACY,
    SAME,
    SIGNED_NUMERIC,
    TRANSCENDENTAL,
)
from shlo.dialects.stablehlo.rules.work import convert_work
from shlo.dialects.type_constraints import (
    COMPLEX_TYPE,
    FLOAT_TYPE,
    SIGNED_INTEGER_TYPE,
    TypeConstraint,
    quantized_tensor,
    tensor,
)

SAME_BASELINE_TYPE = constraint("C1", "baseline_type(operand) = baseline_type(result)")
SAME_TYPE = constraint("C1", "type(operand) = type(result)")
REAL_PARTS = formulas("""
    C1: shape(result) = shape(operand)
    C2: element_type(result) = real_type(element_type(operand))
""")


def _unary(
    name: str,
    summary: str,
    type_: TypeConstraint,
    result_type: TypeConstraint | None = None,
    attributes: tuple[AttributeDef, ...] = (),
    constraints: tuple[Constraint, ...] = (SAME_BASELINE_TYPE,),
    quantized: Quantized | None = None,
) -> OpDef:
    return OpDef(
        f"stablehlo.{name}",
        summary,
        operands=(operand("operand", type_),),
        attributes=attributes,
        results=(operand("result", result_type or type_),),
        format=SAME,
        traits=ELEMENTWISE,
        constraints=constraints,
        quantized=quantized,
    )


def _integral(name: str, summary: str, type_: TypeConstraint) -> OpDef:
    return replace(_unary(name, summary, type_, quantized="dequantize"), traits=INTEGRAL)


def _transcendental(name: str, summary: str, poles: Poles | None = None) -> OpDef:
    definition = _unary(name, summary, INEXACT, attributes=(RESULT_ACCURACY,), quantized="dequantize")
    return replace(definition, traits=TRANSCENDENTAL, poles=poles)


def _binary(
    name: str,
    summary: str,
    type_: TypeConstraint,
    traits: frozenset[Trait] = ELEMENTWISE,
    reducer: Reducer | None = None,
) -> OpDef:
    return OpDef(
        f"stablehlo.{name}",
        summary,
        operands=(operand("lhs", type_), operand("rhs", type_)),
        results=(operand("result", type_),),
        format=SAME,
        traits=traits,
        constraints=(constraint("C1", "baseline_type(lhs) = baseline_type(rhs) = baseline_type(result)"),),
        reducer=reducer,
    )


def _arithmetic(
    name: str,
    summary: str,
    type_: TypeConstraint,
    traits: frozenset[Trait] = ELEMENTWISE,
    reducer: Reducer | None = None,
    poles: Poles | None = None,
) -> OpDef:
    """Returns the definition of an operation of two operands that quantized tensors have, too."""
    return replace(_binary(name, summary, type_, traits, reducer), quantized="dequantize", poles=poles)


UNARY = (
    _unary(
        "abs",
        "Computes the magnitude of each element.",
        SIGNED_NUMERIC,
        tensor(SIGNED_INTEGER_TYPE | FLOAT_TYPE) | quantized_tensor(),
        constraints=formulas("""
            C1: shape(result) = shape(operand)
            C2: baseline_element_type(result) = (is_complex(operand) ? real_type(element_type(operand))
                : baseline_element_type(operand))
        """),
        quantized="dequantize",
    ),
    _transcendental("cbrt", "Computes the cubic root of each element."),
    _integral("ceil", "Rounds each element up.", FLOAT_OR_QUANTIZED),
    replace(
        _unary(
            "convert",
            "Converts each element to another type.",
            ANY,
            constraints=(constraint("C1", "shape(operand) = shape(result)"),),
        ),
        work=convert_work,
    ),
    _transcendental("cosine", "Computes the cosine of each element."),
    _unary(
        "count_leading_zeros",
        "Counts the leading zero bits of each element.",
        INTEGER,
        constraints=(SAME_TYPE,),
    ),
    _transcendental("exponential", "Computes e to the power of each element."),
    _transcendental("exponential_minus_one", "Computes exp(x) - 1 of each element, exact near zero."),
    _integral("floor", "Rounds each element down.", FLOAT_OR_QUANTIZED),
    _unary(
        "imag", "Takes the imaginary part of each element.", FLOAT_OR_COMPLEX, FLOAT, constraints=REAL_PARTS
    ),
    _transcendental("log", "Computes the natural logarithm of each element.", "first_zero"),
    _transcendental("log_plus_one", "Computes log(1 + x) of each element, exact near zero.", "elsewhere"),
    _transcendental("logistic", "Computes the logistic function of each element."),
    _unary("negate", "Computes the negation of each element.", NUMERIC, quantized="dequantize"),
    _unary("not", "Negates each boolean, or each bit of integers.", LOGICAL, constraints=(SAME_TYPE,)),
    _unary("popcnt", "Counts the bits that are set in each element.", INTEGER, constraints=(SAME_TYPE,)),
    _unary("real", "Takes the real part of each element.", FLOAT_OR_COMPLEX, FLOAT, constraints=REAL_PARTS),
    _integral(
        "round_nearest_afz",
        "Rounds each element to the nearest integer, ties away from 0.",
        FLOAT_OR_QUANTIZED,
    ),
    _integral(
        "round_nearest_even", "Rounds each element to the nearest integer, ties to even.", FLOAT_OR_QUANTIZED
    ),
    _transcendental("rsqrt", "Computes the reciprocal square root of each element.", "first_zero"),
    _integral("sign", "Computes the sign of each element.", SIGNED_NUMERIC),
    _transcendental("sine", "Computes the sine of each element."),
    _transcendental("sqrt", "Computes the square root of each element."),
    _transcendental("tan", "Computes the tangent of each element.", "elsewhere"),
    _transcendental("tanh", "Computes the hyperbolic tangent of each element."),
    OpDef(
        "stablehlo.is_finite",
        "Tests whether each element is neither infinite nor NaN.",
        operands=(operand("x", FLOAT_OR_QUANTIZED),),
        results=(operand("y", BOOLEAN),),
        format=FUNCTIONAL,
        traits=ELEMENTWISE,
        constraints=(constraint("C1", "shape(x) = shape(y)"),),
        quantized="own",
    ),
    OpDef(
        "stablehlo.reduce_precision",
        "Rounds each element to a format of fewer exponent and mantissa bits and back.",
        operands=(operand("operand", FLOAT_OR_QUANTIZED),),
        attributes=(required("exponent_bits", I32_ATTR), required("mantissa_bits", I32_ATTR)),
        results=(operand("output", FLOAT_OR_QUANTIZED),),
        format="$operand `,` `format` `=` custom(exponent_mantissa) attr-dict `:` type(same)",
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: baseline_type(operand) = baseline_type(output)
            C2: 1 <= exponent_bits
            C3: 0 <= mantissa_bits
        """),
        quantized="dequantize",
    ),
)

_ANY_QUANTIZED = "is_quantized(lhs) or is_quantized(rhs) or is_quantized(result)"
ADD_CONSTRAINTS = (
    *formulas(f"""
        C1: shape(lhs) = shape(rhs) = shape(result)
        C1: if not ({_ANY_QUANTIZED}) then element_type(lhs) = element_type(rhs) = element_type(result)
        C2: if {_ANY_QUANTIZED} then is_quantized(lhs) and is_quantized(rhs) and is_quantized(result)
        C3: if {_ANY_QUANTIZED} then storage_type(lhs) = storage_type(rhs) = storage_type(result)
        C4: if {_ANY_QUANTIZED} then expressed_type(lhs) = expressed_type(rhs) = expressed_type(result)
        C5: (is_per_axis_quantized(lhs) or is_per_axis_quantized(rhs)) = is_per_axis_quantized(result)
    """),
    *(
        constraint(
            label,
            f"if is_per_axis_quantized({side}) and is_per_axis_quantized(result)"
            f" then quantization_dimension({side}) = quantization_dimension(result)",
        )
        for label, side in (("C6", "lhs"), ("C7", "rhs"))
    ),
)

BINARY = (
    replace(
        _arithmetic(
            "add",
            "Computes the sum of two elements; OR of booleans.",
            ANY_OR_PER_AXIS,
            COMMUTATIVE,
            Reducer("add", "logical_or"),
        ),
        constraints=ADD_CONSTRAINTS,
    ),
    _binary(
        "and",
        "Computes AND of two booleans, or of the bits of two integers.",
        LOGICAL,
        COMMUTATIVE,
        Reducer("bitwise_and", "logical_and"),
    ),
    _arithmetic("atan2", "Computes the angle of the point (rhs, lhs).", INEXACT, TRANSCENDENTAL),
    _arithmetic("divide", "Divides two elements; rounds integers towards zero.", NUMERIC, poles="last_zero"),
    _arithmetic(
        "maximum",
        "Computes the larger of two elements; NaN where one is.",
        ANY_OR_QUANTIZED,
        COMMUTATIVE,
        Reducer("maximum", "logical_or"),
    ),
    _arithmetic(
        "minimum",
        "Computes the smaller of two elements; NaN where one is.",
        ANY_OR_QUANTIZED,
        COMMUTATIVE,
        Reducer("minimum", "logical_and"),
    ),
    _arithmetic(
        "multiply",
        "Computes the product of two elements; AND of booleans.",
        ANY_OR_QUANTIZED,
        COMMUTATIVE,
        Reducer("multiply", "logical_and"),
    ),
    _binary(
        "or",
        "Computes OR of two booleans, or of the bits of two integers.",
        LOGICAL,
        COMMUTATIVE,
        Reducer("bitwise_or", "logical_or"),
    ),
    _arithmetic(
        "power",
        "Raises the left element to the power of the right one.",
        NUMERIC,
        TRANSCENDENTAL,
        poles="first_zero",
    ),
    _arithmetic("remainder", "Computes the remainder of a division, with the sign of the dividend.", NUMERIC),
    _binary("shift_left", "Shifts the left element's bits left.", INTEGER),
    _binary("shift_right_arithmetic", "Shifts the left element's bits right and keeps the sign.", INTEGER),
    _binary("shift_right_logical", "Shifts the left element's bits right and fills in zeros.", INTEGER),
    _arithmetic("subtract", "Computes the difference of two elements.", NUMERIC),
    _binary(
        "xor",
        "Computes XOR of two booleans, or of the bits of two integers.",
        LOGICAL,
        COMMUTATIVE,
        Reducer("bitwise_xor", "logical_xor"),
    ),
    OpDef(
        "stablehlo.complex",
        "Makes complex numbers of real and imaginary parts.",
        operands=(operand("lhs", FLOAT_32_OR_64), operand("rhs", FLOAT_32_OR_64)),
        results=(operand("result", tensor(COMPLEX_TYPE)),),
        format="operands attr-dict `:` type(complex)",
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: type(lhs) = type(rhs)
            C2: shape(result) = shape(lhs)
            C3: element_type(result) = complex_type(element_type(lhs))
        """),
    ),
    OpDef(
        "stablehlo.compare",
        "Compares two elements.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_QUANTIZED)),
        attributes=(
            required("comparison_direction", enum_of(enums.COMPARISON_DIRECTION)),
            may("compare_type", enum_of(enums.COMPARISON_TYPE)),
        ),
        results=(operand("result", BOOLEAN),),
        format="$comparison_direction `,` $lhs `,` $rhs [ `,` $compare_type ]? attr-dict `:` type(function)",
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: baseline_element_type(lhs) = baseline_element_type(rhs)
            C2: shape(lhs) = shape(rhs) = shape(result)
            C3 unenforced: compare_type is None or (is_quantized(lhs) or compare_type = NOTYPE)
                or compare_type in (is_complex(lhs) ? [FLOAT] : is_float(lhs) ? [FLOAT, TOTALORDER]
                : is_bool(lhs) or is_unsigned(lhs) ? [UNSIGNED] : [SIGNED])
                # the MLIR tools take any comparison type, and none where it is absent
        """),
        quantized="dequantize",
    ),
)

TERNARY = (
    OpDef(
        "stablehlo.clamp",
        "Limits each element to the range from a minimum to a maximum.",
        operands=(
            operand("min", ANY_OR_QUANTIZED),
            operand("operand", ANY_OR_QUANTIZED),
            operand("max", ANY_OR_QUANTIZED),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format=SAME,
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: rank(min) = 0 or shape(min) = shape(operand)
            C2: rank(max) = 0 or shape(max) = shape(operand)
            C3: baseline_element_type(min) = baseline_element_type(operand) = baseline_element_type(max)
            C4: baseline_type(operand) = baseline_type(result)
        """),
        quantized="dequantize",
    ),
    OpDef(
        "stablehlo.select",
        "Selects each element from one of two tensors by a predicate.",
        operands=(
            operand("pred", BOOLEAN),
            operand("on_true", ANY_OR_QUANTIZED),
            operand("on_false", ANY_OR_QUANTIZED),
        ),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="operands attr-dict `:` type(select)",
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: rank(pred) = 0 or shape(pred) = shape(on_true)
            C2: baseline_type(on_true) = baseline_type(on_false) = baseline_type(result)
        """),
        quantized="dequantize",
    ),
)

OP_DEFS = UNARY + BINARY + TERNARY
