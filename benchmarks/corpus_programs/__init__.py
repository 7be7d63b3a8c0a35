"""The programs of benchmarks/corpus.py: `CORPUS` maps a name to an `Entry`.

They are of the kinds that people run: loops of scalars, LAPACK on small matrices, special functions, random
numbers, passes over large arrays, reductions, models. None is one of the corpus of the tests.
"""

from __future__ import annotations

from . import arrays, functions, loops, models
from .table import CORPUS, Entry

__all__ = ["CORPUS", "THEMES", "Entry"]

THEMES = (loops, functions, arrays, models)
