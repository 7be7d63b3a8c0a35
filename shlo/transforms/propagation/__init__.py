"""Propagation: a type that changes, and all that follows from it.

Sizes and element types are variables (`sizes`). Each operation ties those of its operands, results and
attributes, or relates them by arithmetic (`rules`, `relations`); functions are instantiated for each call
(`program`). The solved variables become a module (`rebuilding`), numbers that count elements follow them
(`counts`). `propagate` is the entry point.
"""

from shlo.transforms.propagation.propagate import ChangedType, Propagated, PropagationError, propagate

__all__ = ["ChangedType", "Propagated", "PropagationError", "propagate"]
