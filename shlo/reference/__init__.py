"""The reference: the specification's sentences as code, element by element, for reading and for judging.

`evaluate(module, arguments)` runs a program. Read `tensor.py` and `element.py` first, then the operations in
`elementwise.py`, `movement.py`, `indexing.py`, `reduction.py`, `products.py`, `linear_algebra.py`,
`quantization.py`, `randomness.py`, `control_flow.py` and `collectives.py`: one short function for each, in
the specification's words.

Nothing here is fast, and no arithmetic is NumPy's. Arithmetic of floats is exact, then rounded once, as
IEEE 754 asks; other functions come from mpmath with many more digits than any type has.
"""

from shlo.reference.evaluation import evaluate, evaluate_grid, meanings

__all__ = ["evaluate", "evaluate_grid", "meanings"]
