"""What a running process holds: values, limits, queues, and the execution context that kernels see."""
