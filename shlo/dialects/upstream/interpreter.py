"""OpDefs of the interpreter dialect: programs that run programs, and look into them."""

from __future__ import annotations

from shlo.dialects.attr_constraints import STRING_ATTR, SYMBOL_ATTR, SYMBOLS_ATTR, array_of
from shlo.dialects.opdef import OpDef, constraint, dialect_of, may, operand, required, traits, variadic
from shlo.dialects.stablehlo.ops.parts import ANY_OR_QUANTIZED, VALUE
from shlo.dialects.upstream.interpreter_rules import RUN_PARALLEL

_EFFECT = traits("effect")

OP_DEFS = (
    OpDef(
        "interpreter.run_parallel",
        "Runs a grid of programs side by side.",
        operands=(variadic("inputs", VALUE),),
        attributes=(may("infeed", array_of(SYMBOL_ATTR)), required("programs", array_of(SYMBOLS_ATTR))),
        results=(variadic("results", VALUE),),
        traits=traits("effect"),
        constraints=RUN_PARALLEL,
        quantized="own",
    ),
    OpDef(
        "interpreter.print",
        "Prints a tensor.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        format="$operand attr-dict `:` type(operands)",
        traits=_EFFECT,
        quantized="own",
    ),
    OpDef(
        "interpreter.probe",
        "Writes its operand to a file and returns it unchanged.",
        operands=(operand("operand", ANY_OR_QUANTIZED),),
        attributes=(required("probe_id", STRING_ATTR),),
        results=(operand("result", ANY_OR_QUANTIZED),),
        format="$operand `,` `probe_id` `=` $probe_id attr-dict `:` type(one)",
        traits=_EFFECT,
        constraints=(constraint("A1", "type(result) = type(operand)"),),
        quantized="own",
    ),
)

DIALECT = dialect_of(
    "interpreter",
    OP_DEFS,
    kernels=(
        "shlo.interpreter.kernels.upstream.testing",
        "shlo.interpreter.kernels.spmd.processes",
    ),
)
