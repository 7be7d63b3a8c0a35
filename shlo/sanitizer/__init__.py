"""Finds what the specification leaves open when it happens in a run: see docs/sanitizer.md and ADR 16."""
