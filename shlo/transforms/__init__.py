"""Modules into modules. Each transform leaves its argument as it is and shares what it does not change."""

from shlo.transforms.fold import fold
from shlo.transforms.refine import refine

__all__ = ["fold", "refine"]
