"""Kernels of the process grid: collectives, channels, Shardy and parallel runs."""
