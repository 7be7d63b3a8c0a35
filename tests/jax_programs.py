"""The corpus of JAX programs: lowered in tests and benchmarks, with XLA's results.

`PROGRAMS` maps a name to a `Program`; nothing imports JAX until a text or values are asked for. In a
test:

    @pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
    def test_results(program):
        assert_as_expected(program, shlo.run(shlo.parse(program.text()), *program.arguments))
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .programs import arrays, control_flow, giants, linear_algebra, lowering, models, numerics, signal
from .programs.registry import PROGRAMS, Array, Program

THEMES = (models, control_flow, arrays, signal, linear_algebra, numerics, lowering, giants)

RUNNABLE = [program for program in PROGRAMS.values() if program.role == "run"]
SMALL = [program for program in PROGRAMS.values() if program.role != "giant"]
GIANTS = [program for program in PROGRAMS.values() if program.role == "giant"]


def program_id(program: Program) -> str:
    """Returns the name pytest shows for a parametrised program."""
    return program.name


def assert_as_expected(program: Program, results: Sequence[Array]) -> None:
    """Compares results with XLA's: floats within the tolerance, all else exactly."""
    assert_close(program, results, program.expected)


def assert_close(program: Program, results: Sequence[Array], wanted: Sequence[Array]) -> None:
    """Compares results with others: floats within the program's tolerance, all else exactly."""
    assert len(results) == len(wanted)
    for index, (actual, expected) in enumerate(zip(results, wanted)):
        what = f"result {index} of {program.name}"
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape), what
        if expected.dtype.name.startswith(("float", "bfloat", "complex")):
            pair = (_widened(array) for array in (actual, expected))
            np.testing.assert_allclose(*pair, rtol=program.rtol, atol=program.atol, err_msg=what)
        else:
            np.testing.assert_array_equal(actual, expected, err_msg=what)


def _widened(array: Array) -> Array:
    return array.astype(np.float32) if array.dtype.itemsize < 4 else array
