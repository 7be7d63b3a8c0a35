"""Kernels that move, repeat, create or reinterpret elements without computing."""
