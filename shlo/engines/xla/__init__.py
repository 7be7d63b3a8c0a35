"""XLA as an engine, through the PJRT runtimes that JAX brings."""
