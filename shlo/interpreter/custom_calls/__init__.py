"""Handlers and stubs of custom calls."""
