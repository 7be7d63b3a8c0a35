"""Tutorials, and pages like them, followed word by word in an empty folder, print what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .replay import ROOT
from .tutorials import PAGES, followed


def masked(page: str) -> str:
    """Returns a page without the numbers that XLA gives: they are those of a kind of processor."""
    return re.sub(r"(--engine xla\n.*\n).*\n", r"\1...\n", page)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.oracle
@pytest.mark.parametrize("name", PAGES)
def test_commands_print_what_the_tutorial_shows(name: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / name).read_text("utf-8")
    assert masked(followed(name, tmp_path)) == masked(page)
    assert page.count("\n$ ") + page.count("\n```\n\n```text\n") > 2
