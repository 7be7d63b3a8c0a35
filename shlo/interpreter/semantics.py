"""Which document a run follows, the StableHLO specification or XLA on CPU, and every place where these part.

XLA departs from the specification on purpose in a few places. Kernels follow the specification; those of a
run with `semantics="xla"` do as XLA where a `Departure` says so: they ask `OpView.departs`. A program
is compiled once for each semantics (`program_of`), so a kernel of one never serves the other.
docs/differences.md is generated from this table.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

from msgspec import Struct

Semantics = Literal["spec", "xla"]
SEMANTICS: Final[tuple[Semantics, ...]] = get_args(Semantics)


class Departure(Struct, frozen=True):
    """One place where XLA on CPU departs from the specification.

    Args:
        name: stable name, as in docs/differences.md.
        operations: names of the operations without dialect.
        specification: what the specification says, Markdown.
        xla: what XLA does, Markdown.
        kernels: the module in `shlo.interpreter.kernels` that asks for it; empty where `semantics="xla"` does
            as the specification all the same.
        reason: why XLA is not followed, where it is not.
    """

    name: str
    operations: tuple[str, ...]
    specification: str
    xla: str
    kernels: str = ""
    reason: str = ""


WHOLE_SCATTER_WINDOWS = Departure(
    "scatter-windows",
    ("scatter",),
    "judges each element of an update: those inside of the operand are combined",
    "drops the whole window of an update of which any element is outside",
    "indexing.scatter",
)
PADDING_SKIPPED = Departure(
    "reduce-window-padding",
    ("reduce_window",),
    "pads with the initial value, which a window therefore combines for each place outside of the operand, "
    "and once at the start",
    "passes over places outside of the operand and in the holes of `base_dilations`: the initial value "
    "counts once (the same where it is neutral)",
    "reduction.window",
)
NAN_WITHOUT_MANTISSA = Departure(
    "reduce-precision-nan",
    ("reduce_precision",),
    "a format without mantissa bits has no NaN: the reference interpreter gives +inf",
    "keeps NaN, but in its folding of constants",
    "elementwise.conversion",
)
SIX_BIT_EXPONENTS = Departure(
    "integer-power",
    ("power",),
    "integer exponents count in full",
    "up to jaxlib 0.11, reads the last six bits of an exponent that is not negative, so 3 to the 65th is 3, "
    "and takes unsigned numbers for signed ones; jaxlib 0.12 counts exponents in full",
    "elementwise.table",
)
ALGORITHMS_IGNORED = Departure(
    "dot-algorithm",
    ("dot_general",),
    "rounds operands to the algorithm's precision types, splits them into components, and accumulates in its "
    "accumulation type",
    "on CPU, forms every product and sum in the operands' type, in f32 for narrower floats",
    "contraction.dot",
)
BITS_OF_BYTES = Departure(
    "popcnt-of-i4",
    ("popcnt",),
    "counts the four bits of an i4",
    "counts those of the byte that holds it, with the sign in the upper half: 5 for -8",
    "elementwise.bitwise",
)
NIBBLES_IN_BYTES = Departure(
    "i4-in-bytes",
    ("add", "multiply", "subtract", "negate", "abs", "power", "shift_left"),
    "results of i4 wrap at four bits",
    "keeps i4 in eight bits between operations that it fuses, so that `convert` and `compare` see numbers "
    "that did not wrap: 7 * 2 is 14 there, and -2 where it is a result of the program; other types wrap",
    reason="what is fused with what is for the compiler to choose",
)
SUBNORMALS_FLUSHED = Departure(
    "subnormals",
    ("add", "multiply", "compare", "every arithmetic of f32 and f64"),
    "IEEE 754 arithmetic, subnormal numbers included",
    "takes subnormal operands for zeros, and gives zeros for subnormal results",
    reason="a mode of the processor that Python cannot set; changed results are below 1.2e-38 (f32)",
)
REDUCED_WINDOW_BY_WINDOW = Departure(
    "reduce-initial-value",
    ("reduce",),
    "may combine the initial value any number of times",
    "combines it once more for each window of 32 elements, and never where every result is made of one "
    "element, which shows where it is not neutral",
    reason="both are allowed; shlo combines it once, as the reference interpreter",
)
EMPTY_INDEX_VECTORS = Departure(
    "scatter-without-indices",
    ("scatter",),
    "combines all updates at index 0 where `scatter_dims_to_operand_dims` is empty",
    "combines the operand with the last update, and leaves out those before it",
    reason="a fault, not an operation of its own",
)
DIGAMMA_AT_ZERO = Departure(
    "digamma-at-zero",
    ("digamma",),
    "NaN, as CHLO's expansion says for each integer that is not positive",
    "-inf at 0 and -0 in jaxlib 0.12, NaN in 0.10",
    reason="depends on the version of XLA",
)
SLICES_MERGED = Departure(
    "merged-slices",
    ("dynamic_slice",),
    "clamps the start indices of each slice",
    "merges two slices in a row, and clamps the sum of their start indices once",
    reason="a fault of a simplification, not of an operation",
)
SORT_AS_TOP_K = Departure(
    "sort-as-top-k",
    ("sort",),
    "sorts its operands together, whatever they hold",
    "takes a sort of values with an iota, of which a slice is used, for a top-k, also where the iota runs "
    "along another dimension",
    reason="a fault of a simplification, not of an operation",
)
NAN_OF_BYTES = Departure(
    "nan-of-bytes",
    ("sort", "compare"),
    "`TOTALORDER` has a place for each NaN, by its bits",
    "converts f8 to a wider type and back, where all NaN become one: those of f8E5M2 are alike in a sort, "
    "and lose their bits",
    reason="only NaN of several bits show it",
)
REPLICA_BY_REPLICA = Departure(
    "groups-of-both",
    ("all_gather", "reduce_scatter"),
    "lists the processes of a group of replicas and partitions partition by partition "
    "(`cross_replica_and_partition`)",
    "lists them replica by replica",
    reason="the specification has a formula and an example of the order; JAX writes flattened ids, for which "
    "both agree",
)

DEPARTURES: Final = (
    WHOLE_SCATTER_WINDOWS,
    PADDING_SKIPPED,
    NAN_WITHOUT_MANTISSA,
    SIX_BIT_EXPONENTS,
    ALGORITHMS_IGNORED,
    BITS_OF_BYTES,
    NIBBLES_IN_BYTES,
    SUBNORMALS_FLUSHED,
    REDUCED_WINDOW_BY_WINDOW,
    EMPTY_INDEX_VECTORS,
    DIGAMMA_AT_ZERO,
    SLICES_MERGED,
    SORT_AS_TOP_K,
    NAN_OF_BYTES,
    REPLICA_BY_REPLICA,
)
"""All of them: first those that `semantics="xla"` follows."""
