"""Cards of MLIR's tensor dialect, those that StableHLO's programs use: elements in and out of tensors."""

from __future__ import annotations

from shlo.dialects.card import Card, dialect_of, operand, variadic

_TENSOR = "any tensor"
_INDEX = "index"
_ELEMENT = "element type"

CARDS = (
    Card(
        "tensor.cast",
        "A tensor as one of a type that says more or less about its shape.",
        operands=(operand("source", _TENSOR),),
        results=(operand("dest", _TENSOR),),
        format="$source attr-dict `:` type(operands) `to` type(results)",
        result_names=("cast",),
    ),
    Card(
        "tensor.dim",
        "The size of a dimension.",
        operands=(operand("source", _TENSOR), operand("index", _INDEX)),
        results=(operand("result", _INDEX),),
        format="attr-dict $source `,` $index `:` type(dimension)",
        result_names=("dim",),
    ),
    Card(
        "tensor.extract",
        "An element of a tensor.",
        operands=(operand("tensor", _TENSOR), variadic("indices", _INDEX)),
        results=(operand("result", _ELEMENT),),
        format="$tensor `[` $indices `]` attr-dict `:` type(extracted)",
        result_names=("extracted",),
    ),
    Card(
        "tensor.insert",
        "A tensor with one element replaced.",
        operands=(operand("scalar", _ELEMENT), operand("dest", _TENSOR), variadic("indices", _INDEX)),
        results=(operand("result", _TENSOR),),
        format="$scalar `into` $dest `[` $indices `]` attr-dict `:` type(inserted)",
        result_names=("inserted",),
    ),
    Card(
        "tensor.from_elements",
        "A tensor of single values.",
        operands=(variadic("elements", _ELEMENT),),
        results=(operand("result", _TENSOR),),
        format="$elements attr-dict `:` type(collected)",
        result_names=("from_elements",),
    ),
)

DIALECT = dialect_of("tensor", CARDS, complete=False)
