"""The commands of the page on engines run."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pytest

from shlo.divergence.tolerances import TOLERANCES

from .replay import ROOT

PAGE = ROOT / "docs" / "engines.md"


COMMANDS = [
    command
    for command in re.findall(r"^shlo (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)
    if "./backend" not in command  # that is the reader's own; tests/engines/test_command.py has some
]


@pytest.mark.slow
@pytest.mark.oracle
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_run(command: str) -> None:
    arguments = [sys.executable, "-m", "shlo", *shlex.split(command)]
    run = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert run.stdout


def test_the_page_has_the_table_of_tolerances() -> None:
    rows = re.findall(r"^\| (.*) \| (.*) \| ([0-9]+) \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
    shown = [(re.findall(r"`(.*?)`", names), float(ulps), reason) for names, _, ulps, reason in rows]
    assert shown == [
        ([each for each in row.operations if each != "transcendental"], row.ulps, row.reason)
        for row in TOLERANCES
    ]
