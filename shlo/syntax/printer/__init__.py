"""Modules to text, byte for byte as MLIR prints them."""
