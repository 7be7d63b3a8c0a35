"""Modules into modules. Each transform leaves its argument as it is and shares what it does not change."""

from shlo.transforms.fold import fold

__all__ = ["fold"]
