"""Kernels of operations, in modules named after families of op definitions."""
