"""Kernels of linear algebra, through LAPACK and BLAS, and Fourier transforms."""
