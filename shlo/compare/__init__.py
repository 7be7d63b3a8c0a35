"""Comparison of two programs by structure: names of values, order and locations do not count."""

from shlo.compare.comparison import aligned_text, compare, compare_and_align, paired_operations
from shlo.compare.differences import FunctionDifference, OperationDifference, ProgramDifference

__all__ = [
    "FunctionDifference",
    "OperationDifference",
    "ProgramDifference",
    "aligned_text",
    "compare",
    "compare_and_align",
    "paired_operations",
]
