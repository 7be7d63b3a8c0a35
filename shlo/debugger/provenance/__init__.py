"""Element provenance: which elements of which operands made an element of a result."""
