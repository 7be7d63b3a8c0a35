"""Definitions of MLIR's math dialect: functions of numbers, and of tensors and vectors of them."""

from __future__ import annotations

from shlo.dialects.attr_constraints import enum_number_of, flags_of
from shlo.dialects.opdef import AttributeDef, OpDef, dialect_of, may, operand, traits
from shlo.dialects.upstream.arith import FASTMATH, ROUNDING_MODE
from shlo.dialects.upstream.numbers import BOOLEAN, FLOAT, INTEGER_OR_INDEX, ONE_SHAPE, ONE_TYPE
from shlo.ir.types import I32

_FASTMATH = AttributeDef("fastmath", flags_of(FASTMATH), default="#arith.fastmath<none>", elided=True)
_ROUNDING = may("roundingmode", enum_number_of(ROUNDING_MODE, I32))
_SHOWN = "[ `fastmath` `` $fastmath ]?"


def _op_def(
    name: str,
    summary: str,
    operands: tuple[str, ...],
    results: tuple[str, ...] = ("result",),
    types: str = "one",
    shown: str | None = None,
    rounding: bool = False,
) -> OpDef:
    """Returns a function of floating-point numbers; one that is rounded once may say how."""
    listed = shown or " `,` ".join(f"${each}" for each in operands)
    return OpDef(
        f"math.{name}",
        summary,
        operands=tuple([operand(each, FLOAT) for each in operands]),
        attributes=(_FASTMATH, _ROUNDING) if rounding else (_FASTMATH,),
        results=tuple([operand(each, FLOAT if types == "one" else BOOLEAN) for each in results]),
        format=f"{listed} {'[ $roundingmode ]? ' if rounding else ''}{_SHOWN} attr-dict `:` type({types})",
        traits=traits("elementwise"),
        result_names=results if len(results) > 1 else (),
        constraints=(ONE_TYPE if types == "one" else ONE_SHAPE,),
    )


def _unary(name: str, summary: str) -> OpDef:
    return _op_def(name, summary, ("operand",))


def _test(name: str, summary: str) -> OpDef:
    return _op_def(name, summary, ("operand",), types="tested")


def _of_integers(name: str, summary: str, *operands: str) -> OpDef:
    return OpDef(
        f"math.{name}",
        summary,
        operands=tuple([operand(each, INTEGER_OR_INDEX) for each in operands]),
        results=(operand("result", INTEGER_OR_INDEX),),
        format=f"{' `,` '.join(f'${each}' for each in operands)} attr-dict `:` type(one)",
        traits=traits("elementwise"),
        constraints=(ONE_TYPE,),
    )


OP_DEFS = (
    _unary("absf", "The absolute value of floating-point numbers."),
    _of_integers("absi", "The absolute value of signed integers.", "operand"),
    _unary("acos", "The arc cosine."),
    _unary("acosh", "The inverse hyperbolic cosine."),
    _unary("asin", "The arc sine."),
    _unary("asinh", "The inverse hyperbolic sine."),
    _unary("atan", "The arc tangent."),
    _op_def("atan2", "The angle of a point.", ("lhs", "rhs")),
    _unary("atanh", "The inverse hyperbolic tangent."),
    _unary("cbrt", "The cube root."),
    _unary("ceil", "The least integer that is not below a number."),
    _op_def(
        "clampf",
        "A number, or the bound that it lies beyond.",
        ("value", "min", "max"),
        shown="$value `to` ` ` `[` $min `,` $max `]`",
    ),
    _op_def("copysign", "The size of one number with the sign of another.", ("lhs", "rhs")),
    _unary("cos", "The cosine."),
    _unary("cosh", "The hyperbolic cosine."),
    _of_integers("ctlz", "How many zeros are in front of the highest bit that is set.", "operand"),
    _of_integers("ctpop", "How many bits are set.", "operand"),
    _of_integers("cttz", "How many zeros are behind the lowest bit that is set.", "operand"),
    _unary("erf", "The error function."),
    _unary("erfc", "One less the error function."),
    _unary("exp", "Powers of e."),
    _unary("exp2", "Powers of two."),
    _unary("expm1", "Powers of e, less one."),
    _unary("floor", "The greatest integer that is not above a number."),
    _op_def(
        "fma", "The product of two numbers plus a third one, rounded once.", ("a", "b", "c"), rounding=True
    ),
    OpDef(
        "math.fpowi",
        "Powers whose exponents are integers.",
        operands=(operand("lhs", FLOAT), operand("rhs", INTEGER_OR_INDEX)),
        attributes=(_FASTMATH,),
        results=(operand("result", FLOAT),),
        format=f"$lhs `,` $rhs {_SHOWN} attr-dict `:` type(as_first)",
        traits=traits("elementwise"),
        constraints=(ONE_SHAPE,),
    ),
    _of_integers("ipowi", "Powers of integers.", "lhs", "rhs"),
    _test("isfinite", "Whether numbers are neither infinite nor NaN."),
    _test("isinf", "Whether numbers are infinite."),
    _test("isnan", "Whether numbers are NaN."),
    _test("isnormal", "Whether numbers are neither zero, subnormal, infinite nor NaN."),
    _unary("log", "The logarithm."),
    _unary("log10", "The logarithm to the base ten."),
    _unary("log1p", "The logarithm of one plus a number."),
    _unary("log2", "The logarithm to the base two."),
    _op_def("powf", "Powers.", ("lhs", "rhs")),
    _unary("round", "The nearest integer, halves away from zero."),
    _unary("roundeven", "The nearest integer, halves to even ones."),
    _unary("rsqrt", "One over the square root."),
    _unary("sin", "The sine."),
    _op_def("sincos", "The sine and the cosine.", ("operand",), ("sin", "cos")),
    _unary("sinh", "The hyperbolic sine."),
    _unary("sqrt", "The square root."),
    _unary("tan", "The tangent."),
    _unary("tanh", "The hyperbolic tangent."),
    _unary("trunc", "The integer part."),
)

DIALECT = dialect_of("math", OP_DEFS)
