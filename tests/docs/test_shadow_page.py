"""The page on shadows: the causes of losses."""

from __future__ import annotations

import re

from shlo.shadow.tracker import SENTENCES

from .replay import ROOT

PAGE = (ROOT / "docs" / "shadow.md").read_text("utf-8")


def test_the_page_has_all_causes() -> None:
    table = PAGE[PAGE.index("| cause |") :]
    causes = re.findall(r"^\| ([^|]*) \| [^|]* \|$", table[: table.index("\n\n")], re.MULTILINE)
    assert causes == ["cause", *SENTENCES.values()]
