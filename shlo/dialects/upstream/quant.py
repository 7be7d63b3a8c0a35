"""OpDefs of MLIR's quant dialect: the casts between quantized tensors and others."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, dialect_of, operand

_CAST = "$input attr-dict `:` type(operands) `to` type(results)"


def _cast(name: str, summary: str, from_: str, to: str) -> OpDef:
    return OpDef(
        f"quant.{name}",
        summary,
        operands=(operand("input", from_),),
        results=(operand("result", to),),
        format=_CAST,
    )


OP_DEFS = (
    _cast("dcast", "Quantized numbers as the numbers that they stand for.", "quantized", "floating-point"),
    _cast("qcast", "Numbers as quantized ones.", "floating-point", "quantized"),
    _cast(
        "scast",
        "Quantized numbers as the integers that hold them, or the other way round.",
        "quantized or integer",
        "integer or quantized",
    ),
)

DIALECT = dialect_of("quant", OP_DEFS)
