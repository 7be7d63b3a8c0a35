"""Transforms of modules."""
