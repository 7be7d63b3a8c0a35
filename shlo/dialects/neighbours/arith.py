"""Cards of MLIR's arith dialect, those that StableHLO's programs use: arithmetic on plain numbers."""

from __future__ import annotations

from shlo.dialects.card import (
    AttributeSpec,
    Card,
    EnumCard,
    dialect_of,
    may,
    operand,
    required,
    traits,
)

_NUMBER = "number, index, or tensor of them"
_FASTMATH = AttributeSpec("fastmath", "flags:fastmath", default="#arith.fastmath<none>", elided=True)
_OVERFLOW = AttributeSpec("overflowFlags", "flags:overflow", default="#arith.overflow<none>", elided=True)


def _binary(name: str, summary: str, attributes: tuple[AttributeSpec, ...], shown: str) -> Card:
    return Card(
        f"arith.{name}",
        summary,
        operands=(operand("lhs", _NUMBER), operand("rhs", _NUMBER)),
        attributes=attributes,
        results=(operand("result", _NUMBER),),
        format=f"$lhs `,` $rhs {shown} attr-dict `:` type(one)",
        traits=traits("elementwise"),
    )


def _float(name: str, summary: str) -> Card:
    shown = "[ $roundingmode ]? [ `fastmath` `` $fastmath ]?"
    return _binary(name, summary, (_FASTMATH, may("roundingmode", "enum_i32:rounding_mode")), shown)


def _integer(name: str, summary: str) -> Card:
    return _binary(name, summary, (_OVERFLOW,), "[ `overflow` `` $overflowFlags ]?")


CARDS = (
    Card(
        "arith.constant",
        "A number, or a tensor of numbers.",
        attributes=(required("value", "any"),),
        results=(operand("result", _NUMBER),),
        format="attr-dict $value type(value)",
        traits=traits("constant"),
    ),
    _float("addf", "The sum of floating-point numbers."),
    _float("subf", "The difference of floating-point numbers."),
    _float("mulf", "The product of floating-point numbers."),
    _float("divf", "The quotient of floating-point numbers."),
    _integer("addi", "The sum of integers."),
    _integer("subi", "The difference of integers."),
    _integer("muli", "The product of integers."),
    _binary(
        "divsi",
        "The quotient of signed integers, rounded towards zero.",
        (may("isExact", "unit"),),
        "[ `exact` $isExact ]?",
    ),
    Card(
        "arith.cmpi",
        "Compares integers.",
        operands=(operand("lhs", _NUMBER), operand("rhs", _NUMBER)),
        attributes=(required("predicate", "enum_i64:cmpi_predicate"),),
        results=(operand("result", "boolean, or tensor of booleans"),),
        format="$predicate `,` $lhs `,` $rhs attr-dict `:` type(compared)",
        traits=traits("elementwise"),
    ),
    Card(
        "arith.select",
        "One of two values, as a predicate says.",
        operands=(
            operand("condition", "boolean, or tensor of booleans"),
            operand("true_value", "any type"),
            operand("false_value", "any type"),
        ),
        results=(operand("result", "any type"),),
        format="$condition `,` $true_value `,` $false_value attr-dict `:` type(chosen)",
    ),
    Card(
        "arith.index_cast",
        "An integer as an index, or the other way round.",
        operands=(operand("in", _NUMBER),),
        results=(operand("out", _NUMBER),),
        format="$in attr-dict `:` type(operands) `to` type(results)",
        traits=traits("elementwise"),
    ),
)

ENUMS = (
    EnumCard(
        "RoundingMode",
        "rounding_mode",
        ("to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"),
    ),
    EnumCard(
        "CmpIPredicate",
        "cmpi_predicate",
        ("eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"),
    ),
)

DIALECT = dialect_of("arith", CARDS, ENUMS, complete=False)
