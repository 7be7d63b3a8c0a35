"""OpDefs of MLIR's bufferization dialect, those that StableHLO's programs use: tensors and their buffers."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, dialect_of, may, operand

OP_DEFS = (
    OpDef(
        "bufferization.to_tensor",
        "What is in a buffer, as a tensor.",
        operands=(operand("buffer", "any memref"),),
        attributes=(may("restrict", "unit"), may("writable", "unit")),
        results=(operand("result", "any tensor"),),
        format=(
            "$buffer [ `restrict` $restrict ]? [ `writable` $writable ]? attr-dict"
            " `:` type(operands) `to` type(results)"
        ),
    ),
    OpDef(
        "bufferization.to_buffer",
        "A buffer that holds a tensor.",
        operands=(operand("tensor", "any tensor"),),
        attributes=(may("read_only", "unit"),),
        results=(operand("buffer", "any memref"),),
        format="$tensor [ `read_only` $read_only ]? attr-dict `:` type(operands) `to` type(results)",
    ),
)

DIALECT = dialect_of("bufferization", OP_DEFS, complete=False)
