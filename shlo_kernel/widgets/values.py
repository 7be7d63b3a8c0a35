"""The stepper's list of values: those in scope in the selected frame, or the results at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ipywidgets import Layout, Select, Text, VBox

from shlo.debugger import Session
from shlo.text.escape import escaped

LISTED: Final = 200
"""How many values are listed, those that were bound last."""
SUMMED_UP: Final = 40
"""How many of them are listed with a summary."""
RESULT: Final = "result "
"""What the names of results begin with; the name of no value has a blank in it."""


class ValueList(VBox):
    """Values by name, the newest first. `choose` is called when one is chosen."""

    def __init__(self, session: Session, choose: Callable[[], None]) -> None:
        self.session = session
        self._choose = choose
        self._is_updating = False
        self.filter = Text(placeholder="filter values", layout=Layout(width="98%"))
        self.select = Select(layout=Layout(width="98%", height="148px"))
        self.filter.observe(lambda _: self.refresh(), "value")
        self.select.observe(self._tell, "value")
        super().__init__([self.filter, self.select])

    @property
    def title(self) -> str:
        """The chosen value's name and type; empty where none is chosen."""
        return (self.select.label or "").partition(" = ")[0]

    @property
    def value(self) -> Any:
        """The chosen value, None where none is. Raises DebuggerError where it cannot be computed again."""
        name = self.select.value
        if name is None:
            return None
        if name.startswith(RESULT):
            return self.session.results[int(name.removeprefix(RESULT))]
        return self.session.value(name, self.session.selected_frame)

    @property
    def line(self) -> int | None:
        """The line whose operation bound the chosen value, None where nothing tells."""
        name, frame = self.select.value, self.session.selected_frame
        if name is None or frame < 0:
            return None
        return next((each.line for each in self.session.values(frame) if each.name == name), None)

    def choose_line(self, line: int) -> bool:
        """Chooses the value that the operation on a line bound; returns whether there is one in scope."""
        frame = self.session.selected_frame
        names = {each.name for each in self.session.values(frame) if each.line == line} if frame >= 0 else ()
        name = next((name for _, name in self.select.options if name in names), None)
        if name is not None:
            self.select.value = name
        return name is not None

    def refresh(self) -> None:
        """Lists what is in scope; the value that the last step bound is chosen, or the one that was."""
        before = self.select.value
        self._is_updating = True
        try:
            options = list(self._results() if self.session.selected_frame < 0 else self._values())
            self.select.options = options
            names = [name for _, name in options]
            last_step = self.session.snapshot.last_step
            wanted = (*(last_step.bound if last_step else ()), before, *names)
            self.select.value = next((name for name in wanted if name in names), None)
        finally:
            self._is_updating = False
        self._choose()

    def _tell(self, change: Any) -> None:
        if not self._is_updating:
            self._choose()

    def _results(self) -> Iterator[tuple[str, str]]:
        if self.session.snapshot.status == "done":
            for number in range(len(self.session.results)):
                yield f"{RESULT}{number}", f"{RESULT}{number}"

    def _values(self) -> Iterator[tuple[str, str]]:
        wanted = self.filter.value.strip().removeprefix("%")
        views = self.session.values(self.session.selected_frame, None if wanted else LISTED)
        found = [view for view in reversed(views) if wanted in view.name]
        for number, view in enumerate(found[:LISTED]):
            frame = self.session.selected_frame
            summary = self.session.summary(view.name, frame) if number < SUMMED_UP else None
            own = f" ({view.label})" if view.label else ""
            label = f"%{view.name}{own} : {view.type}" + (f" = {summary}" if summary else "")
            yield escaped(label), view.name
