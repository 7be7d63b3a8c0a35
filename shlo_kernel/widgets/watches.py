"""The stepper's pinned values: expressions that are shown wherever it stops, each with a view of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ipywidgets import HTML, Button, HBox, Layout, Text, ToggleButton, VBox
from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.expressions.watches import Watch
from shlo.debugger.text.format import watch_text
from shlo_kernel.mime.markup import shown
from shlo_kernel.widgets.closing import close_all
from shlo_kernel.widgets.tensor import TensorPane

_TEXT: Final = Markup('<code class="shlo-pinned" style="white-space:pre-wrap">{}</code>')


class WatchList(VBox):
    """The session's watches, a row for each.

    Args:
        session: the session.
        run: carries a line of the command language out, and refreshes.
    """

    def __init__(self, session: Session, run: Callable[[str], None]) -> None:
        self.session = session
        self._run = run
        self._rows: dict[int, WatchRow] = {}
        self.field = Text(
            placeholder="pin a value: %x, max(%x), %x[0, :]",
            continuous_update=False,
            layout=Layout(width="98%"),
        )
        self.field.observe(self._pin, "value")
        super().__init__([self.field])

    def refresh(self) -> None:
        """Shows the watches as they are, and what each is where the session is."""
        watches = {watch.number: watch for watch in self.session.watches}
        gone = [row for number, row in self._rows.items() if number not in watches]
        rows = {
            number: self._rows.get(number) or WatchRow(self.session, watch, self._run)
            for number, watch in watches.items()
        }
        if rows.keys() != self._rows.keys():
            self._rows = rows
            self.children = [self.field, *rows.values()]
        for row in gone:
            close_all(row)
        for row in rows.values():
            row.refresh()

    def _pin(self, change: Any) -> None:
        if change.new.strip():
            self.field.value = ""
            self._run(f"display {change.new.strip()}")


class WatchRow(VBox):
    """A watch: what it is, a button that takes it away, and one that shows it in a tensor view."""

    def __init__(self, session: Session, watch: Watch, run: Callable[[str], None]) -> None:
        self.session, self.watch = session, watch
        small = Layout(width="32px", flex="0 0 auto")
        self.remove = Button(icon="times", tooltip=f"unpin {watch.expression}", layout=small)
        self.remove.on_click(lambda _: run(f"undisplay {watch.number}"))
        self.views = ToggleButton(icon="th", tooltip="a view of it that stays at each step", layout=small)
        self.views.observe(lambda _: self.refresh(), "value")
        self.text = HTML()
        self.tensor: TensorPane | None = None
        super().__init__([HBox([self.remove, self.views, self.text])])

    def refresh(self) -> None:
        """Shows what it is in the selected frame."""
        frame = self.session.selected_frame
        self.text.value = _TEXT.format(shown(watch_text(self.session, self.watch, frame)))
        if self.views.value and self.tensor is None:
            self.tensor = TensorPane()
        self.children = [self.children[0], *([self.tensor] if self.views.value and self.tensor else [])]
        if self.views.value and self.tensor is not None:
            text = self.watch.expression.text
            try:
                self.tensor.show(text, self.session.evaluate(text, frame).value)
            except DebuggerError:  # the text says why
                self.tensor.show("", None)
