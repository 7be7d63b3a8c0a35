"""Comparing programs by structure."""
