"""Kernels, in modules named after the families of the definitions."""
