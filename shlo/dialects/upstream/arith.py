"""Definitions of MLIR's arith dialect: arithmetic on numbers, indices, and tensors and vectors of them."""

from __future__ import annotations

from typing import Final

from shlo.dialects.attr_constraints import ANY_ATTR, UNIT_ATTR, EnumDef, enum_number_of, flags_of
from shlo.dialects.opdef import AttributeDef, Constraint, OpDef, dialect_of, may, operand, required, traits
from shlo.dialects.type_constraints import ANY_TYPE, TypeConstraint
from shlo.dialects.upstream.numbers import (
    BOOLEAN,
    CHOSEN,
    CONSTANT,
    CONVERTS,
    FIRST_RESULT,
    FLOAT,
    INDEX_CAST,
    INDEX_ON_ONE_SIDE,
    INTEGER,
    INTEGER_OR_INDEX,
    NARROWER,
    NUMBER,
    ONE_SHAPE,
    ONE_TYPE,
    OPERANDS_ALIKE,
    SAME_WIDTH,
    WIDER,
)
from shlo.ir.types import I32, I64

ROUNDING_MODE: Final = EnumDef(
    "arith",
    "RoundingMode",
    "rounding_mode",
    ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"),
)
CMPI_PREDICATE: Final = EnumDef(
    "arith",
    "CmpIPredicate",
    "cmpi_predicate",
    ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"),
)
CMPF_PREDICATE: Final = EnumDef(
    "arith",
    "CmpFPredicate",
    "cmpf_predicate",
    (
        *("false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord"),
        *("ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"),
    ),
)
ENUMS = (ROUNDING_MODE, CMPI_PREDICATE, CMPF_PREDICATE)

FASTMATH: Final = EnumDef(
    "arith",
    "FastMathFlags",
    "fastmath",
    ("none", "reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "fast"),
    dotted=True,
)
OVERFLOW: Final = EnumDef("arith", "IntegerOverflowFlags", "overflow", ("none", "nsw", "nuw"), dotted=True)

_FASTMATH = AttributeDef("fastmath", flags_of(FASTMATH), default="#arith.fastmath<none>", elided=True)
_ROUNDING = may("roundingmode", enum_number_of(ROUNDING_MODE, I32))
_OVERFLOW = AttributeDef("overflowFlags", flags_of(OVERFLOW), default="#arith.overflow<none>", elided=True)
_EXACT = may("isExact", UNIT_ATTR)
_NON_NEGATIVE = may("nonNeg", UNIT_ATTR)

_SHOWN: Final = {
    "fastmath": "[ `fastmath` `` $fastmath ]?",
    "roundingmode": "[ $roundingmode ]?",
    "overflowFlags": "[ `overflow` `` $overflowFlags ]?",
    "isExact": "[ `exact` $isExact ]?",
    "nonNeg": "[ `nneg` $nonNeg ]?",
}
"""How formats write attributes."""


def _shown(attributes: tuple[AttributeDef, ...]) -> str:
    order = sorted(attributes, key=lambda spec: spec.name != "roundingmode")
    return " ".join(_SHOWN[spec.name] for spec in order)


def _binary(name: str, summary: str, type_: TypeConstraint, *attributes: AttributeDef) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("lhs", type_), operand("rhs", type_)),
        attributes=attributes,
        results=(operand("result", type_),),
        format=f"$lhs `,` $rhs {_shown(attributes)} attr-dict `:` type(one)",
        traits=traits("elementwise"),
        constraints=(ONE_TYPE,),
    )


def _float(name: str, summary: str, *attributes: AttributeDef) -> OpDef:
    return _binary(name, summary, FLOAT, _FASTMATH, *attributes)


def _one_float(name: str, summary: str) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("operand", FLOAT),),
        attributes=(_FASTMATH,),
        results=(operand("result", FLOAT),),
        format=f"$operand {_SHOWN['fastmath']} attr-dict `:` type(one)",
        traits=traits("elementwise"),
        constraints=(ONE_TYPE,),
    )


def _integer(name: str, summary: str, *attributes: AttributeDef) -> OpDef:
    return _binary(name, summary, INTEGER_OR_INDEX, *attributes)


def _cast(
    name: str,
    summary: str,
    from_: TypeConstraint,
    to: TypeConstraint,
    *attributes: AttributeDef,
    constraints: tuple[Constraint, ...] = (),
) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("in", from_),),
        attributes=attributes,
        results=(operand("out", to),),
        format=f"$in {_shown(attributes)} attr-dict `:` type(operands) `to` type(results)",
        traits=traits("elementwise"),
        constraints=(ONE_SHAPE, *constraints),
    )


def _compare(
    name: str, summary: str, type_: TypeConstraint, predicate: EnumDef, *attributes: AttributeDef
) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("lhs", type_), operand("rhs", type_)),
        attributes=(required("predicate", enum_number_of(predicate, I64)), *attributes),
        results=(operand("result", BOOLEAN),),
        format=f"$predicate `,` $lhs `,` $rhs {_shown(attributes)} attr-dict `:` type(compared)",
        traits=traits("elementwise"),
        constraints=(OPERANDS_ALIKE, ONE_SHAPE),
    )


def _with_bit(name: str, summary: str, first: str, bit: str) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("lhs", INTEGER_OR_INDEX), operand("rhs", INTEGER_OR_INDEX)),
        results=(operand(first, INTEGER_OR_INDEX), operand(bit, BOOLEAN)),
        format="$lhs `,` $rhs attr-dict `:` type(with_bit)",
        result_names=(first, bit),
        constraints=(OPERANDS_ALIKE, FIRST_RESULT, ONE_SHAPE),
    )


def _extended(name: str, summary: str) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("lhs", INTEGER_OR_INDEX), operand("rhs", INTEGER_OR_INDEX)),
        results=(operand("low", INTEGER_OR_INDEX), operand("high", INTEGER_OR_INDEX)),
        format="$lhs `,` $rhs attr-dict `:` type(one)",
        result_names=("low", "high"),
        constraints=(ONE_TYPE,),
    )


def _scaled(name: str, summary: str, *attributes: AttributeDef) -> OpDef:
    return OpDef(
        f"arith.{name}",
        summary,
        operands=(operand("in", FLOAT), operand("scale", FLOAT)),
        attributes=attributes,
        results=(operand("out", FLOAT),),
        format=f"$in `,` $scale {_shown(attributes)} attr-dict `:` type(operands) `to` type(results)",
    )


OP_DEFS = (
    OpDef(
        "arith.constant",
        "Makes a number, or a tensor of numbers.",
        attributes=(required("value", ANY_ATTR),),
        results=(operand("result", ANY_TYPE),),
        format="attr-dict $value type(value)",
        traits=traits("constant"),
        constraints=(CONSTANT,),
        quantized="own",
    ),
    _float("addf", "Computes the sum of floating-point numbers.", _ROUNDING),
    _float("subf", "Computes the difference of floating-point numbers.", _ROUNDING),
    _float("mulf", "Computes the product of floating-point numbers.", _ROUNDING),
    _float("divf", "Computes the quotient of floating-point numbers.", _ROUNDING),
    _float("remf", "Computes the remainder of floating-point numbers, with the sign of the dividend."),
    _float("maximumf", "Computes the larger floating-point number; NaN if one is NaN."),
    _float("minimumf", "Computes the smaller floating-point number; NaN if one is NaN."),
    _float("maxnumf", "Computes the larger floating-point number, or the one that is not NaN."),
    _float("minnumf", "Computes the smaller floating-point number, or the one that is not NaN."),
    _float("maximumnumf", "Computes the larger floating-point number, or the one that is not NaN; -0 < 0."),
    _float("minimumnumf", "Computes the smaller floating-point number, or the one that is not NaN; -0 < 0."),
    _one_float("negf", "Computes the negative of floating-point numbers."),
    _one_float("flush_denormals", "Replaces subnormal floating-point numbers with zeros."),
    _integer("addi", "Computes the sum of integers.", _OVERFLOW),
    _integer("subi", "Computes the difference of integers.", _OVERFLOW),
    _integer("muli", "Computes the product of integers.", _OVERFLOW),
    _integer("shli", "Shifts the bits of integers left.", _OVERFLOW),
    _integer("divsi", "Computes the quotient of signed integers, rounded towards zero.", _EXACT),
    _integer("divui", "Computes the quotient of unsigned integers.", _EXACT),
    _integer("shrsi", "Shifts the bits of integers right and fills in copies of the sign.", _EXACT),
    _integer("shrui", "Shifts the bits of integers right and fills in zeros.", _EXACT),
    _integer("ceildivsi", "Computes the quotient of signed integers, rounded up."),
    _integer("ceildivui", "Computes the quotient of unsigned integers, rounded up."),
    _integer("floordivsi", "Computes the quotient of signed integers, rounded down."),
    _integer("remsi", "Computes the remainder of signed integers, with the sign of the dividend."),
    _integer("remui", "Computes the remainder of unsigned integers."),
    _integer("andi", "Computes the bits that are set in both integers."),
    _integer("ori", "Computes the bits that are set in one of the integers or both."),
    _integer("xori", "Computes the bits that are set in one of the integers only."),
    _integer("maxsi", "Computes the larger signed integer."),
    _integer("maxui", "Computes the larger unsigned integer."),
    _integer("minsi", "Computes the smaller signed integer."),
    _integer("minui", "Computes the smaller unsigned integer."),
    _with_bit("addui_extended", "Adds unsigned integers and computes the carry.", "sum", "overflow"),
    _with_bit("subui_extended", "Subtracts unsigned integers and computes the borrow.", "diff", "borrow"),
    _extended("mulsi_extended", "Multiplies signed integers into twice as many bits, low and high half."),
    _extended("mului_extended", "Multiplies unsigned integers into twice as many bits, low and high half."),
    _compare("cmpi", "Compares integers.", INTEGER_OR_INDEX, CMPI_PREDICATE),
    _compare("cmpf", "Compares floating-point numbers.", FLOAT, CMPF_PREDICATE, _FASTMATH),
    OpDef(
        "arith.select",
        "Selects one of two values by a predicate.",
        operands=(
            operand("condition", BOOLEAN),
            operand("true_value", ANY_TYPE),
            operand("false_value", ANY_TYPE),
        ),
        results=(operand("result", ANY_TYPE),),
        format="$condition `,` $true_value `,` $false_value attr-dict `:` type(chosen)",
        constraints=(CHOSEN,),
        quantized="own",
    ),
    _cast(
        "index_cast",
        "Converts an integer to an index, or an index to an integer.",
        INDEX_CAST,
        INDEX_CAST,
        constraints=(INDEX_ON_ONE_SIDE,),
    ),
    _cast(
        "index_castui",
        "Converts an unsigned integer to an index, or an index to an unsigned integer.",
        INDEX_CAST,
        INDEX_CAST,
        _NON_NEGATIVE,
        constraints=(INDEX_ON_ONE_SIDE,),
    ),
    _cast("extsi", "Widens signed integers.", INTEGER, INTEGER, constraints=(WIDER,)),
    _cast("extui", "Widens unsigned integers.", INTEGER, INTEGER, _NON_NEGATIVE, constraints=(WIDER,)),
    _cast("trunci", "Narrows integers.", INTEGER, INTEGER, _OVERFLOW, constraints=(NARROWER,)),
    _cast("extf", "Widens floating-point numbers.", FLOAT, FLOAT, _FASTMATH, constraints=(WIDER,)),
    _cast(
        "truncf",
        "Narrows floating-point numbers.",
        FLOAT,
        FLOAT,
        _FASTMATH,
        _ROUNDING,
        constraints=(NARROWER,),
    ),
    _cast(
        "convertf",
        "Converts floating-point numbers to another type of as many bits.",
        FLOAT,
        FLOAT,
        _ROUNDING,
        _FASTMATH,
        constraints=(CONVERTS,),
    ),
    _cast("sitofp", "Converts signed integers to floating-point numbers.", INTEGER, FLOAT),
    _cast("uitofp", "Converts unsigned integers to floating-point numbers.", INTEGER, FLOAT, _NON_NEGATIVE),
    _cast("fptosi", "Rounds floating-point numbers towards zero, to signed integers.", FLOAT, INTEGER),
    _cast("fptoui", "Rounds floating-point numbers towards zero, to unsigned integers.", FLOAT, INTEGER),
    _cast(
        "bitcast",
        "Reads the bits of numbers as numbers of another type.",
        NUMBER,
        NUMBER,
        constraints=(SAME_WIDTH,),
    ),
    _scaled("scaling_extf", "Widens floating-point numbers and multiplies them by scales.", _FASTMATH),
    _scaled(
        "scaling_truncf", "Divides floating-point numbers by scales and narrows them.", _ROUNDING, _FASTMATH
    ),
)

DIALECT = dialect_of("arith", OP_DEFS, ENUMS, kernels=("shlo.interpreter.kernels.upstream.arith",))
