"""Hover texts: values, operations and their definitions in Markdown."""
