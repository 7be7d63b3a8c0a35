"""The panes beside the source that are there when they are asked for: outline and printed output."""

from __future__ import annotations

from shlo.text.escape import sanitized
from shlo.text.numbers import plural
from shlo_tui.render.status_text import Spans
from shlo_tui.session.view_model import OutlineRow
from shlo_tui.widgets.events import OutlineChosen
from shlo_tui.widgets.lines import LinePane, Palette

OPEN_ROWS = 40
"""An outline of at most so many rows is open as a whole at first; of a longer one, the functions are."""


class OutlinePane(LinePane):
    """The functions and scopes of the program as a tree; Enter goes to a scope in the source."""

    rows: tuple[OutlineRow, ...]

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self._all: tuple[OutlineRow, ...] = ()
        self._folded: set[tuple[str, str]] = set()
        self.here = ("", "")

    def show(self, rows: tuple[OutlineRow, ...], here: tuple[str, str]) -> None:
        """Shows an outline, in which the program is at a function and scope; hides the pane where it is
        empty.
        """
        is_first = not self._all
        if is_first and len(rows) > OPEN_ROWS:
            self._folded = {row.path for row in rows if row.is_parent and row.depth}
        self._all, self.here = rows, here
        self._arrange()
        if is_first:
            lines = [line for line, row in enumerate(self.rows) if self._is_here(row)]
            self.put_cursor(lines[-1] if lines else 0)

    def _arrange(self) -> None:
        """Lists the rows that are not below a folded one."""
        rows: list[OutlineRow] = []
        below = None
        for row in self._all:
            if below is not None and row.depth > below:
                continue
            below = row.depth if row.path in self._folded else None
            rows.append(row)
        self.rows = tuple(rows)
        self.resize_content()

    def _is_here(self, row: OutlineRow) -> bool:
        """Returns whether the program is in a scope, or in a folded one around it."""
        function, scope = self.here
        if row.path == self.here:
            return True
        is_around = not row.path[1] or scope.startswith(f"{row.path[1]}/")
        return row.path[0] == function and is_around and row.path in self._folded

    def spans(self, line: int, width: int) -> Spans:
        """Returns a scope's marks and name, its operations and lines."""
        row = self.rows[line]
        fold = " " if not row.is_parent else "▸" if row.path in self._folded else "▾"
        where = f"line {row.first_line}" if row.first_line else ""
        ops = plural(row.ops, "op")
        share = ops if not row.executed else f"{row.executed:,}/{ops}"
        indent = "  " * min(row.depth, max(width // 6, 1))
        return [
            ("▶" if self._is_here(row) else " ", "arrow"),
            (f"{indent}{fold} ", "dim"),
            (f"{sanitized(row.name)}  ", "name" if not row.depth else "scope"),
            *([(f"{row.nonfinite}  ", "alarm")] if row.nonfinite else []),
            (f"{share}  {where}", "changed" if row.executed == row.ops else "dim"),
        ]

    def action_sideways(self, by: int) -> None:
        """Folds the scope under the cursor, or unfolds it; on one without others, goes to the one around."""
        if not self.rows:
            return
        row = self.rows[self.cursor]
        if by > 0:
            self._folded.discard(row.path)
        elif row.is_parent and row.path not in self._folded:
            self._folded.add(row.path)
        else:
            around = (line for line in range(self.cursor, -1, -1) if self.rows[line].depth < row.depth)
            self.put_cursor(next(around, self.cursor))
        self._arrange()

    def action_choose(self) -> None:
        """Posts `OutlineChosen` for the scope under the cursor."""
        if self.rows and self.rows[self.cursor].first_line:
            self.post_message(OutlineChosen(self.rows[self.cursor].first_line))


class OutputPane(LinePane):
    """What the program printed on the way to where it is, the last entry at the bottom."""

    rows: tuple[str, ...]

    def show(self, rows: tuple[str, ...]) -> None:
        """Shows lines; goes to the last."""
        lines = tuple(line for row in rows for line in row.split("\n"))
        if lines != self.rows:
            self.rows = lines
            self.resize_content()
            self.put_cursor(len(lines) - 1)

    def spans(self, line: int, width: int) -> Spans:
        """Returns a line, with its position and place dimmed."""
        head, separator, text = sanitized(self.rows[line]).partition(": ")
        if not separator:
            return [(f" {head}", "text")]
        return [(f" {head}{separator}", "dim"), (text, "text")]
