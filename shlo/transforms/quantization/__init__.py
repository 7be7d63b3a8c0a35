"""Passes over quantized programs."""
