"""Breakpoints, their conditions, and stepping."""
