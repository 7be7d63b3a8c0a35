"""OpDefs of MLIR's quant dialect: the casts between quantized tensors and others."""

from __future__ import annotations

from collections.abc import Callable

from shlo.dialects.opdef import OpDef, dialect_of, operand
from shlo.dialects.type_constraints import SIGNLESS_TYPE, TypeConstraint
from shlo.ir.types import FloatType, OpaqueType, QuantizedType, RankedTensorType, Type, UnrankedTensorType


def _is_quantized(type_: Type) -> bool:
    """Returns whether a type is one of the quant dialect's, those of calibration included."""
    return isinstance(type_, QuantizedType) or (isinstance(type_, OpaqueType) and type_.dialect == "quant")


def _of(description: str, test: Callable[[Type], bool]) -> TypeConstraint:
    """Scalars that pass a test, and tensors of them."""

    def holds(type_: Type) -> bool:
        is_tensor = isinstance(type_, RankedTensorType | UnrankedTensorType)
        return test(type_.element_type if is_tensor else type_)

    return TypeConstraint(description, holds)


_FLOAT = _of("floating-point", lambda type_: isinstance(type_, FloatType))
_QUANTIZED = _of("quantized", _is_quantized)
_INTEGER = _of("integer", SIGNLESS_TYPE.test)

_CAST = "$input attr-dict `:` type(operands) `to` type(results)"


def _cast(name: str, summary: str, from_: TypeConstraint, to: TypeConstraint) -> OpDef:
    return OpDef(
        f"quant.{name}",
        summary,
        operands=(operand("input", from_),),
        results=(operand("result", to),),
        format=_CAST,
        quantized="own",
    )


OP_DEFS = (
    _cast("dcast", "Converts quantized numbers to the numbers that they represent.", _QUANTIZED, _FLOAT),
    _cast("qcast", "Quantizes numbers.", _FLOAT, _QUANTIZED),
    _cast(
        "scast",
        "Converts quantized numbers to the integers that store them, or integers to quantized numbers.",
        _QUANTIZED | _INTEGER,
        _INTEGER | _QUANTIZED,
    ),
)

DIALECT = dialect_of("quant", OP_DEFS, kernels=("shlo.interpreter.kernels.quantization.arithmetic",))
