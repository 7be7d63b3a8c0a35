"""Kernels that combine elements: reductions, windows, scans, sorting and top-k."""
