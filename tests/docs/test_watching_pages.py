"""The pages on the sanitizer and on shadows: the command that each shows, and what it prints."""

from __future__ import annotations

import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout

import pytest

from shlo.cli import main

from .replay import ROOT

SANITIZER_FINDS = 1
SHADOW_TELLS = 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "expected"), [("sanitizer.md", SANITIZER_FINDS), ("shadow.md", SHADOW_TELLS)]
)
def test_what_a_run_is_told_of_is_printed_as_shown(
    page: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / "docs" / page).read_text("utf-8")
    ((command, output),) = re.findall(
        r"^```console\n\$ shlo ([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    )
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        assert main(shlex.split(command)) == expected
    assert printed.getvalue() == output
