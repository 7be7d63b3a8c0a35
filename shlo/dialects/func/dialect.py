"""OpDefs of MLIR's func dialect."""

from __future__ import annotations

from shlo.dialects.func import rules
from shlo.dialects.opdef import OpDef, dialect_of, may, operand, region, required, traits, variadic
from shlo.dialects.type_constraints import ANY_TYPE, FUNCTION

OP_DEFS = (
    OpDef(
        "func.func",
        "A function: its name, its type, and its body unless it is only declared.",
        attributes=(
            required("sym_name", "symbol_name"),
            required("function_type", "type"),
            may("sym_visibility", "string"),
            may("arg_attrs", "array", "dict"),
            may("res_attrs", "array", "dict"),
            may("no_inline", "unit"),
        ),
        regions=(region("body", blocks="any"),),
        format="custom(function)",
        traits=traits("any_terminator", "isolated", "symbol"),
        section="functions",
        default_dialect="func",
        constraints=rules.FUNCTION,
    ),
    OpDef(
        "func.call",
        "Calls a function of the module.",
        operands=(variadic("operands", ANY_TYPE),),
        attributes=(
            required("callee", "symbol"),
            may("arg_attrs", "array", "dict"),
            may("res_attrs", "array", "dict"),
            may("no_inline", "unit"),
        ),
        results=(variadic("results", ANY_TYPE),),
        format="$callee `(` $operands `)` attr-dict `:` type(function)",
        constraints=rules.CALL,
        control_flow="call",
        callee="callee",
    ),
    OpDef(
        "func.call_indirect",
        "Calls the function that a value stands for.",
        operands=(operand("callee", FUNCTION), variadic("callee_operands", ANY_TYPE)),
        attributes=(may("arg_attrs", "array", "dict"), may("res_attrs", "array", "dict")),
        results=(variadic("results", ANY_TYPE),),
        format="$callee `(` $callee_operands `)` attr-dict `:` type(callee)",
        constraints=rules.CALL_INDIRECT,
        control_flow="call",
    ),
    OpDef(
        "func.constant",
        "A function of the module as a value.",
        attributes=(required("value", "symbol"),),
        results=(operand("result", FUNCTION),),
        format="attr-dict $value `:` type(results)",
        traits=traits("constant"),
        result_names=("f",),
        constraints=rules.CONSTANT,
    ),
    OpDef(
        "func.return",
        "Ends a function and gives its results.",
        operands=(variadic("operands", ANY_TYPE),),
        format="attr-dict [ $operands `:` type(operands) ]?",
        traits=traits("terminator"),
        constraints=rules.RETURN,
        parents=("func.func",),
    ),
)

DIALECT = dialect_of("func", OP_DEFS, region_end="func.return")
