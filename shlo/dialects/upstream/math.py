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
    is_transcendental: bool = False,
) -> OpDef:
    """Returns a function of floating-point numbers; one that is rounded once may say how."""
    listed = shown or " `,` ".join(f"${operand}" for operand in operands)
    return OpDef(
        f"math.{name}",
        summary,
        operands=tuple([operand(name, FLOAT) for name in operands]),
        attributes=(_FASTMATH, _ROUNDING) if rounding else (_FASTMATH,),
        results=tuple([operand(type_, FLOAT if types == "one" else BOOLEAN) for type_ in results]),
        format=f"{listed} {'[ $roundingmode ]? ' if rounding else ''}{_SHOWN} attr-dict `:` type({types})",
        traits=traits("elementwise", "transcendental") if is_transcendental else traits("elementwise"),
        result_names=results if len(results) > 1 else (),
        constraints=(ONE_TYPE if types == "one" else ONE_SHAPE,),
    )


def _unary(name: str, summary: str) -> OpDef:
    return _op_def(name, summary, ("operand",))


def _transcendental(name: str, summary: str) -> OpDef:
    return _op_def(name, summary, ("operand",), is_transcendental=True)


def _test(name: str, summary: str) -> OpDef:
    return _op_def(name, summary, ("operand",), types="tested")


def _of_integers(name: str, summary: str, *operands: str) -> OpDef:
    return OpDef(
        f"math.{name}",
        summary,
        operands=tuple([operand(name, INTEGER_OR_INDEX) for name in operands]),
        results=(operand("result", INTEGER_OR_INDEX),),
        format=f"{' `,` '.join(f'${name}' for name in operands)} attr-dict `:` type(one)",
        traits=traits("elementwise"),
        constraints=(ONE_TYPE,),
    )


OP_DEFS = (
    _unary("absf", "Computes the absolute value of floating-point numbers."),
    _of_integers("absi", "Computes the absolute value of signed integers.", "operand"),
    _transcendental("acos", "Computes the arc cosine."),
    _transcendental("acosh", "Computes the inverse hyperbolic cosine."),
    _transcendental("asin", "Computes the arc sine."),
    _transcendental("asinh", "Computes the inverse hyperbolic sine."),
    _transcendental("atan", "Computes the arc tangent."),
    _op_def("atan2", "Computes the angle of a point.", ("lhs", "rhs"), is_transcendental=True),
    _transcendental("atanh", "Computes the inverse hyperbolic tangent."),
    _transcendental("cbrt", "Computes the cube root."),
    _unary("ceil", "Computes the least integer that is not below a number."),
    _op_def(
        "clampf",
        "Limits a number to the range between two bounds.",
        ("value", "min", "max"),
        shown="$value `to` ` ` `[` $min `,` $max `]`",
    ),
    _op_def("copysign", "Computes the size of one number with the sign of another.", ("lhs", "rhs")),
    _transcendental("cos", "Computes the cosine."),
    _transcendental("cosh", "Computes the hyperbolic cosine."),
    _of_integers("ctlz", "Counts the zeros above the highest bit that is set.", "operand"),
    _of_integers("ctpop", "Counts the bits that are set.", "operand"),
    _of_integers("cttz", "Counts the zeros below the lowest bit that is set.", "operand"),
    _transcendental("erf", "Computes the error function."),
    _transcendental("erfc", "Computes one minus the error function."),
    _transcendental("exp", "Computes powers of e."),
    _transcendental("exp2", "Computes powers of two."),
    _transcendental("expm1", "Computes powers of e, minus one."),
    _unary("floor", "Computes the greatest integer that is not above a number."),
    _op_def(
        "fma", "Multiplies two numbers and adds a third one, rounded once.", ("a", "b", "c"), rounding=True
    ),
    OpDef(
        "math.fpowi",
        "Raises floating-point numbers to integer powers.",
        operands=(operand("lhs", FLOAT), operand("rhs", INTEGER_OR_INDEX)),
        attributes=(_FASTMATH,),
        results=(operand("result", FLOAT),),
        format=f"$lhs `,` $rhs {_SHOWN} attr-dict `:` type(as_first)",
        traits=traits("elementwise"),
        constraints=(ONE_SHAPE,),
    ),
    _of_integers("ipowi", "Raises integers to integer powers.", "lhs", "rhs"),
    _test("isfinite", "Tests whether numbers are neither infinite nor NaN."),
    _test("isinf", "Tests whether numbers are infinite."),
    _test("isnan", "Tests whether numbers are NaN."),
    _test("isnormal", "Tests whether numbers are neither zero, subnormal, infinite nor NaN."),
    _transcendental("log", "Computes the logarithm."),
    _transcendental("log10", "Computes the logarithm to the base ten."),
    _transcendental("log1p", "Computes the logarithm of one plus a number."),
    _transcendental("log2", "Computes the logarithm to the base two."),
    _op_def("powf", "Raises numbers to powers.", ("lhs", "rhs"), is_transcendental=True),
    _unary("round", "Computes the nearest integer, halves away from zero."),
    _unary("roundeven", "Computes the nearest integer, halves to even ones."),
    _transcendental("rsqrt", "Computes the reciprocal square root."),
    _transcendental("sin", "Computes the sine."),
    _op_def(
        "sincos", "Computes the sine and the cosine.", ("operand",), ("sin", "cos"), is_transcendental=True
    ),
    _transcendental("sinh", "Computes the hyperbolic sine."),
    _transcendental("sqrt", "Computes the square root."),
    _transcendental("tan", "Computes the tangent."),
    _transcendental("tanh", "Computes the hyperbolic tangent."),
    _unary("trunc", "Computes the integer part."),
)

DIALECT = dialect_of("math", OP_DEFS, kernels=("shlo.interpreter.kernels.upstream.math",))
