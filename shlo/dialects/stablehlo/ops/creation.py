"""OpDefs of the operations that make tensors out of nothing."""

from __future__ import annotations

from shlo.dialects.attr_constraints import ELEMENTS_ATTR, I64_ATTR
from shlo.dialects.opdef import OpDef, constraint, operand, required, traits
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, NUMERIC

STATIC_OUTPUT = constraint(
    "A1", "is_static(output)", was="", erratum="the MLIR tools want to know all sizes of the output"
)

OP_DEFS = (
    OpDef(
        "stablehlo.constant",
        "Makes a tensor of elements written in the program.",
        attributes=(required("value", ELEMENTS_ATTR),),
        results=(operand("output", ANY_OR_PER_AXIS),),
        format="custom(constant)",
        traits=traits("constant"),
        section="constant",
        constraints=(
            constraint(
                "C1",
                "shape(value) = shape(output) and element_type(value)"
                " = (is_quantized(output) and not is_quantized(value) ? storage_type(output)"
                " : element_type(output))",
                erratum="a quantized constant holds what is stored",
            ),
            STATIC_OUTPUT,
        ),
        quantized="own",
    ),
    OpDef(
        "stablehlo.iota",
        "A tensor that counts from zero along one dimension.",
        attributes=(required("iota_dimension", I64_ATTR),),
        results=(operand("output", NUMERIC),),
        format="`dim` `=` $iota_dimension attr-dict `:` type(results)",
        section="iota",
        constraints=(
            constraint("C1", "0 <= iota_dimension < rank(output)"),
            STATIC_OUTPUT,
        ),
        quantized="dequantize",
    ),
)
