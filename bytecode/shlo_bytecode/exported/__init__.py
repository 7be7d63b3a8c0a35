"""Files of `jax.export`."""
