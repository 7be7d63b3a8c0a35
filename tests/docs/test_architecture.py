"""ARCHITECTURE.md has the packages that there are, in the layers that are checked; what engineers read is short."""

from __future__ import annotations

import re
import tomllib

import pytest

from .replay import ROOT

TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
LAYERS = [
    {name.strip().removeprefix("shlo.") for name in layer.split("|")} for layer in CONTRACTS[0]["layers"]
]


def test_the_drawing_has_the_layers_of_the_contract() -> None:
    drawing = TEXT.split("```")[1]
    lines = (re.split(r"\s{3,}", line.strip())[0] for line in drawing.splitlines())  # behind: what it is
    drawn = [set(re.findall(r"[a-z]\w+", line)) for line in lines if re.search("[a-z]", line)]
    assert drawn == LAYERS


def test_the_table_has_all_packages() -> None:
    table = set(re.findall(r"`(?:[a-z]+/)?(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", TEXT, re.M))))
    assert set().union(*LAYERS) - table == {"api"}


@pytest.mark.parametrize(
    ("pattern", "most_lines"),
    [
        ("ARCHITECTURE.md", 150),
        ("CONTRIBUTING.md", None),
        ("docs/adr/*.md", 60),
        ("docs/internals/*.md", None),
        ("benchmarks/notes/*.md", None),
    ],
)
def test_documents_for_engineers_have_short_lines_and_few(pattern: str, most_lines: int | None) -> None:
    for path in ROOT.glob(pattern):
        lines = path.read_text("utf-8").splitlines()
        assert [line for line in lines if len(line) > 120] == [], path.name
        assert most_lines is None or len(lines) <= most_lines, path.name
