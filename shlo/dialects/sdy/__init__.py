"""The sdy dialect (Shardy): op cards, attributes, and the rules that the MLIR tools enforce, by part."""
