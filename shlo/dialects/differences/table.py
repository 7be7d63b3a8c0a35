"""Where the specification, the MLIR tools and shlo part: in syntax, constraints and readings of the text.

docs/differences.md is generated from these tables (`topics`) and from the table of values in
`shlo.interpreter.semantics`. The tables of syntax and of constraints, whose rows have programs, are in
`syntax_differences.py` and `constraint_differences.py`.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference, as a row of docs/differences.md; every field is Markdown.

    Args:
        subject: what the row is about, such as "float literals without a fraction".
        specification: what the specification says.
        tools: what the MLIR tools or XLA do.
        shlo: what shlo does.
        reason: why shlo does that.
        example: a program that shows it, empty where none is short.
        finding: what `shlo check` says of the example: nothing (empty), or the severity and code of the first
            finding, such as `warning rng-I3`.
        accepted: whether the MLIR tools accept the example.
    """

    subject: str
    specification: str
    tools: str
    shlo: str
    reason: str
    example: str = ""
    finding: str = ""
    accepted: bool = True


@dataclass(frozen=True, slots=True)
class Topic:
    """A section of docs/differences.md: a title, introductory text, and one table of differences."""

    title: str
    introduction: str
    differences: tuple[Difference, ...]


READINGS = Topic(
    "Readings of the specification",
    "Passages that can be read in several ways, or that the specification leaves open.",
    (
        Difference(
            "`compare` of type `TOTALORDER`",
            'defines it as a "combination of totalOrder and compareQuietEqual"',
            "XLA compares the bits as signed numbers",
            "compares the bits, so -0 and +0 differ under `EQ`",
            "a total order in which two values are neither less nor equal would be none",
        ),
        Difference(
            "`convert` from f64 to bf16",
            "leaves the rounding open (TBD)",
            "XLA rounds to f32 first, then to bf16",
            "rounds twice: 1 + 2^-8 + 2^-40 becomes 1",
            "JAX programs are compared with XLA",
        ),
        Difference(
            "`reduce_precision` with `mantissa_bits = 0`",
            "leaves ties open where no mantissa bit is left",
            "XLA rounds ties to even encodings: 3.0 becomes 2.0, 6.0 becomes 8.0",
            "as XLA",
            "it is the rounding of every other number of bits",
        ),
        Difference(
            "`precision_config` of `dot_general` and `convolution`",
            "`DEFAULT`, `HIGH` and `HIGHEST` trade speed for accuracy in a way that is not specified",
            "XLA on CPU computes the same for all of them",
            "as XLA: products are formed in the operands' type, in f32 for narrower floats",
            "`DEFAULT` on a CPU is the most accurate one already",
        ),
        Difference(
            "the order in which `reduce` and `reduce_window` combine bf16, f16 and narrower floats",
            "any tree over the elements in order; the body rounds every combination",
            "XLA on CPU: windows of 32 elements along each reduced dimension, from the first to the last, "
            "then their results in the same way; cumulative sums in blocks of 16; rows first in a window of "
            "`reduce_window`, but for some shapes",
            "as XLA, also where a sum saturates; windows of more than 64 places dimension by dimension",
            "the rounding shows in the result; it costs about 2 ns an element for bf16 and 5 for the others",
        ),
        Difference(
            "`dequantize`",
            "`(i - zero_point) * scale` in the storage type could wrap: 127 - (-128) of i8",
            "the reference interpreter computes in the expressed type",
            "computes in the expressed type",
            "the formula is about numbers",
        ),
    ),
)


UNDEFINED = Topic(
    "Programs that the specification does not define",
    "They run, and may give something else than XLA.",
    (
        Difference(
            "`scatter` with `unique_indices` whose indices repeat",
            "undefined",
            "XLA may combine the updates in parallel, so that some are lost",
            "combines the last update, or all of them",
            "`unique_indices` promises that there are none",
        ),
        Difference(
            "bodies of `reduce`, `reduce_window` and `scatter` that are not associative",
            "any tree of combinations",
            "XLA on CPU: another tree for each shape; the reference interpreter: from the first to the last",
            "as a balanced tree where the body is not one known operation",
            "a tree takes few passes over whole arrays",
        ),
        Difference(
            "`reduce` with an initial value that is not neutral",
            "the initial value may be combined any number of times",
            "XLA on CPU: once more for each window of 32 elements",
            "once",
            "as the reference interpreter",
        ),
        Difference(
            "`compare` of signed integers as `UNSIGNED`",
            "not allowed; the MLIR tools do not check it",
            "XLA refuses it, or folds it as a comparison of unsigned numbers",
            "warns, and compares by the element type",
            "the element type says what the bits mean",
        ),
    ),
)


def topics() -> tuple[Topic, ...]:
    """Returns the sections of docs/differences.md that are about syntax, constraints and readings."""
    from shlo.dialects.differences.constraints import CONSTRAINTS
    from shlo.dialects.differences.syntax import SYNTAX

    return SYNTAX, CONSTRAINTS, READINGS, UNDEFINED
