"""Results have the same bits on every run: in other processes, under other hash seeds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .bits import PROGRAMS

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def _printed(seed: str) -> list[str]:
    threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "tests.interpreter.bits"]
    environment = os.environ | threads | {"PYTHONHASHSEED": seed}
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


@pytest.fixture(scope="module")
def expected() -> list[str]:
    return _printed("0")


@pytest.mark.parametrize("seed", ["1", "12345", "random"])
def test_bits_do_not_depend_on_the_hash_seed(seed: str, expected: list[str]) -> None:
    assert _printed(seed) == expected


def test_every_program_has_a_line(expected: list[str]) -> None:
    assert len(expected) == PROGRAMS.read_text().count("func.func @")
