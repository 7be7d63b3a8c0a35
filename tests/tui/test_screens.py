"""Pictures of every pane and screen, narrow and wide, with all colours, few, none, and in ASCII."""

from __future__ import annotations

import pytest

from shlo_tui.theme import Appearance

from .conftest import BROKEN, DIVERGING, TRANSFORMER, app_of, keys

NARROW, WIDE = (80, 24), (140, 45)
NAN = ("x", "x", "asterisk")

SCENES = {
    "stepping": (TRANSFORMER, ("n", "n", "n", "s", "b")),
    "nan": (DIVERGING, NAN),
    "frames": (DIVERGING, (*NAN, "2", "up")),
    "heat": (TRANSFORMER, (*("n",) * 8, "4", "v", "v")),
    "sources": (DIVERGING, (*NAN, "O", "enter")),
    "findings": (BROKEN, ("down",)),
    "help": (TRANSFORMER, ("question_mark",)),
    "breakpoints": (TRANSFORMER, ("b", "down", "b", "B", "space")),
}
"""A program and keys for each picture."""

LOOKS = {"few": Appearance("few"), "none": Appearance("none"), "ascii": Appearance("none", ascii=True)}


@pytest.mark.parametrize("size", [NARROW, WIDE], ids=["narrow", "wide"])
@pytest.mark.parametrize("scene", SCENES)
def test_screen(scene, size, snap_compare):
    command, presses = SCENES[scene]
    assert snap_compare(app_of(*command), terminal_size=size, run_before=keys(presses))


@pytest.mark.parametrize("appearance", LOOKS)
def test_screen_of_a_poorer_terminal(appearance, snap_compare):
    assert snap_compare(
        app_of(*DIVERGING, appearance=LOOKS[appearance]), terminal_size=NARROW, run_before=keys(NAN)
    )
