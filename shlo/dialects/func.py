"""Cards of MLIR's func dialect."""

from __future__ import annotations

from shlo.dialects.card import Card, dialect_of, may, operand, region, required, traits, variadic

CARDS = (
    Card(
        "func.func",
        "A function: its name, its type, and its body unless it is only declared.",
        attributes=(
            required("sym_name", "symbol_name"),
            required("function_type", "type"),
            may("sym_visibility", "string"),
            may("arg_attrs", "array"),
            may("res_attrs", "array"),
            may("no_inline", "unit"),
        ),
        regions=(region("body"),),
        format="custom(function)",
        traits=traits("isolated", "symbol"),
        section="functions",
        default_dialect="func",
    ),
    Card(
        "func.call",
        "Calls a function of the module.",
        operands=(variadic("operands", "any type"),),
        attributes=(
            required("callee", "symbol"),
            may("arg_attrs", "array"),
            may("res_attrs", "array"),
            may("no_inline", "unit"),
        ),
        results=(variadic("results", "any type"),),
        format="$callee `(` $operands `)` attr-dict `:` type(function)",
        traits=traits("control_flow"),
    ),
    Card(
        "func.call_indirect",
        "Calls the function that a value stands for.",
        operands=(operand("callee", "function"), variadic("callee_operands", "any type")),
        attributes=(may("arg_attrs", "array"), may("res_attrs", "array")),
        results=(variadic("results", "any type"),),
        format="$callee `(` $callee_operands `)` attr-dict `:` type(callee)",
        traits=traits("control_flow"),
    ),
    Card(
        "func.constant",
        "A function of the module as a value.",
        attributes=(required("value", "symbol"),),
        results=(operand("result", "function"),),
        format="attr-dict $value `:` type(results)",
        traits=traits("constant"),
        result_names=("f",),
    ),
    Card(
        "func.return",
        "Ends a function and gives its results.",
        operands=(variadic("operands", "any type"),),
        format="attr-dict [ $operands `:` type(operands) ]?",
        traits=traits("terminator"),
    ),
)

DIALECT = dialect_of("func", CARDS)
