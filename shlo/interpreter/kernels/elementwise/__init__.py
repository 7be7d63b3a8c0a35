"""Elementwise kernels: arithmetic, comparison, conversion and special functions."""
