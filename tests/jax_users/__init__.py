"""Tests of what JAX users call: `shlo.run`, `shlo.debug` and the like on JAX's objects."""
