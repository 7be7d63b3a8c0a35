"""OpDefs of the conversions between numbers and quantized numbers."""

from __future__ import annotations

from shlo.dialects.opdef import OpDef, formulas, operand
from shlo.dialects.stablehlo.ops.parts import ELEMENTWISE, FLOAT, SAME
from shlo.dialects.type_constraints import FLOAT_TYPE, per_axis_tensor, quantized_tensor, tensor

_QUANTIZED = quantized_tensor() | per_axis_tensor()

OP_DEFS = (
    OpDef(
        "stablehlo.uniform_quantize",
        "Quantizes floating-point or quantized numbers to the result's type.",
        operands=(operand("operand", tensor(FLOAT_TYPE) | quantized_tensor() | per_axis_tensor()),),
        results=(operand("result", _QUANTIZED),),
        format=SAME,
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: shape(operand) = shape(result)
            C2: expressed_type(result) = (is_float(operand) ? element_type(operand) : expressed_type(operand))
        """),
        quantized="own",
    ),
    OpDef(
        "stablehlo.uniform_dequantize",
        "Converts quantized numbers to the floating-point numbers that they represent.",
        operands=(operand("operand", _QUANTIZED),),
        results=(operand("result", FLOAT),),
        format=SAME,
        traits=ELEMENTWISE,
        constraints=formulas("""
            C1: shape(operand) = shape(result)
            C2: element_type(result) = expressed_type(operand)
        """),
        quantized="own",
    ),
)
