"""Attributes and locations: text in both directions."""
