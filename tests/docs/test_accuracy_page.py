"""The page of accuracy says what the tests assert."""

from __future__ import annotations

from docs.generate_accuracy import PAGE, page


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text("utf-8") == page(), "python docs/generate_accuracy.py writes it"


def test_a_row_has_what_each_type_is_promised() -> None:
    (row,) = [line for line in page().splitlines() if line.startswith("| `stablehlo.log` ")]
    assert row == "| `stablehlo.log` | 4 eps | 0.51 | 2 | 2 | 4 eps | 4 eps | 16 eps |"
