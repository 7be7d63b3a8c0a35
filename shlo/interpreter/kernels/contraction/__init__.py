"""Kernels that sum products: dot products and convolutions."""
