"""Sections of docs/differences.md: syntax, constraints, readings of the specification, what it leaves."""

from __future__ import annotations

from docs.differences.constraints import CONSTRAINTS
from docs.differences.difference import Difference, Topic
from docs.differences.syntax import SYNTAX

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
            "XLA on CPU: once more for each window of 32 elements; never where every result is made of one "
            "element",
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

TOPICS: tuple[Topic, ...] = (SYNTAX, CONSTRAINTS, READINGS, UNDEFINED)
"""The sections in the order of the page."""
