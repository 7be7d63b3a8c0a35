"""Runs whose values are looked at on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import shlo
from shlo.interpreter import RunOptions
from shlo.runner.observed import Observations, observed_run
from tests.debugger.test_mesh_names import ON_MESH


@pytest.mark.parametrize("seconds", [30.0, 0.0])
def test_values_in_all_processes_of_a_manual_computation_are_looked_at(seconds: float) -> None:
    values = np.ones((8, 8), np.float32)
    values[5, 3] = -1
    observations: Observations = {}
    (result,) = observed_run(shlo.parse(ON_MESH), [values], RunOptions(), seconds, observations)
    np.testing.assert_array_equal(result, shlo.run(shlo.parse(ON_MESH), values)[0])
    by_operation: dict[str, Any] = {
        ON_MESH[each.offset :].split(" ", 1)[0]: (each.count, each.nonfinite)
        for each in observations.values()
    }
    assert by_operation == ({"%log": (8, "NaN"), "%sum": (8, "NaN"), "%r": (1, "NaN")} if seconds else {})
