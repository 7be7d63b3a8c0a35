"""The definition of MLIR's memref dialect that StableHLO's programs use."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, dialect_of, operand
from shlo.dialects.type_constraints import ANY_MEMREF

OP_DEFS = (
    OpDef(
        "memref.cast",
        "Converts a buffer to a type with more or fewer known sizes.",
        operands=(operand("source", ANY_MEMREF),),
        results=(operand("dest", ANY_MEMREF),),
        format="$source attr-dict `:` type(operands) `to` type(results)",
        result_names=("cast",),
        quantized="own",
    ),
)

DIALECT = dialect_of("memref", OP_DEFS, complete=False, kernels=("shlo.interpreter.kernels.upstream.tensor",))
