"""The corpus of JAX programs: lowered in tests and benchmarks, with XLA's results.

`PROGRAMS` maps a name to a `Program`; nothing imports JAX until a program's text or values are asked for. In
a test:

    @pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
    def test_something(program): ...
"""

from __future__ import annotations

from .programs import arrays, control_flow, giants, linear_algebra, lowering, models, numerics, signal
from .programs.registry import PROGRAMS, Program

THEMES = (models, control_flow, arrays, signal, linear_algebra, numerics, lowering, giants)

RUNNABLE = [program for program in PROGRAMS.values() if program.role == "run"]
SMALL = [program for program in PROGRAMS.values() if program.role != "giant"]
GIANTS = [program for program in PROGRAMS.values() if program.role == "giant"]


def program_id(program: Program) -> str:
    """The name pytest shows for a parametrised program."""
    return program.name
