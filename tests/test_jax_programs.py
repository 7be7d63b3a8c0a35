"""What JAX prints runs with XLA's results: the whole corpus, from the pretty text."""

from __future__ import annotations

import pytest

import shlo
from tests.jax_programs import RUNNABLE, Program, assert_as_expected, program_id

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
def test_a_jax_program_runs_with_xlas_results(program: Program) -> None:
    module = shlo.parse(program.text())
    assert_as_expected(program, shlo.run(module, *program.arguments))
