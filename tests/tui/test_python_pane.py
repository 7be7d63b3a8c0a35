"""The pane with the Python that a program was made from."""

from __future__ import annotations

import pytest

from shlo_tui.widgets.outline import PythonPane
from shlo_tui.widgets.source import SourcePane

from .conftest import DIVERGING
from .test_keys import LOOP

pytestmark = pytest.mark.asyncio


async def test_the_python_follows_the_program_and_the_program_the_python(drive):
    async with drive(*DIVERGING) as debugger:
        pane = debugger.app.pane(PythonPane)
        assert not pane.display
        await debugger.press("colon")
        await debugger.type("until scope layer_1")
        await debugger.press("escape", "7")
        assert pane.display
        assert "lower_diverging.py" in str(pane.border_title)
        assert "->    40" in debugger.text
        await debugger.press("colon")
        await debugger.type("next line")
        await debugger.press("escape")
        assert "->    42" in debugger.text
        assert pane.cursor == 41
        pane.focus()
        await debugger.press("j")
        assert debugger.app.pane(SourcePane).cursor + 1 == 191  # the first operation of line 43
        await debugger.press("7")
        assert not pane.display
        assert debugger.app.pane(SourcePane).has_focus


async def test_a_program_without_python_says_so(drive, write):
    async with drive(write(LOOP)) as debugger:
        await debugger.press("7")
        assert not debugger.app.pane(PythonPane).display
        assert "--source-root DIR" in debugger.text
