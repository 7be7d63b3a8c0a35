"""Kernels that read or write at computed indices: dynamic slices, gather and scatter."""
