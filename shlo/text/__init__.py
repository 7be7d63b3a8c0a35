"""Formatting that all front ends share: escaping, numbers, statistics, suggestions, styled spans."""
