"""The stepper's Python: the file that the operation comes from, and what made a number that is not finite."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ipywidgets import HTML, Button, HBox, Layout, VBox
from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.provenance.chain import Link
from shlo.debugger.views.blame import BlameRow, blame_tree, unfolded
from shlo.debugger.views.python import python_notes, python_view
from shlo.places.place import short_file_text
from shlo.runner.interrupts import interruptible
from shlo.text.escape import escaped
from shlo_kernel.mime.markup import render, shown
from shlo_kernel.widgets.panes import named_list

AROUND: Final = 5
"""How many lines are shown above and below the current one."""
MOST_ROWS: Final = 200
"""How many rows of a tree are listed."""
ROWS_IN_VIEW: Final = 14
"""How many of them are seen together."""
ROW_HEIGHT: Final = 17
"""How many points of the screen a row is high."""

_FILE: Final = Markup('<div class="shlo-python"><small>{}</small>{}</div>')
_NOTE: Final = Markup('{}<span style="opacity:.75">   {}</span>')


def python_html(session: Session) -> Markup:
    """Returns the lines of Python around the one that the operation comes from, with the values of the names
    that they assign, and the lines that called it marked; empty where the file is not known.
    """
    view = python_view(session)
    if view is None or not view.current:
        return Markup("")
    lines = range(max(view.current - AROUND, 1), min(view.current + AROUND, len(view.lines)) + 1)
    notes = python_notes(session, view, lines)
    rows = [
        (
            line,
            _NOTE.format(shown(view.text(line)), shown(notes[line])) if line in notes else view.text(line),
            line == view.current,
            line in view.stops,
            line in view.callers,
        )
        for line in lines
    ]
    return _FILE.format(short_file_text(view.file), render("source", mark="shlo-python", rows=rows))


class BlameList(VBox):
    """The tree of what made a number that is not finite, the root on top: a row that is chosen goes to where
    its element was bound.

    Args:
        session: the session.
        refresh: called after it has gone somewhere.
        fail: called with the words of an error.
    """

    def __init__(self, session: Session, refresh: Callable[[], None], fail: Callable[[str], None]) -> None:
        self._session, self._refresh, self._fail = session, refresh, fail
        self.title = HTML()
        self.rows = named_list("causes")
        self.rows.observe(self._choose, "value")
        self._close = Button(icon="times", tooltip="close", layout=Layout(width="32px"))
        self._close.on_click(lambda _: self.clear())
        self._is_updating = False
        super().__init__()

    def show(self, name: str) -> None:
        """Shows the tree of the number that the session has stopped at, else of a value in scope."""
        try:
            tree = interruptible(lambda: blame_tree(self._session, name))
        except DebuggerError as error:
            self.clear()
            self._fail(str(error))
            return
        self._is_updating = True
        self.title.value = Markup("<b>{}</b>").format(shown(tree.title))
        self.rows.options = [(_label(row), row.link) for row in unfolded(tree.rows)][:MOST_ROWS]
        self.rows.value = None
        height = min(len(self.rows.options), ROWS_IN_VIEW) * ROW_HEIGHT + 10
        self.rows.layout = Layout(width="98%", height=f"{height}px")
        self._is_updating = False
        self.children = (HBox([self.title, self._close]), self.rows)

    def clear(self) -> None:
        """Shows nothing."""
        self.children = ()

    def _choose(self, change: Any) -> None:
        link = change.new
        if self._is_updating or not isinstance(link, Link):
            return
        if link.element.process != self._session.cursor.selected:
            self._session.select_process(link.element.process)
        self._session.goto(link.element.position)
        self._refresh()


def _label(row: BlameRow) -> str:
    """Returns a row in one line; spaces at its beginning, which pages leave out, as those that they keep."""
    return "\u00a0" * (4 * row.depth) + escaped(f"{row.python}  {row.text}".strip())
