"""ARCHITECTURE.md has the packages that there are, in the layers that are checked."""

from __future__ import annotations

import re
import tomllib

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
