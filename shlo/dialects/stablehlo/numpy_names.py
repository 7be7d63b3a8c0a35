"""What NumPy and everyday speech call operations of StableHLO."""

from __future__ import annotations

from typing import Final

NUMPY_NAMES: Final = {
    "arange": "iota",
    "argsort": "sort",
    "astype": "convert",
    "cast": "convert",
    "clip": "clamp",
    "concat": "concatenate",
    "conv": "convolution",
    "cos": "cosine",
    "div": "divide",
    "exp": "exponential",
    "expm1": "exponential_minus_one",
    "full": "broadcast_in_dim",
    "log1p": "log_plus_one",
    "matmul": "dot_general",
    "max": "maximum",
    "mean": "reduce",
    "min": "minimum",
    "mod": "remainder",
    "mul": "multiply",
    "neg": "negate",
    "plus": "add",
    "pow": "power",
    "prod": "reduce",
    "relu": "maximum",
    "sigmoid": "logistic",
    "sin": "sine",
    "sub": "subtract",
    "sum": "reduce",
    "take": "gather",
    "where": "select",
}
"""The operation that each name means."""
