"""Definitions of MLIR's ub dialect: values without a meaning, and places that are never reached."""

from __future__ import annotations

from shlo.dialects.attr_constraints import ANY_ATTR
from shlo.dialects.opdef import AttributeDef, OpDef, dialect_of, operand, traits
from shlo.dialects.type_constraints import ANY_TYPE

OP_DEFS = (
    OpDef(
        "ub.poison",
        "Makes a value that nothing may depend on.",
        attributes=(AttributeDef("value", ANY_ATTR, default="#ub.poison", elided=True),),
        results=(operand("result", ANY_TYPE),),
        format="attr-dict [ $value ]? `:` type(results)",
        traits=traits("constant"),
        quantized="own",
    ),
    OpDef(
        "ub.unreachable",
        "Ends a block that is never run to its end.",
        format="attr-dict",
        traits=traits("terminator"),
    ),
)

DIALECT = dialect_of("ub", OP_DEFS, kernels=("shlo.interpreter.kernels.upstream.tensor",))
