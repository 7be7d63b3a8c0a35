"""OpDefs of MLIR's shape dialect, those that StableHLO's programs use: computing with shapes."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, dialect_of, may, operand, required, traits, variadic

_SHAPE = "shape, or tensor of indices"
_TYPES = "attr-dict `:` type(operands) `->` type(results)"

OP_DEFS = (
    OpDef(
        "shape.shape_of",
        "The shape of a tensor.",
        operands=(operand("arg", "shape, or any tensor"),),
        results=(operand("result", _SHAPE),),
        format=f"$arg {_TYPES}",
    ),
    OpDef(
        "shape.num_elements",
        "How many elements a tensor of a shape has.",
        operands=(operand("shape", _SHAPE),),
        results=(operand("result", "size or index"),),
        format=f"$shape {_TYPES}",
    ),
    OpDef(
        "shape.broadcast",
        "The shape that shapes are broadcast to.",
        operands=(variadic("shapes", _SHAPE),),
        attributes=(may("error", "string"),),
        results=(operand("result", _SHAPE),),
        format=f"$shapes {_TYPES}",
    ),
    OpDef(
        "shape.const_shape",
        "A shape that stands in the program.",
        attributes=(required("shape", "elements"),),
        results=(operand("result", _SHAPE),),
        format="custom(const_shape)",
        traits=traits("constant"),
    ),
    OpDef(
        "shape.cstr_broadcastable",
        "A witness that shapes can be broadcast to one.",
        operands=(variadic("shapes", _SHAPE),),
        results=(operand("result", "witness"),),
        format="$shapes attr-dict `:` type(witnessed)",
    ),
)

DIALECT = dialect_of("shape", OP_DEFS, complete=False)
