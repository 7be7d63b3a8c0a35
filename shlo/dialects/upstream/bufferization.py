"""Cards of MLIR's bufferization dialect, those that StableHLO's programs use: tensors and their buffers."""

from __future__ import annotations

from shlo.dialects.opdef import Card, dialect_of, may, operand

CARDS = (
    Card(
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
    Card(
        "bufferization.to_buffer",
        "A buffer that holds a tensor.",
        operands=(operand("tensor", "any tensor"),),
        attributes=(may("read_only", "unit"),),
        results=(operand("buffer", "any memref"),),
        format="$tensor [ `read_only` $read_only ]? attr-dict `:` type(operands) `to` type(results)",
    ),
)

DIALECT = dialect_of("bufferization", CARDS, complete=False)
