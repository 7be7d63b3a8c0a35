"""The corpus of JAX programs: nothing is found in it but what its programs do on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest

import shlo
from shlo.interpreter import RunOptions
from shlo.sanitizer.run import Sanitizer
from tests.conformance.__main__ import known_exceptions
from tests.conformance.programs import Result, compare_with_known
from tests.jax_programs import RUNNABLE, Program, program_id

pytestmark = pytest.mark.slow

EXPECTED = known_exceptions(Path(__file__).with_name("jax_exceptions.txt"))


@pytest.mark.parametrize("program", RUNNABLE, ids=program_id)
def test_a_jax_program_has_no_other_findings(program: Program) -> None:
    sanitizer = Sanitizer()
    sanitizer.execute(shlo.parse(program.text()), program.arguments, RunOptions())
    found = {
        f"{program.name}::{each.check.name}::{each.operation.name.removeprefix('stablehlo.')}"
        for each in sanitizer.findings
    }
    _, news = compare_with_known([Result(key, "failed", "") for key in sorted(found)], EXPECTED)
    assert news == []
