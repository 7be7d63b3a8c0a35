"""Attributes of dialects with definitions: text in both directions."""
