"""Differences between the specification, the MLIR tools and shlo, as tables."""
