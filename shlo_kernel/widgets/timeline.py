"""The stepper's picture of its run: depth of calls and regions, breakpoints, stops, NaN that was found."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from typing import Any, Final

from ipywidgets import HTML, Layout, Text, VBox
from markupsafe import Markup

from shlo.debugger import Session
from shlo.debugger.adapter.views import overview_data
from shlo.debugger.futures.marks import Marks
from shlo_kernel.widgets.script import script_output

COLUMNS: Final = 400
"""How many columns the picture has at most."""

_VIEW: Final = Markup('<shlo-timeline-view view="{}"></shlo-timeline-view>')
_PLACE: Final = Markup('<shlo-timeline-place view="{}" shown="{}" timeline="{}"></shlo-timeline-place>')
_TOLD: Final = re.compile(r"goto (\d{1,15}) \d+")


class TimelinePane(VBox):
    """The positions of a session that were reached. It keeps the last positions at which the stepper stopped
    and at which it found NaN or infinities.

    Args:
        go: called with a position that is clicked.
    """

    def __init__(self, go: Callable[[int], None]) -> None:
        self._view = secrets.token_hex(8)
        self._go = go
        self._stops = Marks()
        self._nonfinite = Marks()
        self._shown = 0
        self.place = HTML()
        self.told = Text(continuous_update=False, layout=Layout(display="none"))
        self.told.add_class(f"shlo-picked-{self._view}")
        self.told.observe(self._hear, "value")
        view = HTML(_VIEW.format(self._view))
        super().__init__([script_output("timeline_view"), view, self.place, self.told])

    def note(self, session: Session, is_nonfinite: bool) -> None:
        """Notes that a command has ended where a session is, and whether it found NaN or infinities there."""
        self._stops.add(session.futures, session.position)
        if is_nonfinite:
            self._nonfinite.add(session.futures, session.position)

    def show(self, session: Session, is_whole: bool) -> None:
        """Shows a session as it is; `is_whole` says whether the positions are all of the run. Each place
        differs from the one before: the view waits for it.
        """
        timeline = overview_data(session, COLUMNS, self._stops)
        found = [each for each in self._nonfinite.of_current(session.futures) if each <= timeline["last"]]
        self._shown += 1
        text = json.dumps({**timeline, "isDone": is_whole, "nonfinite": found})
        self.place.value = _PLACE.format(self._view, self._shown, text)

    def _hear(self, change: Any) -> None:
        """Reads which position is clicked: `goto POSITION N`; the number N makes two of them differ."""
        match = _TOLD.fullmatch(str(change.new))
        if match is not None:
            self._go(int(match[1]))
