"""Constraints of Shardy's operations and attributes, as the MLIR tools check them."""
