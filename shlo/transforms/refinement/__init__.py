"""Refinement: unknown sizes computed from known ones."""
