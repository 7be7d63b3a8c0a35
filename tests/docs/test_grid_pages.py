"""Worked pages of the debugger: what they show is what happens."""

from __future__ import annotations

import pytest

from shlo.cli import main

from .replay import ROOT, replayed

PAGES = ["two-futures.md", "grids-wrong-data.md", "grids-deadlock.md", "grids-mesh.md", "debugger-scopes.md"]


@pytest.mark.parametrize("name", PAGES)
def test_the_debugger_answers_what_the_page_shows(name, monkeypatch):
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / name).read_text("utf-8")
    assert page.count("\n(shlo) ") > 4
    assert replayed(page) == page


def test_the_deadlock_is_reported_as_the_page_shows(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "grids-deadlock.md").read_text("utf-8")
    command, _, shown = page.split("```console\n$ shlo ")[1].split("```")[0].partition("\n")
    arguments = command.replace("'", "").split()
    assert main(arguments) == 1
    assert capsys.readouterr().err == shown
