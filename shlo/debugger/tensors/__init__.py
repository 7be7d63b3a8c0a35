"""Summaries, bits and differences of tensors."""
