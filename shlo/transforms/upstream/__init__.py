"""The passes of MLIR itself: what they make of programs is what the MLIR tools make of them."""
