"""docs/differences.md is up to date."""

from __future__ import annotations

from docs.generate_differences import PAGE, page


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "python docs/generate_differences.py writes it"
