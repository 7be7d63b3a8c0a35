"""The pane with the Python that a program was made from."""

from __future__ import annotations

import pytest

from shlo_tui.widgets.python import PythonPane
from shlo_tui.widgets.source import SourcePane

from .conftest import DIVERGING
from .test_keys import LOOP

pytestmark = pytest.mark.asyncio


async def test_the_python_follows_the_program_and_the_program_the_python(drive):
    async with drive(*DIVERGING) as debugger:
        pane, source = debugger.app.pane(PythonPane), debugger.app.pane(SourcePane)
        assert pane.display
        assert source.has_focus
        assert "lower_diverging.py" in str(pane.border_title)
        await debugger.press("colon")
        await debugger.type("until scope layer_1")
        await debugger.press("escape")
        assert "▶  40" in debugger.text
        await debugger.press("colon")
        await debugger.type("next line")
        await debugger.press("escape")
        assert "▶  42" in debugger.text
        assert pane.cursor == 41
        await debugger.press("7", "j")
        assert source.cursor + 1 == 191  # the first operation of line 43
        await debugger.press("7")
        assert not pane.display
        assert source.has_focus


async def test_keys_of_the_python_pane_break_and_run_to_its_lines(drive):
    async with drive(*DIVERGING) as debugger:
        pane = debugger.app.pane(PythonPane)
        await debugger.press("colon")
        await debugger.type("until lower_diverging.py:42")
        await debugger.press("7", "j", "b")
        assert "● 43" in debugger.text
        await debugger.press("j", "t")
        assert "▶● 43" in debugger.text  # on the way to 44
        assert "scores = " in debugger.text
        await debugger.press("b")
        assert pane.view
        assert not pane.view.stops


async def test_a_low_terminal_shows_the_python_in_the_place_of_the_source(drive):
    async with drive(*DIVERGING, size=(80, 16)) as debugger:
        pane, source = debugger.app.pane(PythonPane), debugger.app.pane(SourcePane)
        assert (pane.display, source.display) == (False, True)
        await debugger.press("7")
        assert (pane.display, source.display) == (True, False)
        await debugger.press("1")
        assert (pane.display, source.display) == (False, True)


async def test_a_program_without_python_says_so(drive, write):
    async with drive(write(LOOP)) as debugger:
        assert not debugger.app.pane(PythonPane).display
        await debugger.press("7")
        assert not debugger.app.pane(PythonPane).display
        assert "--source-root DIR" in debugger.text
