"""What each kind of terminal gets to see."""

from __future__ import annotations

import pytest

from shlo_tui.theme import appearance_of
from shlo_tui.widgets.tensor import TensorPane

from .conftest import DIVERGING
from .test_screens import LOOKS


@pytest.mark.parametrize(
    ("environment", "encoding", "system", "plain", "colours", "is_ascii"),
    [
        ({}, "utf-8", "truecolor", False, "full", False),
        ({}, "UTF8", "256", False, "full", False),
        ({}, "utf-8", "standard", False, "few", False),
        ({"NO_COLOR": "1"}, "utf-8", "truecolor", False, "none", False),
        ({"NO_COLOR": ""}, "utf-8", "truecolor", False, "full", False),
        ({}, "iso-8859-1", "256", False, "full", True),
        ({}, "utf-8", "256", True, "full", True),
    ],
)
def test_the_look_follows_the_terminal(environment, encoding, system, plain, colours, is_ascii):
    appearance = appearance_of(environment, encoding, system, plain)
    assert (appearance.colours, appearance.ascii) == (colours, is_ascii)


@pytest.mark.asyncio
async def test_ascii_is_all_that_an_ascii_terminal_gets(drive):
    async with drive(*DIVERGING, appearance=LOOKS["ascii"]) as debugger:
        for key in ("x", "x", "v", "v", "v", "v", "question_mark", "escape", "b", "B", "escape", "ctrl+p"):
            await debugger.press(key)
            assert debugger.text.isascii(), key


@pytest.mark.asyncio
async def test_no_colour_is_left_where_none_is_wanted(drive):
    async with drive(*DIVERGING, appearance=LOOKS["none"]) as debugger:
        await debugger.press("x", "x", "v", "v")
        styles = [
            segment.style
            for strip in debugger.app.screen._compositor.render_strips()
            for segment in strip
            if segment.style
        ]
        colours = {part.name for style in styles for part in (style.color, style.bgcolor) if part}
        assert colours <= {"default"}


@pytest.mark.asyncio
async def test_heat_has_a_letter_for_each_level_where_there_are_no_colours(drive):
    async with drive(*DIVERGING, appearance=LOOKS["none"], size=(80, 40)) as debugger:
        await debugger.press("x", "x", "v", "v")
        assert debugger.app.pane(TensorPane).data.level_map
        assert " .:-=+*#%@" in "".join(dict.fromkeys(debugger.text.split("\n")[-5])) or "@" in debugger.text
