"""OpDef of the sort."""

from __future__ import annotations

from shlo.dialects.attr_constraints import BOOL_ATTR, I64_ATTR
from shlo.dialects.opdef import OpDef, constraint, defaulted, region, traits, variadic
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED

OP_DEFS = (
    OpDef(
        "stablehlo.sort",
        "Sorts tensors together along one dimension, by a region that compares.",
        operands=(variadic("inputs", ANY_OR_QUANTIZED),),
        attributes=(defaulted("dimension", I64_ATTR, "-1 : i64"), defaulted("is_stable", BOOL_ATTR, "false")),
        regions=(region("comparator"),),
        results=(variadic("results", ANY_OR_QUANTIZED),),
        section="sort",
        constraints=(
            constraint("C1", "0 < size(inputs)"),
            constraint("C2", "baseline_type(inputs...) = baseline_type(results...)"),
            constraint("C3", "same(shape(inputs...) ++ shape(results...))"),
            constraint("C4", "-rank(inputs[0]) <= dimension < rank(inputs[0])"),
            constraint(
                "C5",
                "input_types(comparator) = [tensor([], element_type(inputs[floor(i / 2)]))"
                " for i in range(2 * size(inputs))] and output_types(comparator) = [tensor([], i1)]",
            ),
        ),
        quantized="own",
        traits=traits("any_terminator"),
    ),
)
