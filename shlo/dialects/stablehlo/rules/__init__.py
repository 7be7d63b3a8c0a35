"""Constraints of StableHLO's operations and attributes that formulas do not state."""
