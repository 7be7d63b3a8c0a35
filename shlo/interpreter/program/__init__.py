"""Programs prepared for execution: code blocks, bound kernels, liveness, and checks."""
