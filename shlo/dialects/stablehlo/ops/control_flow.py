"""OpDefs of the operations that decide what runs, and of tuples."""

from __future__ import annotations

from shlo.dialects.attr_constraints import DICT_ATTR, I32_ATTR, STRING_ATTR, SYMBOL_ATTR
from shlo.dialects.func.rules import calls
from shlo.dialects.opdef import (
    Constraint,
    OpDef,
    constraint,
    defaulted,
    formulas,
    operand,
    region,
    required,
    traits,
    variadic,
)
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, BRANCH_VALUE, VALUE, VALUE_OR_BUFFER
from shlo.dialects.stablehlo.rules.work import no_work, view_work
from shlo.dialects.type_constraints import BOOLEAN_TYPE, MEMREF, SI32_TYPE, TOKEN, TUPLE, tensor

_COMPOSITE_VALUE = ANY_OR_PER_AXIS | TOKEN | TUPLE
_TUPLE_ELEMENT = ANY_OR_PER_AXIS | TOKEN | TUPLE | MEMREF


def identical_types(label: str, left: str, right: str) -> Constraint:
    """Returns two types, or lists of them, that must be the same one, unknown sizes included."""
    return constraint(
        label,
        f"identical({left}, {right})",
        was="",
        erratum="the MLIR tools compare the types as they are written",
    )


OP_DEFS = (
    OpDef(
        "stablehlo.if",
        "Runs one of two regions by a predicate.",
        operands=(operand("pred", tensor(BOOLEAN_TYPE, rank=0)),),
        regions=(region("true_branch"), region("false_branch")),
        results=(variadic("results", BRANCH_VALUE),),
        constraints=formulas("""
            C1: input_types(true_branch) = [] and input_types(false_branch) = []
            C2: output_types(true_branch) = output_types(false_branch)
            C3: type(results...) = common_types([output_types(true_branch), output_types(false_branch)])
                # a size that only one branch knows is not known
        """),
        control_flow="branch",
    ),
    OpDef(
        "stablehlo.case",
        "Runs the region of an index, the last one where there is none.",
        operands=(operand("index", tensor(SI32_TYPE, rank=0)),),
        regions=(region("branches", "variadic"),),
        results=(variadic("results", BRANCH_VALUE),),
        constraints=formulas("""
            C1: 0 < size(branches)
            C2: all(lambda branch: input_types(branch) = [], branches)
            C3: same(output_types(branches...))
            C4: type(results...) = common_types(output_types(branches...))
                # a size that only some branches know is not known
        """),
        control_flow="branch",
    ),
    OpDef(
        "stablehlo.while",
        "Runs a region while another one returns true.",
        operands=(variadic("operand", VALUE_OR_BUFFER),),
        regions=(region("cond"), region("body")),
        results=(variadic("results", VALUE_OR_BUFFER),),
        format="custom(while)",
        constraints=formulas("""
            C1: baseline_type(input_types(cond)...) = baseline_type(operand...)
                and output_types(cond) = [tensor([], i1)]
            C2: baseline_type(input_types(body)...) = baseline_type(operand...)
                and baseline_type(output_types(body)...) = baseline_type(operand...)
            C3: baseline_type(results...) = baseline_type(operand...)
        """),
        control_flow="while",
    ),
    OpDef(
        "stablehlo.composite",
        "Runs the function that decomposes a composite operation.",
        operands=(variadic("inputs", _COMPOSITE_VALUE),),
        attributes=(
            required("name", STRING_ATTR),
            defaulted("composite_attributes", DICT_ATTR, "{}"),
            required("decomposition", SYMBOL_ATTR),
            defaulted("version", I32_ATTR, "0 : i32"),
        ),
        regions=(region("composite_regions", "variadic", "any"),),
        results=(variadic("results", _COMPOSITE_VALUE),),
        format="custom(composite)",
        constraints=(
            constraint("C1", "is_namespaced_op_name(name)"),
            *calls("decomposition", "inputs", "results", ("C2", "C3", "C4")),
        ),
        control_flow="call",
        callee="decomposition",
    ),
    OpDef(
        "stablehlo.optimization_barrier",
        "Returns its operands unchanged; no operation is moved across it.",
        operands=(variadic("operand", VALUE),),
        results=(variadic("result", VALUE),),
        format="custom(optimization_barrier)",
        traits=traits("barrier"),
        constraints=(
            constraint("C1", "type(result...) = type(operand...)"),
            identical_types("A1", "type(result...)", "type(operand...)"),
        ),
        quantized="own",
        work=view_work,
    ),
    OpDef(
        "stablehlo.return",
        "Ends a region and returns its results.",
        specified=False,
        operands=(variadic("results", VALUE_OR_BUFFER),),
        format="$results attr-dict [ `:` type(operands) ]?",
        traits=traits("terminator"),
        work=no_work,
    ),
    OpDef(
        "stablehlo.tuple",
        "Makes a tuple of values.",
        operands=(variadic("val", _TUPLE_ELEMENT),),
        results=(operand("result", TUPLE),),
        format="$val attr-dict `:` type(tuple)",
        constraints=(
            constraint("C1", "type(result) = tuple_type(type(val...))"),
            identical_types("A1", "type(result)", "tuple_type(type(val...))"),
        ),
        quantized="own",
        work=view_work,
    ),
    OpDef(
        "stablehlo.get_tuple_element",
        "Takes a value from a tuple.",
        operands=(operand("operand", TUPLE),),
        attributes=(required("index", I32_ATTR),),
        results=(operand("result", _TUPLE_ELEMENT),),
        format="$operand `[` $index `]` attr-dict `:` type(function)",
        constraints=formulas("""
            C1: 0 <= index < size(tuple_element_types(operand))
            C2: type(result) = tuple_element_types(operand)[index]
        """),
        quantized="own",
        work=view_work,
    ),
)
