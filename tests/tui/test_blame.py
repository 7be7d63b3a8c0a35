"""Blame on the screen: a tree that keys walk."""

from __future__ import annotations

import pytest

from shlo_tui.dialogs.blame import BlameScreen
from shlo_tui.widgets.values import ValuesPane

from .conftest import DIVERGING, TRAINING

pytestmark = pytest.mark.asyncio


async def test_enter_goes_to_the_operation_of_a_row(drive):
    async with drive(*DIVERGING) as debugger:
        await debugger.press("x", "x", "W")
        assert isinstance(debugger.app.screen, BlameScreen)
        assert "jnp.exp made 198 Inf of 2,048" in debugger.text
        await debugger.press("enter")
        assert debugger.position == 759
        chosen = debugger.app.pane(ValuesPane).chosen
        assert chosen
        assert chosen.name == "9"


async def test_a_key_that_means_nothing_to_a_popup_closes_it_and_does_what_it_does(drive):
    async with drive(*DIVERGING) as debugger:
        for popup in (("x", "x", "W"), ("4", "O"), ("B",)):
            await debugger.press(*popup)
            before = debugger.position
            await debugger.press("n")
            await debugger.settle()
            assert len(debugger.app.screen_stack) == 1, popup
            assert debugger.position == before + 1, popup


async def test_without_a_number_that_is_not_finite_there_is_no_tree(drive):
    async with drive(*TRAINING) as debugger:
        await debugger.press("n", "W")
        assert "no number that is not finite is here" in debugger.text
