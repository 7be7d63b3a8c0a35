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
        "A number, or a tensor of numbers.",
        attributes=(required("value", ANY_ATTR),),
        results=(operand("result", ANY_TYPE),),
        format="attr-dict $value type(value)",
        traits=traits("constant"),
        constraints=(CONSTANT,),
        quantized="own",
    ),
    _float("addf", "The sum of floating-point numbers.", _ROUNDING),
    _float("subf", "The difference of floating-point numbers.", _ROUNDING),
    _float("mulf", "The product of floating-point numbers.", _ROUNDING),
    _float("divf", "The quotient of floating-point numbers.", _ROUNDING),
    _float("remf", "The rest of a division of floating-point numbers, with the sign of the dividend."),
    _float("maximumf", "The larger floating-point number; NaN if one is NaN."),
    _float("minimumf", "The smaller floating-point number; NaN if one is NaN."),
    _float("maxnumf", "The larger floating-point number, or the one that is not NaN."),
    _float("minnumf", "The smaller floating-point number, or the one that is not NaN."),
    OpDef(
        "arith.negf",
        "The negative of floating-point numbers.",
        operands=(operand("operand", FLOAT),),
        attributes=(_FASTMATH,),
        results=(operand("result", FLOAT),),
        format=f"$operand {_SHOWN['fastmath']} attr-dict `:` type(one)",
        traits=traits("elementwise"),
        constraints=(ONE_TYPE,),
    ),
    OpDef(
        "arith.flush_denormals",
        "Floating-point numbers with zeros for those that are subnormal.",
        operands=(operand("operand", FLOAT),),
        attributes=(_FASTMATH,),
        results=(operand("result", FLOAT),),
        format=f"$operand {_SHOWN['fastmath']} attr-dict `:` type(one)",
        traits=traits("elementwise"),
        constraints=(ONE_TYPE,),
    ),
    _integer("addi", "The sum of integers.", _OVERFLOW),
    _integer("subi", "The difference of integers.", _OVERFLOW),
    _integer("muli", "The product of integers.", _OVERFLOW),
    _integer("shli", "Integers with their bits moved to the left.", _OVERFLOW),
    _integer("divsi", "The quotient of signed integers, rounded towards zero.", _EXACT),
    _integer("divui", "The quotient of unsigned integers.", _EXACT),
    _integer("shrsi", "Integers with their bits moved to the right, copies of the sign behind them.", _EXACT),
    _integer("shrui", "Integers with their bits moved to the right, zeros behind them.", _EXACT),
    _integer("ceildivsi", "The quotient of signed integers, rounded up."),
    _integer("ceildivui", "The quotient of unsigned integers, rounded up."),
    _integer("floordivsi", "The quotient of signed integers, rounded down."),
    _integer("remsi", "The rest of a division of signed integers, with the sign of the dividend."),
    _integer("remui", "The rest of a division of unsigned integers."),
    _integer("andi", "The bits that are set in both integers."),
    _integer("ori", "The bits that are set in one of the integers or both."),
    _integer("xori", "The bits that are set in one of the integers only."),
    _integer("maxsi", "The larger signed integer."),
    _integer("maxui", "The larger unsigned integer."),
    _integer("minsi", "The smaller signed integer."),
    _integer("minui", "The smaller unsigned integer."),
    _with_bit("addui_extended", "The sum of unsigned integers, and the carry.", "sum", "overflow"),
    _with_bit("subui_extended", "The difference of unsigned integers, and the borrow.", "diff", "borrow"),
    _extended("mulsi_extended", "The product of signed integers in twice as many bits, low and high half."),
    _extended("mului_extended", "The product of unsigned integers in twice as many bits, low and high half."),
    _compare("cmpi", "Compares integers.", INTEGER_OR_INDEX, CMPI_PREDICATE),
    _compare("cmpf", "Compares floating-point numbers.", FLOAT, CMPF_PREDICATE, _FASTMATH),
    OpDef(
        "arith.select",
        "One of two values, as a predicate says.",
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
        "An integer as an index, or the other way round.",
        INDEX_CAST,
        INDEX_CAST,
        constraints=(INDEX_ON_ONE_SIDE,),
    ),
    _cast(
        "index_castui",
        "An unsigned integer as an index, or the other way round.",
        INDEX_CAST,
        INDEX_CAST,
        _NON_NEGATIVE,
        constraints=(INDEX_ON_ONE_SIDE,),
    ),
    _cast("extsi", "Signed integers in more bits.", INTEGER, INTEGER, constraints=(WIDER,)),
    _cast("extui", "Unsigned integers in more bits.", INTEGER, INTEGER, _NON_NEGATIVE, constraints=(WIDER,)),
    _cast("trunci", "Integers in fewer bits.", INTEGER, INTEGER, _OVERFLOW, constraints=(NARROWER,)),
    _cast("extf", "Floating-point numbers in more bits.", FLOAT, FLOAT, _FASTMATH, constraints=(WIDER,)),
    _cast(
        "truncf",
        "Floating-point numbers in fewer bits.",
        FLOAT,
        FLOAT,
        _FASTMATH,
        _ROUNDING,
        constraints=(NARROWER,),
    ),
    _cast(
        "convertf",
        "Floating-point numbers of another type of as many bits.",
        FLOAT,
        FLOAT,
        _ROUNDING,
        _FASTMATH,
        constraints=(CONVERTS,),
    ),
    _cast("sitofp", "Signed integers as floating-point numbers.", INTEGER, FLOAT),
    _cast("uitofp", "Unsigned integers as floating-point numbers.", INTEGER, FLOAT, _NON_NEGATIVE),
    _cast("fptosi", "Floating-point numbers as signed integers, rounded towards zero.", FLOAT, INTEGER),
    _cast("fptoui", "Floating-point numbers as unsigned integers, rounded towards zero.", FLOAT, INTEGER),
    _cast(
        "bitcast",
        "The bits of numbers as numbers of another type.",
        NUMBER,
        NUMBER,
        constraints=(SAME_WIDTH,),
    ),
    _scaled("scaling_extf", "Floating-point numbers in more bits, multiplied by scales.", _FASTMATH),
    _scaled(
        "scaling_truncf", "Floating-point numbers, divided by scales, in fewer bits.", _ROUNDING, _FASTMATH
    ),
)

DIALECT = dialect_of("arith", OP_DEFS, ENUMS)
