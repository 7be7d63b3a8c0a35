"""Refactorings: edits on request, which keep what a program computes, or whose titles say what changes."""
