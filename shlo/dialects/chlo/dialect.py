"""OpDefs of the chlo dialect: operations above StableHLO, which JAX leaves in its programs."""

from __future__ import annotations

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.dialects.attr_constraints import (
    ANY_ATTR,
    BOOL_ATTR,
    ELEMENTS_ATTR,
    I32_ARRAY_ATTR,
    I64_ARRAY_ATTR,
    I64_ATTR,
    AttrDef,
    array_of,
    enum_of,
    struct_of,
)
from shlo.dialects.chlo.rules import BROADCASTING as BROADCASTING_RULES
from shlo.dialects.chlo.rules import (
    COMPATIBLE_ELEMENTS,
    COMPLEX_ELEMENTS,
    CONSTANT_ELEMENT,
    PLACED,
    SAME_ELEMENTS,
    SCAN,
    SCANNED_ELEMENTS,
    SELECTED_ELEMENTS,
    SELECTING,
    TOP_K,
    ragged_dot,
    rules,
)
from shlo.dialects.opdef import (
    AttributeDef,
    Constraint,
    OpDef,
    Poles,
    Quantized,
    Trait,
    defaulted,
    dialect_of,
    may,
    operand,
    region,
    required,
    traits,
    variadic,
)
from shlo.dialects.stablehlo import enums
from shlo.dialects.stablehlo.ops.parts import BOOLEAN, ELEMENTWISE, INTEGER, TRANSCENDENTAL
from shlo.dialects.stablehlo.rules.work import dot_general_work, elements_work, no_work, scan_work
from shlo.dialects.stablehlo.structs import params_of
from shlo.dialects.struct_attributes import Int64s
from shlo.dialects.type_constraints import (
    ANY_RANK_VALUE,
    BOOLEAN_TYPE,
    COMPLEX_TYPE,
    FLOAT_TYPE,
    INTEGER_TYPE,
    TypeConstraint,
    quantized_tensor,
    tensor,
)
from shlo.ir.attributes import Attribute

_COMPLEX = tensor(COMPLEX_TYPE, extent="any-rank")
_ANY = ANY_RANK_VALUE
_LOGICAL = tensor(BOOLEAN_TYPE | INTEGER_TYPE, extent="any-rank")
_BOOLEAN = tensor(BOOLEAN_TYPE, extent="any-rank")
_FLOAT = tensor(FLOAT_TYPE, extent="any-rank")
_FLOAT_OR_COMPLEX = tensor(FLOAT_TYPE | COMPLEX_TYPE, extent="any-rank")
_BROADCAST_DIMENSIONS = may("broadcast_dimensions", I64_ARRAY_ATTR)


class RaggedDotDimensionNumbers(Attribute, Struct, frozen=True):
    """`#chlo.ragged_dot<...>`: the dimensions of a ragged_dot."""

    lhs_batching_dimensions: Int64s = ()
    rhs_batching_dimensions: Int64s = ()
    lhs_contracting_dimensions: Int64s = ()
    rhs_contracting_dimensions: Int64s = ()
    lhs_ragged_dimensions: Int64s = ()
    rhs_group_dimensions: Int64s = ()


RAGGED_DOT = AttrDef(
    "chlo", "ragged_dot", RaggedDotDimensionNumbers, params_of(RaggedDotDimensionNumbers, has_defaults=True)
)

COMPARISON_DIRECTION = replace(enums.COMPARISON_DIRECTION, dialect="chlo")
COMPARISON_TYPE = replace(enums.COMPARISON_TYPE, dialect="chlo")
PRECISION = replace(enums.PRECISION, dialect="chlo")
ENUMS = (COMPARISON_DIRECTION, COMPARISON_TYPE, PRECISION)

_PRECISION_CONFIG = may("precision_config", array_of(enum_of(PRECISION)))


def _unary(
    name: str,
    summary: str,
    type_: TypeConstraint = _FLOAT_OR_COMPLEX,
    result_type: TypeConstraint | None = None,
    traits: frozenset[Trait] = TRANSCENDENTAL,
    poles: Poles | None = None,
) -> OpDef:
    return OpDef(
        f"chlo.{name}",
        summary,
        operands=(operand("operand", type_),),
        results=(operand("result", result_type or type_),),
        format="$operand attr-dict `:` type(operands) `->` type(results)",
        traits=traits,
        poles=poles,
        constraints=rules("shape(result) = shape(operand)")
        if result_type
        else rules("baseline_type(result) = baseline_type(operand)"),
    )


def _binary(
    name: str,
    summary: str,
    lhs: str,
    rhs: str,
    type_: TypeConstraint = _FLOAT,
    traits: frozenset[Trait] = TRANSCENDENTAL,
    poles: Poles | None = None,
) -> OpDef:
    return OpDef(
        f"chlo.{name}",
        summary,
        operands=(operand(lhs, type_), operand(rhs, type_)),
        results=(operand("result", type_),),
        format=f"${lhs} `,` ${rhs} attr-dict `:` type(operands) `->` type(results)",
        traits=traits,
        poles=poles,
        constraints=rules(f"baseline_type(result) = baseline_type({lhs}) = baseline_type({rhs})"),
    )


def _broadcasting(
    name: str,
    type_: TypeConstraint = _ANY,
    *names: Trait,
    result_type: TypeConstraint | None = None,
    attributes: tuple[AttributeDef, ...] = (),
    elements: tuple[Constraint, ...] = SAME_ELEMENTS,
    quantized: Quantized | None = None,
) -> OpDef:
    return OpDef(
        f"chlo.broadcast_{name}",
        f"Broadcasts two tensors to one shape, then applies {name}.",
        operands=(operand("lhs", type_), operand("rhs", type_)),
        attributes=(_BROADCAST_DIMENSIONS, *attributes),
        results=(operand("result", result_type or type_),),
        format="$lhs `,` $rhs attr-dict `:` type(function)",
        traits=traits(*names),
        constraints=(*BROADCASTING_RULES, *elements, PLACED),
        quantized=quantized,
        work=None if "transcendental" in names else elements_work,
    )


UNARY = (
    _unary("_asin_acos_kernel", "Computes a step that asin and acos of complex numbers share.", _COMPLEX),
    _unary("acos", "Computes the arc cosine of each element."),
    _unary("acosh", "Computes the inverse hyperbolic cosine of each element."),
    _unary("asin", "Computes the arc sine of each element."),
    _unary("asinh", "Computes the inverse hyperbolic sine of each element."),
    _unary("atan", "Computes the arc tangent of each element."),
    _unary("atanh", "Computes the inverse hyperbolic tangent of each element.", poles="elsewhere"),
    _unary("bessel_i1e", "Computes the modified Bessel function of order one, scaled by exp(-|x|)."),
    _unary("conj", "Computes the complex conjugate of each element.", traits=ELEMENTWISE),
    _unary("cosh", "Computes the hyperbolic cosine of each element."),
    _unary("digamma", "Computes the derivative of lgamma at each element.", _FLOAT, poles="elsewhere"),
    _unary("erf", "Computes the error function of each element.", _FLOAT),
    _unary(
        "erf_inv", "Computes the inverse of the error function at each element.", _FLOAT, poles="elsewhere"
    ),
    _unary("erfc", "Computes one minus the error function of each element.", _FLOAT),
    _unary("is_inf", "Tests whether each element is infinite.", _FLOAT, _BOOLEAN, ELEMENTWISE),
    _unary("is_neg_inf", "Tests whether each element is minus infinity.", _FLOAT, _BOOLEAN, ELEMENTWISE),
    _unary("is_pos_inf", "Tests whether each element is plus infinity.", _FLOAT, _BOOLEAN, ELEMENTWISE),
    _unary(
        "lgamma",
        "Computes the logarithm of the gamma function's magnitude at each element.",
        _FLOAT,
        poles="elsewhere",
    ),
    _unary("sinh", "Computes the hyperbolic sine of each element."),
    _unary("square", "Multiplies each element by itself.", traits=ELEMENTWISE),
    _unary("tan", "Computes the tangent of each element.", poles="elsewhere"),
)

BINARY = (
    _binary(
        "mulhi", "Computes the upper half of the product of two integers.", "lhs", "rhs", INTEGER, ELEMENTWISE
    ),
    _binary(
        "next_after",
        "Computes the number next to the first one, towards the second.",
        "x",
        "y",
        traits=ELEMENTWISE,
    ),
    _binary("polygamma", "Computes the polygamma function of order n at x.", "n", "x", poles="elsewhere"),
    _binary("zeta", "Computes the Hurwitz zeta function of x and q.", "x", "q", poles="elsewhere"),
)

BROADCASTING = (
    _broadcasting("add", _ANY, "commutative", elements=COMPATIBLE_ELEMENTS, quantized="dequantize"),
    _broadcasting("and", _LOGICAL, "commutative"),
    _broadcasting("atan2", _ANY, "transcendental", quantized="dequantize"),
    _broadcasting(
        "compare",
        result_type=_BOOLEAN,
        attributes=(
            required("comparison_direction", enum_of(COMPARISON_DIRECTION)),
            may("compare_type", enum_of(COMPARISON_TYPE)),
        ),
        elements=(),
        quantized="dequantize",
    ),
    _broadcasting("complex", _FLOAT, result_type=_COMPLEX, elements=COMPLEX_ELEMENTS),
    _broadcasting("divide", quantized="dequantize"),
    _broadcasting("maximum", _ANY, "commutative", elements=COMPATIBLE_ELEMENTS, quantized="dequantize"),
    _broadcasting("minimum", _ANY, "commutative", elements=COMPATIBLE_ELEMENTS, quantized="dequantize"),
    _broadcasting("multiply", _ANY, "commutative", quantized="dequantize"),
    _broadcasting("next_after"),
    _broadcasting("or", _LOGICAL, "commutative"),
    _broadcasting("polygamma", _ANY, "transcendental"),
    _broadcasting("power", _ANY, "transcendental", quantized="dequantize"),
    _broadcasting("remainder", quantized="dequantize"),
    _broadcasting("shift_left"),
    _broadcasting("shift_right_arithmetic"),
    _broadcasting("shift_right_logical"),
    _broadcasting("subtract", quantized="dequantize"),
    _broadcasting("xor", _LOGICAL, "commutative"),
    _broadcasting("zeta", _FLOAT, "transcendental"),
    OpDef(
        "chlo.broadcast_select",
        "Broadcasts three tensors to one shape, then applies select.",
        operands=(operand("pred", BOOLEAN), operand("on_true", _ANY), operand("on_false", _ANY)),
        results=(operand("result", _ANY),),
        format="operands attr-dict `:` type(function)",
        constraints=(*SELECTING, SELECTED_ELEMENTS),
        quantized="dequantize",
        work=elements_work,
    ),
)

OTHERS = (
    OpDef(
        "chlo.constant",
        "Makes a tensor of elements written in the program.",
        attributes=(required("value", ELEMENTS_ATTR),),
        results=(operand("output", tensor(extent="static") | quantized_tensor(extent="static")),),
        format="attr-dict $value type(value)",
        traits=traits("constant"),
        constraints=rules("type(output) = type(value)"),
        quantized="own",
        work=no_work,
    ),
    OpDef(
        "chlo.constant_like",
        "Fills a tensor of the operand's shape with one value.",
        operands=(operand("operand", _ANY),),
        attributes=(required("value", ANY_ATTR),),
        results=(operand("result", _ANY),),
        constraints=(*rules("shape(result) = shape(operand)"), CONSTANT_ELEMENT),
    ),
    OpDef(
        "chlo.ragged_dot",
        "Multiplies groups of rows of one tensor by a matrix for each group.",
        operands=(operand("lhs", _ANY), operand("rhs", _ANY), operand("group_sizes", INTEGER)),
        attributes=(required("ragged_dot_dimension_numbers", struct_of(RAGGED_DOT)), _PRECISION_CONFIG),
        results=(operand("result", _ANY),),
        constraints=tuple(ragged_dot()),
        work=dot_general_work,
    ),
    OpDef(
        "chlo.top_k",
        "Finds the largest elements along the last dimension, and their indices.",
        operands=(operand("operand", _ANY),),
        attributes=(required("k", I64_ATTR), defaulted("is_stable", BOOL_ATTR, "true")),
        results=(operand("values", _ANY), operand("indices", _ANY)),
        constraints=TOP_K,
        format="`(` $operand `,` `k` `=` $k [ `,` `is_stable` `=` $is_stable ]? `)` attr-dict "
        "`:` type(operands) `->` `(` type(results) `)`",
        result_names=("values", "indices"),
        quantized="storage",
    ),
    OpDef(
        "chlo.scan",
        "Runs a region over the slices along one dimension, handing values on from one to the next.",
        operands=(variadic("inputs", _ANY), variadic("inits", _ANY)),
        attributes=(
            required("dimension", I64_ATTR),
            may("scan_dim_size", I64_ATTR),
            defaulted("is_reverse", BOOL_ATTR, "false"),
            may("is_associative", BOOL_ATTR),
            required("operandSegmentSizes", I32_ARRAY_ATTR),
            required("resultSegmentSizes", I32_ARRAY_ATTR),
        ),
        regions=(region("body"),),
        results=(variadic("outputs", _ANY), variadic("carries", _ANY)),
        format="custom(scan)",
        constraints=(*SCAN, SCANNED_ELEMENTS),
        traits=traits("any_terminator", "isolated"),
        quantized="own",
        work=scan_work,
    ),
)


_OF_CHLO: Final = frozenset(op_def.name for op_def in BINARY)


def broadcast_form(name: str) -> str:
    """Returns the operation on tensors of one shape that one which broadcasts its operands is for: chlo's,
    else StableHLO's.
    """
    short = name.removeprefix("chlo.broadcast_")
    return f"chlo.{short}" if f"chlo.{short}" in _OF_CHLO else f"stablehlo.{short}"


DIALECT = dialect_of(
    "chlo",
    UNARY + BINARY + BROADCASTING + OTHERS,
    ENUMS,
    (RAGGED_DOT,),
    region_end="stablehlo.return",
    kernels=(
        "shlo.interpreter.kernels.chlo",
        "shlo.interpreter.kernels.movement.broadcast",
        "shlo.interpreter.kernels.reduction.sort",
        "shlo.interpreter.kernels.reduction.reduce",
        "shlo.interpreter.kernels.contraction.ragged_dot",
    ),
)
