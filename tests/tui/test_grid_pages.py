"""The worked pages on grids: their keys are pressed, and their pictures are what the screen shows then.

A page has one line `$ shlo debug ...`, lines `Keys: ...`, and pictures of the screen after all keys before
them. With SHLO_WRITE_PICTURES=1 in the environment the pictures are drawn anew.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from shlo.command_line.debugging import open_for_debugging
from shlo.command_line.options import OptionParser
from shlo_tui import command
from shlo_tui.app.app import app_on
from shlo_tui.keymap import GRID_KEYS, KEYS, shown

from .conftest import EXAMPLES, settle

DOCS = EXAMPLES.parent / "docs"
SIZE = (132, 38)
NAMES = {shown(key): key for row in (*KEYS, *GRID_KEYS) for key in row.keys} | {"Esc": "escape"}


def opened(page: str) -> list[str]:
    """Returns the arguments of the page's `shlo debug`."""
    (line,) = re.findall(r"^\$ shlo debug (.*)$", page, re.MULTILINE)
    return shlex.split(line)


def acts(page: str) -> Iterator[tuple[list[str], str]]:
    """Keys to press, and the name of the picture of the screen then."""
    keys: list[str] = []
    for line, picture in re.findall(r"^Keys: (.*)$|!\[[^\]]*\]\((\S+\.svg)\)", page, re.MULTILINE):
        if picture:
            yield keys, picture
            keys = []
        else:
            keys += [NAMES[key] for key in re.findall(r"`([^`]+)`", line)]


@pytest.mark.asyncio
@pytest.mark.parametrize("name", ["grids-wrong-data.md", "grids-deadlock.md", "grids-mesh.md"])
async def test_the_screen_shows_the_pictures_of_the_page(name, monkeypatch):
    monkeypatch.chdir(EXAMPLES.parent)
    page = (DOCS / name).read_text("utf-8")
    parser = OptionParser("shlo debug")
    command.configure(parser)
    app = app_on(open_for_debugging(parser.parse_intermixed_args(opened(page))))
    pictures = list(acts(page))
    assert pictures
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        for keys, picture in pictures:
            for key in keys:
                await pilot.press(key)
                await settle(pilot)
            await pilot.pause()
            assert_shows(app.export_screenshot(), DOCS / picture)


def assert_shows(drawn: str, path: Path) -> None:
    """Compares a picture with the one of the page."""
    if os.environ.get("SHLO_WRITE_PICTURES") == "1":
        path.write_text(drawn, "utf-8")
    assert drawn == path.read_text("utf-8"), f"SHLO_WRITE_PICTURES=1 draws {path.name} anew"
