"""Stops forwards are stops backwards, and those of a full trace; `python -m tests.debugger.stops` takes more."""

from __future__ import annotations

import pytest

from tests.debugger.stops import SETTINGS, programs, walk

PROGRAMS = programs(seed=2)


@pytest.mark.parametrize(("spacing", "memory"), SETTINGS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_stops_are_those_of_a_full_trace(program, spacing, memory):
    assert walk(program, stops=6, seed=spacing + memory, spacing=spacing, memory=memory)["stops"] == 6
