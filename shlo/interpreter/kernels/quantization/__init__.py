"""Arithmetic on quantized tensors, and kernels of other numbers lifted to them."""
