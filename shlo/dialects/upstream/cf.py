"""OpDefs of MLIR's cf dialect, those that StableHLO's programs use: jumps between blocks."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, dialect_of, may, operand, required, traits, variadic

OP_DEFS = (
    OpDef(
        "cf.assert",
        "Ends the program with a message where a predicate does not hold.",
        operands=(operand("arg", "boolean"),),
        attributes=(required("msg", "string"),),
        format="$arg `,` $msg attr-dict type(asserted)",
        traits=traits("effect"),
    ),
    OpDef(
        "cf.br",
        "Goes on with another block.",
        operands=(variadic("destOperands", "any type"),),
        format="custom(branch) attr-dict",
        traits=traits("terminator"),
        successors="one",
    ),
    OpDef(
        "cf.cond_br",
        "Goes on with one of two blocks, as a predicate says.",
        operands=(
            operand("condition", "boolean"),
            variadic("trueDestOperands", "any type"),
            variadic("falseDestOperands", "any type"),
        ),
        attributes=(may("branch_weights", "i32_array"),),
        format="$condition [ `weights` `(` $branch_weights `)` ]? `,` custom(branches) attr-dict",
        traits=traits("terminator"),
        successors="variadic",
    ),
)

DIALECT = dialect_of("cf", OP_DEFS, complete=False)
