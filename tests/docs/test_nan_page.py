"""The worked page from a NaN to an input element: what it shows is what happens."""

from __future__ import annotations

import pytest

from .replay import ROOT, replayed


def test_the_debugger_answers_what_the_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "nan-in-training.md").read_text("utf-8")
    assert replayed(page) == page
    assert "%arg2[63, 5, 7] = inf  argument readings" in page
