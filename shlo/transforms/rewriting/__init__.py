"""Rewriting: patterns, builder and driver that the passes share."""
