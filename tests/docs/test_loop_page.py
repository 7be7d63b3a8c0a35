"""The worked page on a wrong value in a loop: what it shows is what happens."""

from __future__ import annotations

import pytest

from .replay import ROOT, replayed


def test_the_debugger_answers_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "wrong-value-in-a-loop.md").read_text("utf-8")
    assert replayed(page) == page
    assert "  #12     -112\n" in page
