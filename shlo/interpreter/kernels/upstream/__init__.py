"""Kernels of upstream MLIR dialects: arith, math, shape, tensor, and those of test programs."""
