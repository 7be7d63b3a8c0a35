"""Modules into modules. Each transform leaves its argument as it is and shares what it does not change."""

from shlo.transforms.chlo_to_stablehlo import chlo_to_stablehlo
from shlo.transforms.fold import fold
from shlo.transforms.refine import refine

__all__ = ["chlo_to_stablehlo", "fold", "refine"]
