"""Tutorials, and pages like them, followed word by word in an empty folder, print what they show."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.oracle import JAXLIB

from .replay import ROOT
from .tutorials import PAGES, followed


def masked(page: str) -> str:
    """Returns a page without the numbers that XLA gives: they are those of a kind of processor and of a version
    of XLA. Programs of a newer JAX than the pages show have other operations: there all numbers of values, lines
    and steps are left out.
    """
    page = re.sub(r"(--engine xla\n.*\n).*\n", r"\1...\n", page)
    page = re.sub(r"(largest difference: )\S+", r"\1...", page)
    return re.sub(r"(%|MLIR line |step |^\[)\d+", r"\1...", page) if JAXLIB >= (0, 12) else page


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.oracle
@pytest.mark.parametrize("name", PAGES)
def test_commands_print_what_the_tutorial_shows(name: str, tmp_path: Path) -> None:
    page = (ROOT / "docs" / name).read_text("utf-8")
    assert masked(followed(name, tmp_path)) == masked(page)
    assert page.count("\n$ ") + page.count("\n```\n\n```text\n") > 2
