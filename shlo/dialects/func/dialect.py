"""OpDefs of MLIR's func dialect."""

from __future__ import annotations

from shlo.dialects.attr_constraints import (
    DICT_ATTR,
    STRING_ATTR,
    SYMBOL_ATTR,
    SYMBOL_NAME_ATTR,
    TYPE_ATTR,
    UNIT_ATTR,
    array_of,
)
from shlo.dialects.func import rules
from shlo.dialects.opdef import OpDef, dialect_of, may, operand, region, required, traits, variadic
from shlo.dialects.type_constraints import ANY_TYPE, FUNCTION

OP_DEFS = (
    OpDef(
        "func.func",
        "Defines a function with a body, or declares one without.",
        attributes=(
            required("sym_name", SYMBOL_NAME_ATTR),
            required("function_type", TYPE_ATTR),
            may("sym_visibility", STRING_ATTR),
            may("arg_attrs", array_of(DICT_ATTR)),
            may("res_attrs", array_of(DICT_ATTR)),
            may("no_inline", UNIT_ATTR),
        ),
        regions=(region("body", blocks="any"),),
        format="custom(function)",
        traits=traits("any_terminator", "isolated", "symbol"),
        anchor="functions",
        default_dialect="func",
        constraints=rules.FUNCTION,
    ),
    OpDef(
        "func.call",
        "Calls a function of the module.",
        operands=(variadic("operands", ANY_TYPE),),
        attributes=(
            required("callee", SYMBOL_ATTR),
            may("arg_attrs", array_of(DICT_ATTR)),
            may("res_attrs", array_of(DICT_ATTR)),
            may("no_inline", UNIT_ATTR),
        ),
        results=(variadic("results", ANY_TYPE),),
        format="$callee `(` $operands `)` attr-dict `:` type(function)",
        constraints=rules.CALL,
        control_flow="call",
        callee="callee",
    ),
    OpDef(
        "func.call_indirect",
        "Calls the function that a value refers to.",
        operands=(operand("callee", FUNCTION), variadic("callee_operands", ANY_TYPE)),
        attributes=(may("arg_attrs", array_of(DICT_ATTR)), may("res_attrs", array_of(DICT_ATTR))),
        results=(variadic("results", ANY_TYPE),),
        format="$callee `(` $callee_operands `)` attr-dict `:` type(callee)",
        constraints=rules.CALL_INDIRECT,
        control_flow="call",
    ),
    OpDef(
        "func.constant",
        "Makes a value of a function of the module.",
        attributes=(required("value", SYMBOL_ATTR),),
        results=(operand("result", FUNCTION),),
        format="attr-dict $value `:` type(results)",
        traits=traits("constant"),
        result_names=("f",),
        constraints=rules.CONSTANT,
    ),
    OpDef(
        "func.return",
        "Ends a function and returns its results.",
        operands=(variadic("operands", ANY_TYPE),),
        format="attr-dict [ $operands `:` type(operands) ]?",
        traits=traits("terminator"),
        constraints=rules.RETURN,
        parents=("func.func",),
    ),
)

DIALECT = dialect_of(
    "func", OP_DEFS, region_end="func.return", kernels=("shlo.interpreter.kernels.upstream.tensor",)
)
