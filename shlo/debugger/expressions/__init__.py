"""Expressions: NumPy-like arithmetic over values in scope, for conditions, watches and `print`."""
