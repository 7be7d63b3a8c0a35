"""OpDefs of MLIR's cf dialect, those that StableHLO's programs use: jumps between blocks."""

from __future__ import annotations

from shlo.dialects.attr_constraints import I32_ARRAY_ATTR, STRING_ATTR
from shlo.dialects.opdef import OpDef, dialect_of, may, operand, required, traits, variadic
from shlo.dialects.type_constraints import ANY_TYPE
from shlo.dialects.upstream.numbers import BOOLEAN_SCALAR

OP_DEFS = (
    OpDef(
        "cf.assert",
        "Ends the program with a message where a predicate does not hold.",
        operands=(operand("arg", BOOLEAN_SCALAR),),
        attributes=(required("msg", STRING_ATTR),),
        format="$arg `,` $msg attr-dict type(asserted)",
        traits=traits("effect"),
    ),
    OpDef(
        "cf.br",
        "Jumps to another block.",
        operands=(variadic("destOperands", ANY_TYPE),),
        format="custom(branch) attr-dict",
        traits=traits("terminator"),
        successors="one",
        control_flow="jump",
    ),
    OpDef(
        "cf.cond_br",
        "Jumps to one of two blocks by a predicate.",
        operands=(
            operand("condition", BOOLEAN_SCALAR),
            variadic("trueDestOperands", ANY_TYPE),
            variadic("falseDestOperands", ANY_TYPE),
        ),
        attributes=(may("branch_weights", I32_ARRAY_ATTR),),
        format="$condition [ `weights` `(` $branch_weights `)` ]? `,` custom(branches) attr-dict",
        traits=traits("terminator"),
        successors="variadic",
        control_flow="jump",
    ),
)

DIALECT = dialect_of("cf", OP_DEFS, complete=False, kernels=("shlo.interpreter.kernels.upstream.tensor",))
