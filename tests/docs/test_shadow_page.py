"""The page on shadows: its command, what that prints, and the causes of losses."""

from __future__ import annotations

import re
import shlex

import pytest

from shlo.cli import main
from shlo.shadow.tracker import SENTENCES

from .replay import ROOT

PAGE = (ROOT / "docs" / "shadow.md").read_text("utf-8")


def test_the_page_has_all_causes() -> None:
    table = PAGE[PAGE.index("| cause |") :]
    causes = re.findall(r"^\| ([^|]*) \| [^|]* \|$", table[: table.index("\n\n")], re.MULTILINE)
    assert causes == ["cause", *SENTENCES.values()]


def test_losses_are_printed_as_shown(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    ((command, output),) = re.findall(
        r"^```console\n\$ shlo ([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    )
    assert main(shlex.split(command)) == 0
    out, err = capfd.readouterr()
    assert out + err == output
