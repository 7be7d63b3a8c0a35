"""The NumPy models that the benchmarks compare with compute what XLA computes."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.numpy_models import MODELS

from .jax_programs import PROGRAMS


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_xla(name: str) -> None:
    program = PROGRAMS[name]
    _, arguments = program.build()
    (expected,) = program.expected
    np.testing.assert_allclose(MODELS[name](*arguments), expected, rtol=program.rtol, atol=program.atol)
