"""Tests of the kernels, one module per family."""
