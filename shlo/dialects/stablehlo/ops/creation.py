"""OpDefs of the operations that make tensors: constants, counters, random numbers."""

from __future__ import annotations

from shlo.dialects.attr_constraints import ELEMENTS_ATTR, I64_ATTR, enum_of
from shlo.dialects.opdef import OpDef, constraint, formulas, operand, required, traits
from shlo.dialects.stablehlo import enums
from shlo.dialects.stablehlo.ops.parts import ANY_OR_PER_AXIS, INTEGER_VECTOR, NUMERIC
from shlo.dialects.stablehlo.rules.work import no_work, random_work
from shlo.dialects.type_constraints import BOOLEAN_TYPE, FLOAT_TYPE, INTEGER_TYPE, tensor

STATIC_OUTPUT = constraint(
    "A1", "is_static(output)", erratum="the MLIR tools want to know all sizes of the output"
)
_BITS = tensor(INTEGER_TYPE | FLOAT_TYPE)
_SCALAR = tensor(BOOLEAN_TYPE | INTEGER_TYPE | FLOAT_TYPE, rank=0)

OP_DEFS = (
    OpDef(
        "stablehlo.constant",
        "Makes a tensor of elements written in the program.",
        attributes=(required("value", ELEMENTS_ATTR),),
        results=(operand("output", ANY_OR_PER_AXIS),),
        format="custom(constant)",
        traits=traits("constant"),
        constraints=(
            *formulas("""
                C1: shape(value) = shape(output) and element_type(value)
                    = (is_quantized(output) and not is_quantized(value) ? storage_type(output)
                    : element_type(output)) # a quantized constant holds what is stored
            """),
            STATIC_OUTPUT,
        ),
        quantized="own",
        work=no_work,
    ),
    OpDef(
        "stablehlo.iota",
        "Counts from zero along one dimension of a tensor.",
        attributes=(required("iota_dimension", I64_ATTR),),
        results=(operand("output", NUMERIC),),
        format="`dim` `=` $iota_dimension attr-dict `:` type(results)",
        constraints=(constraint("C1", "0 <= iota_dimension < rank(output)"), STATIC_OUTPUT),
        quantized="dequantize",
    ),
    OpDef(
        "stablehlo.rng",
        "Makes random numbers of a distribution, with the implementation's generator.",
        operands=(operand("a", _SCALAR), operand("b", _SCALAR), operand("shape", INTEGER_VECTOR)),
        attributes=(required("rng_distribution", enum_of(enums.RNG_DISTRIBUTION)),),
        results=(operand("result", tensor(BOOLEAN_TYPE | INTEGER_TYPE | FLOAT_TYPE)),),
        format="$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution attr-dict `:` type(function)",
        traits=traits("effect"),
        inputs=("a", "b", "shape", "rng_distribution"),
        constraints=formulas("""
            C1: element_type(a) = element_type(b) = element_type(result)
            C2: if rng_distribution = NORMAL then is_float(a)
            C3: rank(result) = size(shape) and shape(result) = value(shape)
            I3 unenforced: element_type(shape) = i64 # the MLIR tools take integers of all widths
        """),
        work=random_work,
    ),
    OpDef(
        "stablehlo.rng_bit_generator",
        "Makes random bits and the generator's next state from a state.",
        operands=(operand("initial_state", _BITS),),
        attributes=(required("rng_algorithm", enum_of(enums.RNG_ALGORITHM)),),
        results=(operand("output_state", _BITS), operand("output", _BITS)),
        format="$initial_state `,` `algorithm` `=` $rng_algorithm attr-dict `:` type(function)",
        inputs=("rng_algorithm", "initial_state"),
        constraints=(
            *formulas("""
                C1: shape(initial_state) = shape(output_state) # the MLIR tools compare the shapes alone
                C1 unenforced: type(initial_state) = type(output_state)
                A1: is_static(output) # the MLIR tools want to know all sizes of the output
            """),
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
        work=random_work,
    ),
)
