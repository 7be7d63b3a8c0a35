"""The chlo dialect: op definitions, and the rules that the MLIR tools enforce."""
