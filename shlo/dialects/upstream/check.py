"""OpDefs of the check dialect: what test programs claim about their values."""

from __future__ import annotations

from shlo.dialects.attr_constraints import ELEMENTS_ATTR, F64_ATTR, STRING_ATTR, UI32_ATTR, UI64_ATTR
from shlo.dialects.opdef import OpDef, defaulted, dialect_of, filled, operand, required, traits
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED, FLOAT_OR_COMPLEX

_EFFECT = traits("effect")
_VALUE = required("value", ELEMENTS_ATTR)
_TOLERANCE = defaulted("tolerance", F64_ATTR, "1.000000e-04 : f64")

OP_DEFS = (
    OpDef(
        "check.expect_eq",
        "Claims that two tensors are equal, element by element.",
        operands=(operand("lhs", ANY_OR_QUANTIZED), operand("rhs", ANY_OR_QUANTIZED)),
        format="$lhs `,` $rhs attr-dict `:` type(one)",
        traits=_EFFECT,
        quantized="own",
    ),
    OpDef(
        "check.expect_eq_const",
        "Claims that a tensor is equal to a constant.",
        operands=(operand("lhs", ANY_OR_QUANTIZED),),
        attributes=(_VALUE,),
        format="$lhs `,` $value attr-dict type(of_value)",
        traits=_EFFECT,
        quantized="own",
    ),
    OpDef(
        "check.expect_almost_eq",
        "Claims that two tensors differ by no more than a tolerance.",
        operands=(operand("lhs", FLOAT_OR_COMPLEX), operand("rhs", FLOAT_OR_COMPLEX)),
        attributes=(_TOLERANCE,),
        format="$lhs `,` $rhs [ `,` `tolerance` `=` $tolerance ]? attr-dict `:` type(one)",
        traits=_EFFECT,
    ),
    OpDef(
        "check.expect_almost_eq_const",
        "Claims that a tensor differs from a constant by no more than a tolerance.",
        operands=(operand("lhs", FLOAT_OR_COMPLEX),),
        attributes=(_VALUE, _TOLERANCE),
        format="$lhs `,` $value [ `,` `tolerance` `=` $tolerance ]? attr-dict type(of_value)",
        traits=_EFFECT,
    ),
    OpDef(
        "check.expect_close",
        "Claims how many floating-point numbers lie between two tensors' elements.",
        operands=(operand("actual", FLOAT_OR_COMPLEX), operand("expected", FLOAT_OR_COMPLEX)),
        attributes=(
            filled("max_ulp_difference", UI64_ATTR, "1 : ui64"),
            defaulted("min_ulp_difference", UI64_ATTR, "0 : ui64"),
        ),
        format=(
            "$actual `,` $expected `,` `max_ulp_difference` `=` $max_ulp_difference"
            " [ `,` `min_ulp_difference` `=` $min_ulp_difference ]? `:` attr-dict type(operands)"
        ),
        traits=_EFFECT,
    ),
    OpDef(
        "check.expect_serialized_eq",
        "Claims that a tensor is equal to what a probe has written to a file.",
        operands=(operand("expected", ANY_OR_QUANTIZED),),
        attributes=(required("probe_id", STRING_ATTR), defaulted("iteration", UI32_ATTR, "0 : ui32")),
        format=(
            "$expected `,` `probe_id` `=` $probe_id [ `,` `iter` `=` $iteration ]? attr-dict"
            " `:` type(operands)"
        ),
        traits=_EFFECT,
        quantized="own",
    ),
)

DIALECT = dialect_of("check", OP_DEFS, kernels=("shlo.interpreter.kernels.upstream.testing",))
