"""The page on the sanitizer: its table and its commands."""

from __future__ import annotations

import fnmatch
import re
import shlex

import pytest

from shlo.cli import main
from shlo.dialects.stablehlo.dialect import DIALECT
from shlo.sanitizer.table import CHECKS

from .replay import ROOT

PAGE = (ROOT / "docs" / "sanitizer.md").read_text("utf-8")


def test_the_page_has_the_table_of_findings() -> None:
    rows = {
        name: (sentence, re.findall(r"`(\w+)`", operations))
        for name, sentence, operations in re.findall(
            r"^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$", PAGE, re.MULTILINE
        )
    }
    expected: dict[str, tuple[str, list[str]]] = {}
    for check in CHECKS:
        operations = expected.setdefault(check.name, (check.sentence, []))[1]
        names = [name for pattern in check.operations for name in fnmatch.filter(DIALECT.op_defs, pattern)]
        operations += [name.removeprefix("stablehlo.") for name in names]
    assert rows == expected


@pytest.mark.slow
@pytest.mark.parametrize("command", re.findall(r"^shlo (run .*)$", PAGE, re.MULTILINE))
def test_what_is_left_out_is_not_found(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(command)) == 0
