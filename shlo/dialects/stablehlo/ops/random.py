"""OpDefs of the operations that make random numbers."""

from __future__ import annotations

from shlo.dialects.attr_constraints import enum_of
from shlo.dialects.opdef import OpDef, constraint, operand, required, traits
from shlo.dialects.stablehlo import enums
from shlo.dialects.stablehlo.ops.parts import INTEGER_VECTOR
from shlo.dialects.type_constraints import BOOLEAN_TYPE, FLOAT_TYPE, INTEGER_TYPE, tensor

_BITS = tensor(INTEGER_TYPE | FLOAT_TYPE)
_SCALAR = tensor(BOOLEAN_TYPE | INTEGER_TYPE | FLOAT_TYPE, rank=0)

OP_DEFS = (
    OpDef(
        "stablehlo.rng",
        "Random numbers of a distribution, from a generator that the implementation owns.",
        operands=(operand("a", _SCALAR), operand("b", _SCALAR), operand("shape", INTEGER_VECTOR)),
        attributes=(required("rng_distribution", enum_of(enums.RNG_DISTRIBUTION)),),
        results=(operand("result", tensor(BOOLEAN_TYPE | INTEGER_TYPE | FLOAT_TYPE)),),
        format="$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict `:` type(function)",
        traits=traits("effect"),
        section="rng",
        inputs=("a", "b", "shape", "rng_distribution"),
        constraints=(
            constraint("C1", "element_type(a) = element_type(b) = element_type(result)"),
            constraint("C2", "if rng_distribution = NORMAL then is_float(a)"),
            constraint("C3", "rank(result) = size(shape) and shape(result) = value(shape)"),
            constraint(
                "I3",
                "element_type(shape) = i64",
                erratum="the MLIR tools take integers of all widths",
                enforced=False,
            ),
        ),
    ),
    OpDef(
        "stablehlo.rng_bit_generator",
        "Random bits and the generator's next state, from a state that the program holds.",
        operands=(operand("initial_state", _BITS),),
        attributes=(required("rng_algorithm", enum_of(enums.RNG_ALGORITHM)),),
        results=(operand("output_state", _BITS), operand("output", _BITS)),
        format="$initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:` type(function)",
        section="rng_bit_generator",
        inputs=("rng_algorithm", "initial_state"),
        constraints=(
            constraint(
                "C1",
                "shape(initial_state) = shape(output_state)",
                erratum="the MLIR tools compare the shapes alone",
            ),
            constraint("C1", "type(initial_state) = type(output_state)", enforced=False),
            constraint(
                "A1",
                "is_static(output)",
                was="",
                erratum="the MLIR tools want to know all sizes of the output",
            ),
            constraint(
                "C2",
                "rng_algorithm = DEFAULT or size(initial_state) in (rng_algorithm = PHILOX ? [2, 3] : [2])",
                enforced=False,
                needed=True,
            ),
            constraint(
                "I2",
                "rank(initial_state) = 1 and element_type(initial_state) = ui64",
                erratum="the MLIR tools take states of all shapes and numbers",
                enforced=False,
                needed=True,
            ),
        ),
        result_names=("output_state", "output"),
    ),
)
