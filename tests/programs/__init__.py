"""JAX programs that tests and benchmarks lower: one module per theme, see `tests/jax_programs.py`."""
