"""The NumPy models that the benchmarks compare with compute what XLA computes."""

from __future__ import annotations

import pytest

from benchmarks.numpy_models import MODELS

from .jax_programs import PROGRAMS, assert_as_expected

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", MODELS)
def test_agrees_with_xla(name: str) -> None:
    program = PROGRAMS[name]
    _, arguments = program.build()
    assert_as_expected(program, [MODELS[name](*arguments)])
