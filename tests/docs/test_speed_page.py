"""docs/speed.md is made from docs/speed.json, whose programs are those of the corpus benchmark."""

from __future__ import annotations

import json

from benchmarks.corpus_programs import CORPUS
from docs.generate_speed import FIGURES, PAGE, page

SAVED = json.loads(FIGURES.read_text(encoding="utf-8"))


def test_page_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(SAVED), "python docs/generate_speed.py writes it"


def test_all_programs_were_measured_and_agree_with_xla() -> None:
    assert list(SAVED["programs"]) == list(CORPUS)
    assert all(figures["agrees"] for figures in SAVED["programs"].values())
