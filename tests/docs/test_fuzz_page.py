"""docs/fuzz.md: up to date; its commands run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from docs.generate_fuzz import PAGE, page

from .replay import ROOT


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python docs/generate_fuzz.py writes it"


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize(
    "command", re.findall(r"^shlo (.*)$", page().partition("```sh\n")[2].partition("```")[0], re.MULTILINE)
)
def test_commands_run(command: str) -> None:
    arguments = [sys.executable, "-m", "shlo", *shlex.split(command)]
    run = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout
