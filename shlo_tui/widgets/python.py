"""The Python that the program was made from, where its file can be read."""

from __future__ import annotations

from shlo.debugger.text.format_structure import PythonView
from shlo.text.escape import sanitized
from shlo_tui.render.status_text import Spans
from shlo_tui.widgets.events import PythonLineChosen
from shlo_tui.widgets.lines import LinePane


class PythonPane(LinePane):
    """The lines of a file; the cursor follows the line that the next operation comes from."""

    rows: tuple[str, ...]
    MARGIN = 3
    view: PythonView | None = None

    def show(self, view: PythonView | None) -> None:
        """Shows a file; None hides the pane."""
        self.view, self.rows = view, view.lines if view else ()
        self.resize_content()
        if view is not None:
            self.border_title = f"python: {sanitized(view.file)}"
            if view.current:
                self.put_cursor(view.current - 1)

    def spans(self, line: int, width: int) -> Spans:
        """Returns a line with its number and marks."""
        if self.view is None:
            return []
        row, is_current = sanitized(self.view.row(line + 1)), line + 1 == self.view.current
        return [(row[:3], "accent"), (row[3:9], "dim"), (row[9:], "name" if is_current else "text")]

    def cursor_changed(self) -> None:
        """Tells which line was chosen."""
        if self.view is not None:
            self.post_message(PythonLineChosen(self.view.file, self.cursor + 1))
