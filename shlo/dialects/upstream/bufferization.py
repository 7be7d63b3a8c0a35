"""OpDefs of MLIR's bufferization dialect, those that StableHLO's programs use: tensors and their buffers."""

from __future__ import annotations

from shlo.dialects.attr_constraints import UNIT_ATTR
from shlo.dialects.opdef import OpDef, dialect_of, may, operand
from shlo.dialects.type_constraints import ANY_MEMREF, ANY_TENSOR

OP_DEFS = (
    OpDef(
        "bufferization.to_tensor",
        "Makes a tensor of a buffer.",
        operands=(operand("buffer", ANY_MEMREF),),
        attributes=(may("restrict", UNIT_ATTR), may("writable", UNIT_ATTR)),
        results=(operand("result", ANY_TENSOR),),
        format=(
            "$buffer [ `restrict` $restrict ]? [ `writable` $writable ]? attr-dict"
            " `:` type(operands) `to` type(results)"
        ),
        quantized="own",
    ),
    OpDef(
        "bufferization.to_buffer",
        "Makes a buffer of a tensor.",
        operands=(operand("tensor", ANY_TENSOR),),
        attributes=(may("read_only", UNIT_ATTR),),
        results=(operand("buffer", ANY_MEMREF),),
        format="$tensor [ `read_only` $read_only ]? attr-dict `:` type(operands) `to` type(results)",
        quantized="own",
    ),
)

DIALECT = dialect_of(
    "bufferization", OP_DEFS, complete=False, kernels=("shlo.interpreter.kernels.upstream.tensor",)
)
