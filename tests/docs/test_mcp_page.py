"""docs/mcp.md lists the tools and the options that there are."""

from __future__ import annotations

import re
from argparse import ArgumentParser

from shlo_mcp.command import configure

from .replay import ROOT

PAGE = (ROOT / "docs" / "mcp.md").read_text("utf-8")


def test_its_tables_have_all_tools_and_limits() -> None:
    from shlo_mcp.server import NAMES  # takes seconds, which each process of a run would wait for

    rows = re.findall(r"^\| `([^`]+)` \|", PAGE, re.MULTILINE)
    parser = ArgumentParser(add_help=False)
    configure(parser)
    flags = {flag for action in parser._actions for flag in action.option_strings} - {"--allow"}
    assert {row for row in rows if not row.startswith("-")} == set(NAMES)
    assert {row.split()[0] for row in rows if row.startswith("-")} == flags
