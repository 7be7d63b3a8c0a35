"""Machine code that calls routines of LAPACK and BLAS by their addresses."""
