"""docs/scorecards.md and docs/how-we-know.md: up to date."""

from __future__ import annotations

import json

from docs import generate_how_we_know, generate_scorecards


def test_pages_are_up_to_date() -> None:
    cards = json.loads(generate_scorecards.DATA.read_text("utf-8"))
    assert generate_scorecards.PAGE.read_text("utf-8") == generate_scorecards.page_of(cards), (
        "python docs/generate_scorecards.py writes it"
    )
    assert generate_how_we_know.PAGE.read_text("utf-8") == generate_how_we_know.page(), (
        "python -m docs.generate_how_we_know writes it"
    )
