"""Commands that pages name take the options that these give them."""

from __future__ import annotations

import re

from docs.site.contents import pages
from release.share import own_commands
from shlo.transforms.passes import all_passes

from .replay import ROOT

FLAGS = {
    command.name: {flag for option in command.options for flag in option.flags} for command in own_commands()
}
FLAGS["opt"] |= {f"--{name}" for name in all_passes()}
WRITTEN = re.compile(r"(?:`|^\$ |^)shlo (\w+)([^`\n#|]*)", re.MULTILINE)
FLAG = re.compile(r"(?<![\w-])(--[a-z][\w-]*|-[a-zA-Z])(?![\w-])")
PAGES = sorted(file for file in pages() if file.endswith(".md"))


def test_options_exist() -> None:
    named = [
        (file, command, flag)
        for file in PAGES
        for command, rest in WRITTEN.findall((ROOT / file).read_text("utf-8"))
        for flag in FLAG.findall(rest)
        if command in FLAGS
    ]
    assert [each for each in named if each[2] not in FLAGS[each[1]]] == []


def test_pages_name_options() -> None:
    assert {"run", "debug", "check", "test", "diff"} <= set(FLAGS)
    assert WRITTEN.findall("`shlo run x --grid 2x4`") == [("run", " x --grid 2x4")]
    assert FLAG.findall(" x --grid 2x4 -j 4 -1") == ["--grid", "-j"]
