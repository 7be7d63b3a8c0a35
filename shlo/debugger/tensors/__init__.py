"""Slices, statistics, summaries and colormaps of tensors."""
