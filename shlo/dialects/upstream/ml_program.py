"""OpDefs of MLIR's ml_program dialect: the functions of StableHLO's first draft."""

from __future__ import annotations

from shlo.dialects.attr_constraints import ARRAY_ATTR, STRING_ATTR, SYMBOL_NAME_ATTR, TYPE_ATTR
from shlo.dialects.opdef import OpDef, dialect_of, may, region, required, traits, variadic
from shlo.dialects.type_constraints import ANY_TYPE

OP_DEFS = (
    OpDef(
        "ml_program.func",
        "Defines a function with a body, or declares one without.",
        attributes=(
            required("sym_name", SYMBOL_NAME_ATTR),
            required("function_type", TYPE_ATTR),
            may("arg_attrs", ARRAY_ATTR),
            may("res_attrs", ARRAY_ATTR),
            may("sym_visibility", STRING_ATTR),
        ),
        regions=(region("body"),),
        format="custom(function)",
        traits=traits("isolated", "symbol"),
        default_dialect="ml_program",
    ),
    OpDef(
        "ml_program.return",
        "Ends a function and returns its results.",
        operands=(variadic("operands", ANY_TYPE),),
        format="attr-dict [ $operands `:` type(operands) ]?",
        traits=traits("terminator"),
    ),
)

DIALECT = dialect_of("ml_program", OP_DEFS, complete=False)
