"""OpDefs of MLIR's shape dialect, those that StableHLO's programs use: computing with shapes."""

from __future__ import annotations

from collections.abc import Callable

from shlo.dialects.attr_constraints import ELEMENTS_ATTR, STRING_ATTR
from shlo.dialects.opdef import OpDef, dialect_of, may, operand, required, traits, variadic
from shlo.dialects.type_constraints import ANY_SHAPED, TypeConstraint
from shlo.ir.types import INDEX, OpaqueType, RankedTensorType, Type


def _is_extents(type_: Type) -> bool:
    return isinstance(type_, RankedTensorType) and type_.rank == 1 and type_.element_type == INDEX


def _is(body: str) -> Callable[[Type], bool]:
    return lambda type_: isinstance(type_, OpaqueType) and type_.dialect == "shape" and type_.body == body


_SHAPE = TypeConstraint(
    "shape, or tensor of indices", lambda type_: _is("shape")(type_) or _is_extents(type_)
)
_SHAPED = TypeConstraint(
    "shape, or any tensor", lambda type_: _is("value_shape")(type_) or ANY_SHAPED.test(type_)
)
_SIZE = TypeConstraint("size or index", lambda type_: _is("size")(type_) or type_ == INDEX)
_WITNESS = TypeConstraint("witness", _is("witness"))
_TYPES = "attr-dict `:` type(operands) `->` type(results)"

OP_DEFS = (
    OpDef(
        "shape.shape_of",
        "Returns the shape of a tensor.",
        operands=(operand("arg", _SHAPED),),
        results=(operand("result", _SHAPE),),
        format=f"$arg {_TYPES}",
        quantized="own",
    ),
    OpDef(
        "shape.num_elements",
        "Counts the elements of a tensor of a shape.",
        operands=(operand("shape", _SHAPE),),
        results=(operand("result", _SIZE),),
        format=f"$shape {_TYPES}",
    ),
    OpDef(
        "shape.broadcast",
        "Computes the shape that shapes are broadcast to.",
        operands=(variadic("shapes", _SHAPE),),
        attributes=(may("error", STRING_ATTR),),
        results=(operand("result", _SHAPE),),
        format=f"$shapes [ `error` `=` $error ]? {_TYPES}",
    ),
    OpDef(
        "shape.const_shape",
        "Makes a shape written in the program.",
        attributes=(required("shape", ELEMENTS_ATTR),),
        results=(operand("result", _SHAPE),),
        format="custom(const_shape)",
        traits=traits("constant"),
    ),
    OpDef(
        "shape.cstr_broadcastable",
        "Makes a witness that shapes can be broadcast to one.",
        operands=(variadic("shapes", _SHAPE),),
        results=(operand("result", _WITNESS),),
        format="$shapes attr-dict `:` type(witnessed)",
    ),
)

DIALECT = dialect_of("shape", OP_DEFS, complete=False, kernels=("shlo.interpreter.kernels.upstream.tensor",))
