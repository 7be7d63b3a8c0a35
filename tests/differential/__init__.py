"""Random instances of operations, computed by the interpreter, by XLA, and by loops over the specification's
formulas.
"""
