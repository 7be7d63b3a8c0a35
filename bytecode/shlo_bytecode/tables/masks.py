"""Which parts an operation has in the file: bits of one byte."""

(
    HAS_ATTRIBUTES,
    HAS_RESULTS,
    HAS_OPERANDS,
    HAS_SUCCESSORS,
    HAS_REGIONS,
    HAS_USE_LISTS,
    HAS_PROPERTIES,
) = (1 << bit for bit in range(7))
