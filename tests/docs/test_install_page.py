"""docs/install.md names every extra for users."""

from __future__ import annotations

import re
import tomllib

from .replay import ROOT

FOR_DEVELOPERS = {"dev", "docs", "e2e"}


def test_the_table_has_all_extras() -> None:
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"]) - FOR_DEVELOPERS
    assert set(re.findall(r"^\| `shlo\[(\w+)\]`", page, re.MULTILINE)) == extras
