"""`docs/distributed.md`: its commands on examples run side by side, its options are those of `shlo run`."""

from __future__ import annotations

import re
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from shlo.command_line.cluster import add_cluster
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "distributed.md").read_text("utf-8")


@pytest.mark.oracle
@pytest.mark.slow
def test_commands_on_examples_run_side_by_side() -> None:
    port = free_port()
    commands = re.findall(r"^shlo (run examples/.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 2
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "shlo", *command.replace("localhost:1234", f"127.0.0.1:{port}").split()],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for command in commands
    ]
    told = [each.communicate(timeout=240) for each in started]
    assert [(each.returncode, errors) for each, (_, errors) in zip(started, told)] == [(0, "")] * 2
    assert told[0] == told[1]


def test_its_table_has_all_options() -> None:
    parser = ArgumentParser(add_help=False)
    add_cluster(parser)
    flags = {flag for action in parser._actions for flag in action.option_strings}
    rows = re.findall(r"^\| (`--.*?) \|", PAGE, re.MULTILINE)
    assert {flag for row in rows for flag in re.findall(r"--[a-z]+", row)} == flags | {"--devices"}
