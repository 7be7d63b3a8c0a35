"""Writes docs/accuracy.md: how far results may be off, from what the tests assert.

python docs/generate_accuracy.py
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tests.differential.elementwise import (
    COMPLEX_FORMULAS,
    COMPLEX_ULPS,
    EXACT,
    FLOATS,
    INTEGER_FORMULAS,
    ROUNDINGS,
    TRANSCENDENTAL,
    ULPS,
)
from tests.kernels.accuracy_functions import BITS, FUNCTIONS, GOAL, MEASURED, ONE_ROUNDING, ROUNDED_ONCE

PAGE = Path(__file__).with_name("accuracy.md")
_SHORT = {
    "float64": "f64",
    "float32": "f32",
    "float16": "f16",
    "bfloat16": "bf16",
    "float8_e5m2": "f8E5M2",
    "float8_e4m3fn": "f8E4M3FN",
}
INTRODUCTION = """# Accuracy

How far results of the interpreter may be from the exact ones: what the tests assert, and no more.
`python docs/generate_accuracy.py` writes this page from the tables of the tests. [The tolerances of `shlo
diff`](engines.md#tolerances) are something else: how far two engines may be apart before it is a finding.

A *unit in the last place* (ULP) is the distance between neighbouring numbers of the type near the exact
result. A result that is the exact one, rounded once, is off by half a unit at most.

## The same bits

These results are compared bit for bit, signed zeros included, with Python's integers and with IEEE 754
arithmetic, on the edges of each type. NaNs count as equal whatever their bits.

"""
FUNCTIONS_HEAD = f"""
## Functions

Each function is compared with a reference at random points of all magnitudes, close to where it is zero,
infinite or steep, and at special values. References are computed in f64 with SciPy and NumPy for types of 32
bits and fewer, otherwise with {BITS} bits. Where XLA on CPU is off by more than {GOAL:g} units at these
points, a result may be off by twice as much as XLA's.

A number is in units in the last place of each element. `{ULPS} eps` is {ULPS} times the type's epsilon (the
distance from 1 to the next number) times the largest element of the result. An empty cell is not promised:
no test asserts it.

"""
SUMS = """
## Sums and products

Their results depend on the order of additions, which the specification leaves open.

- `dot_general`, `convolution` and the like: narrow floats are multiplied and added in a wider type, and
  rounded once. Products of f32 and f64 are NumPy's, which uses the BLAS library of the machine.
- `reduce` and `reduce_window` of floats below 32 bits round each combination to the type, in XLA's order;
  sums of f32 and f64 are added pairwise or one after the other.
- Integers wrap around, in every order.
- `cholesky`, `triangular_solve`, `fft` and the calls of LAPACK are SciPy's: backward stable, without a
  promise for single elements.
- Numbers are IEEE 754's, subnormal ones included; XLA takes them for zeros ([differences](differences.md)).
"""


def page() -> str:
    """Returns the page as it should be."""
    return INTRODUCTION + _exact() + FUNCTIONS_HEAD + _functions() + SUMS


def _exact() -> str:
    floats = ", ".join(_SHORT[name] for name in FLOATS)
    rows = [
        (_names(INTEGER_FORMULAS), "integers of every width, signed and unsigned; booleans where defined"),
        (_names(EXACT), floats),
        (_names(ROUNDINGS), floats),
    ]
    return _table(("operations", "types"), rows)


def _functions() -> str:
    heads = [*(_SHORT[name] for name in FLOATS), "complex"]
    names = sorted({*FUNCTIONS, *(f"stablehlo.{name}" for name in TRANSCENDENTAL)})
    rows = ((f"`{name}`", *(_real(name, type_) for type_ in FLOATS), _complex(name)) for name in names)
    return _table(("function", *heads), rows)


def _real(name: str, type_: str) -> str:
    if name in ROUNDED_ONCE and type_ == "float32":
        return f"{ONE_ROUNDING:g}"
    if name in FUNCTIONS and type_ in MEASURED:
        return f"{GOAL:g}"
    return f"{ULPS} eps" if _short(name) in TRANSCENDENTAL else ""


def _complex(name: str) -> str:
    return f"{COMPLEX_ULPS} eps" if _short(name) in COMPLEX_FORMULAS else ""


def _short(name: str) -> str:
    dialect, _, rest = name.partition(".")
    return rest if dialect == "stablehlo" else ""


def _names(operations: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(operations))


def _table(titles: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [titles, tuple("---" for _ in titles), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8", newline="\n")
