"""The moves of a stepper in a page: its buttons, and the keys in its source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct


class Control(Struct, frozen=True):
    """A move: the text and icon of its button (empty for a key without one), its tooltip, its line of the
    command language, which that of the source's cursor follows where it `takes_line`, and its key.
    """

    text: str
    icon: str
    tooltip: str
    command: str
    key: str = ""
    takes_line: bool = False


CONTROLS: Final = (
    Control("restart", "fast-backward", "go to the beginning", "restart"),
    Control(
        "reverse", "backward", "back to the breakpoint before, or the beginning", "reverse-continue", "C"
    ),
    Control("back over", "step-backward", "back to the operation before this one", "reverse-next", "N"),
    Control("back", "chevron-left", "take back one step", "reverse-step", "S"),
    Control("step", "chevron-right", "take one step, into regions and functions", "step", "s"),
    Control("next", "step-forward", "take the operation as a whole", "next", "n"),
    Control("out", "level-up", "on until the region or function has ended", "finish", "f"),
    Control(
        "NaN before",
        "chevron-up",
        "back to where the NaN or infinity before was made",
        "reverse-nonfinite",
        "X",
    ),
    Control("next NaN", "chevron-down", "on to where the next NaN or infinity is made", "nonfinite", "x"),
    Control("continue", "forward", "on to the next breakpoint, or the end", "continue", "c"),
    Control("", "", "run to the cursor's line", "until", "t", takes_line=True),
    Control("", "", "back to the cursor's line", "reverse-until", "T", takes_line=True),
)

GRID_CONTROLS: Final = (
    Control(
        "back to synchronisation",
        "angle-double-left",
        "back to where all had arrived at a synchronisation point",
        "reverse-sync",
    ),
    Control(
        "all to next synchronisation",
        "angle-double-right",
        "all processes on to their next collective operation, message or end",
        "sync",
    ),
)
"""Those of a grid of processes."""


def keys_of(controls: Iterable[Control]) -> dict[str, str]:
    """Returns the keys that the source takes, and what each is for."""
    return {control.key: control.tooltip for control in controls if control.key}
