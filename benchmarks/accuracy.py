"""How many units in the last place (ULP) functions are off, beside XLA on CPU.

    python benchmarks/accuracy.py [--type f32]... [--points N] [FUNCTION...]

Points: all magnitudes of the type, the intervals where a function varies, and both sides of its zeros,
poles and branch points, ever closer. The reference is float64 (NumPy, SciPy) for types of up to 32 bits,
else mpmath (`pip install mpmath`). "NaN" counts points where only one of result and reference is NaN (ours /
XLA's), "subnormal" is our error where operand or result is a subnormal number, which XLA takes for zero.
The goal: 2 ULP where XLA is within 2, else twice XLA's error.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

import measure

measure.use_repository()

from tests.kernels.accuracy import Measured, measured  # noqa: E402 - the repository must be on the path first
from tests.kernels.accuracy_functions import FUNCTIONS  # noqa: E402
from tests.kernels.values import dtype_named  # noqa: E402
from tests.oracle import Oracle  # noqa: E402

TYPES = {
    "f32": "float32",
    "f16": "float16",
    "bf16": "bfloat16",
    "f64": "float64",
    "complex<f32>": "complex64",
    "complex<f64>": "complex128",
}
POINTS = {"float64": 600, "complex64": 300, "complex128": 300}
"""Points of a kind (random magnitudes, an interval): fewer where mpmath is the reference."""

MANY_POINTS = 4000


def _row(name: str, spelled: str, result: Measured) -> list[str]:
    xla = "-" if result.xla is None else str(result.xla)
    nans = f"{result.ours.nans} / {'-' if result.xla is None else result.xla.nans}"
    verdict = "" if result.is_good else "OVER"
    return [
        name, spelled, str(result.points), str(result.ours), xla, nans, str(result.subnormal), verdict,
    ]  # fmt: skip


def rows(names: Sequence[str], types: Iterable[str], points: int | None) -> Iterable[list[str]]:
    """Yields the lines of the table."""
    with Oracle() as xla:
        for spelled in types:
            dtype = dtype_named(TYPES[spelled])
            count = points or POINTS.get(dtype.name, MANY_POINTS)
            for name, function in FUNCTIONS.items():
                if (names and name.partition(".")[2] not in names) or not function.is_of(dtype):
                    continue
                yield _row(name, spelled, measured(name, function, dtype, count, xla))


def main() -> None:
    """Measures and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help="such as tanh (default all)")
    parser.add_argument("--type", action="append", choices=TYPES, help="default all")
    parser.add_argument("--points", type=int, help="points of a kind")
    options = parser.parse_args()
    header = ("function", "type", "points", "shlo max / mean", "XLA max / mean", "NaN", "subnormal", "goal")
    measure.table(header, rows(options.functions, options.type or TYPES, options.points))


if __name__ == "__main__":
    main()
