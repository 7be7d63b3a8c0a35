"""The sdy dialect (Shardy): op definitions, attributes, and the rules that the MLIR tools enforce."""
