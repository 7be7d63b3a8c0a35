"""The public API changes only on purpose: a snapshot, docstrings, the changelog."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from docs.public_api import (
    CURRENT,
    RELEASED,
    PublicName,
    changed_names,
    class_doc,
    public_names,
    snapshot,
)

from .replay import ROOT

NAMES = list(public_names())


def test_the_snapshot_is_up_to_date() -> None:
    assert CURRENT.read_text("utf-8") == snapshot(), "python -m docs.public_api writes it"


def test_the_changelog_names_what_changed_since_the_release() -> None:
    top = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.M)[1]
    told = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]+)`", top))))
    assert changed_names(RELEASED.read_text("utf-8"), CURRENT.read_text("utf-8")) <= told


def test_changes_are_found_by_name() -> None:
    before = "shlo.run: def run(x)\nshlo.load: def load(path)\n"
    after = "shlo.run: def run(x, y)\nshlo.load: def load(path)\nshlo.Module.size: property size: int\n"
    assert changed_names(before, after) == {"run", "size"}


@pytest.mark.parametrize("name", NAMES, ids=[f"{each.module}.{each.name}" for each in NAMES])
def test_a_public_name_has_a_docstring(name: PublicName) -> None:
    needs_none = name.signature.endswith((": str", ": tuple")) or name.signature.startswith(f"{name.name}: ")
    assert needs_none or name.doc
    undocumented = [
        each.name
        for each in name.members
        if re.search(r"\bdef |^property ", each.signature) and not each.doc and each.name != "__init__"
    ]
    assert undocumented == []


def test_a_docstring_that_python_writes_is_none() -> None:
    class Documented:
        """Documented."""

    class Inheriting(Documented):
        pass

    @dataclass
    class Generated:
        x: int

    class Pair(NamedTuple):
        x: int

    assert [class_doc(each) for each in (Documented, Inheriting, Generated, Pair)] == [
        "Documented.",
        "",
        "",
        "",
    ]
