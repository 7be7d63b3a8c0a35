"""The work on a program grows about linearly with its size, whatever its shape: counted in steps, not in
time.
"""

from __future__ import annotations

import math

import pytest

from tests.growth.shapes import SHAPES
from tests.growth.work import WORK, count_steps

pytestmark = pytest.mark.slow

SIZES = (16, 32, 64)
"""Nesting stays below its limit."""
ALL = sorted(SHAPES)
MOST = 1.75
"""The largest exponent: 1 is linear, 2 is quadratic. A logarithm, and names of more digits, take a part."""
FEW = 10_000
"""Work of fewer steps than this is not judged."""
STEPS = 30_000_000
COUNTED = (
    *("parse", "print", "print_locations", "verify", "write_bytecode", "read_bytecode"),
    *("format", "edit", "symbols", "tokens", "folding"),
)
"""What users wait for most; `benchmarks/growth.py` measures the other features of the language service, too.
"""
LEFT_OUT = {
    ("mesh_axes", "edit"): "one jump between 32 and 64 axes; 200 steps for each axis from 64 to 512",
}
"""Shapes on which the growth of an operation cannot be told at these sizes, and why."""


def growth(name: str, operation: str) -> tuple[float, list[int]]:
    """Returns the exponent with which the steps of an operation grow, and the steps at each size.

    The exponent is that of the increments: a constant part does not hide growth.
    """
    steps: list[int] = []
    WORK[operation](SHAPES[name](SIZES[0]))()  # what is imported and compiled late
    for size in SIZES:
        text = SHAPES[name](size)
        steps.append(count_steps(WORK[operation](text), STEPS))
    first, second = steps[1] - steps[0], steps[2] - steps[1]
    if steps[-1] < FEW or first <= 0 or second <= 0:
        return 0.0, steps
    return math.log2(second / first), steps


@pytest.mark.parametrize("name", ALL)
def test_the_steps_of_every_operation_grow_about_linearly(name: str):
    found = {operation: growth(name, operation) for operation in COUNTED if (name, operation) not in LEFT_OUT}
    assert not {operation: each for operation, each in found.items() if each[0] > MOST}
