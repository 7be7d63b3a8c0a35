"""The page on costs shows what the command prints."""

from __future__ import annotations

import re
import shlex

import pytest

from shlo.cli import main

from .replay import ROOT

PAGE = ROOT / "docs" / "cost.md"
_COMMANDS = re.compile(r"(?<=^```console\n)\$ shlo (.*)\n((?:(?!```).*\n)*)", re.MULTILINE)


def test_commands_print_what_the_page_shows(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    shown = _COMMANDS.findall(PAGE.read_text("utf-8"))
    assert shown
    for command, output in shown:
        assert main(shlex.split(command)) == 0
        assert capfd.readouterr().out == output, command
