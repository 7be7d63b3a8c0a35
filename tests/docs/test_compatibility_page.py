"""docs/compatibility.md is made from docs/compatibility.json."""

from __future__ import annotations

import json

from tests import compatibility


def test_the_page_shows_the_figures_that_are_stored() -> None:
    figures = json.loads(compatibility.FIGURES.read_text())
    assert compatibility.PAGE.read_text() == compatibility.page(figures)
    assert min(found["asked"]["text"] for found in figures.values()) >= 100
