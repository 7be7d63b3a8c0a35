"""The public API changes only on purpose: a snapshot, docstrings, the changelog."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pytest

from docs.public_api import (
    CURRENT,
    RELEASED,
    PublicName,
    class_doc,
    public_names,
    snapshot,
    untold_changes,
)

from .replay import ROOT

NAMES = list(public_names())


def test_the_snapshot_is_up_to_date() -> None:
    assert CURRENT.read_text("utf-8") == snapshot(), "python -m docs.public_api writes it"


def test_the_changelog_tells_what_changed_since_the_release() -> None:
    top = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text("utf-8"), flags=re.M)[1]
    assert untold_changes(RELEASED.read_text("utf-8"), CURRENT.read_text("utf-8"), top) == []


BEFORE = """\
shlo.run: def run(x: int) -> int
shlo.load: def load(path)
shlo.Session: class Session
shlo.Session.__init__: def __init__(self, x: int) -> None
shlo.Session.x: x: int
"""
AFTER = """\
shlo.run: def run(x: int, y: int) -> int
shlo.load: def load(path)
shlo.Session: class Session
shlo.Session.__init__: def __init__(self, x: int, z: int) -> None
shlo.Session.x: x: int
shlo.Session.z: z: int
shlo.debugger.Run: class Run
shlo.debugger.Run.last: property last: int
"""


@pytest.mark.parametrize(
    ("section", "untold"),
    [
        ("- `shlo.run(x, y=1)` adds.\n- `Session.z`, and `debugger.Run` for runs.\n", []),
        ("- `shlo run --y` adds.\n- `Session.z`, `shlo.debugger.Run`.\n", ["shlo.run"]),
        ("- `shlo.run`.\n- `y`, `Session.z`, `shlo.debugger.Run`.\n", ["shlo.run"]),
        ("- `shlo.run(y)`, Session.z, `z`, `Run`.\n", ["shlo.Session.z", "shlo.debugger.Run"]),
    ],
)
def test_a_change_is_told_by_its_full_name_and_its_parameters(section: str, untold: list[str]) -> None:
    assert untold_changes(BEFORE, AFTER, section) == untold


def undocumented(name: PublicName) -> Iterator[str]:
    """Yields a name, and those of its members, that need a docstring and have none."""
    needs_none = name.signature.endswith((": str", ": tuple")) or name.signature.startswith(f"{name.name}: ")
    if not (needs_none or name.doc):
        yield f"{name.module}.{name.name}"
    for each in name.members:
        if re.search(r"\bdef |^property ", each.signature) and not each.doc and each.name != "__init__":
            yield f"{name.module}.{name.name}.{each.name}"


def test_public_names_have_docstrings() -> None:
    assert [each for name in NAMES for each in undocumented(name)] == []


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
