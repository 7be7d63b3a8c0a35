"""The stepper's lists: values in scope, where an element comes from, and pinned values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ipywidgets import HTML, Button, HBox, Layout, Text, ToggleButton, VBox
from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.expressions.watches import Watch
from shlo.debugger.provenance.chain import Link
from shlo.debugger.text.format import watch_text
from shlo.debugger.text.format_provenance import chain_text, sources_text
from shlo.debugger.views.values import RESULT, listed_values, summary_line, title_of, value_of
from shlo.runner.interrupts import interruptible
from shlo.text.escape import escaped
from shlo_kernel.mime.markup import shown
from shlo_kernel.widgets.panes import TensorWidget, close_all, named_list

LISTED: Final = 200
"""How many values are listed, those that were bound last."""
SUMMED_UP: Final = 40
"""How many of them are listed with a summary."""

_STYLE: Final = "margin:4px 0;max-height:300px;overflow:auto;font-size:12px;line-height:1.35"
_ORIGIN: Final = Markup('<pre class="shlo-origin" style="{}">{}</pre>')
_PINNED: Final = Markup('<code class="shlo-pinned" style="white-space:pre-wrap">{}</code>')


class ValueList(VBox):
    """Values by name, the newest first. `choose` is called when one is chosen."""

    def __init__(self, session: Session, choose: Callable[[], None]) -> None:
        self.session = session
        self._choose = choose
        self._is_updating = False
        self.filter = Text(placeholder="filter values", layout=Layout(width="98%"))
        self.select = named_list("values", width="98%", height="148px")
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
        return None if name is None else value_of(self.session, name)

    @property
    def line(self) -> int | None:
        """The line whose operation bound the chosen value, None where nothing tells."""
        views = listed_values(self.session)
        return next((view.line for view in views if view.name == self.select.value), None)

    def choose_line(self, line: int) -> bool:
        """Chooses the value that the operation on a line bound; returns whether there is one in scope."""
        names = {view.name for view in listed_values(self.session) if view.line == line}
        name = next((name for _, name in self.select.options if name in names), None)
        if name is not None:
            self.select.value = name
        return name is not None

    def refresh(self) -> None:
        """Lists what is in scope; the value that the last step bound is chosen, or the one that was."""
        before = self.select.value
        self._is_updating = True
        try:
            self.select.options = list(self._options())
            names = [name for _, name in self.select.options]
            last_step = self.session.snapshot.last_step
            wanted = (*(last_step.bound if last_step else ()), before, *names)
            self.select.value = next((name for name in wanted if name in names), None)
        finally:
            self._is_updating = False
        self._choose()

    def _tell(self, change: Any) -> None:
        if not self._is_updating:
            self._choose()

    def _options(self) -> Iterator[tuple[str, str]]:
        """Yields the values that the filter lets through, each with its label: those before SUMMED_UP with a
        summary."""
        wanted = self.filter.value.strip().removeprefix("%")
        views = reversed(listed_values(self.session, None if wanted else LISTED))
        matches = [view for view in views if wanted in view.name or view.name.startswith(RESULT)]
        for number, view in enumerate(matches[:LISTED]):
            if view.name.startswith(RESULT):
                yield view.name, view.name
                continue
            summary = summary_line(self.session, view.name) if number < SUMMED_UP else None
            label = f"{title_of(view)} : {view.type}" + (f" = {summary}" if summary else "")
            yield escaped(label), view.name


class OriginWidget(VBox):
    """The elements that made an element, and on request the way back to where it was made."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._link: Link | None = None
        self.html = HTML()
        self.follow = Button(
            description="follow back",
            icon="level-up",
            tooltip="go on to the most important element, to an argument, a constant or what made it",
            layout=Layout(width="auto"),
        )
        self.follow.on_click(lambda _: self._follow())
        super().__init__()

    def show(self, name: str, index: tuple[int, ...]) -> None:
        """Says what made an element of a value in scope in the selected frame, or of a result."""

        def sources() -> str:
            elements = self.session.elements
            if name.startswith(RESULT):
                link = elements.result(int(name.removeprefix(RESULT)), index)
            else:
                link = elements.find(name, index, self.session.selected_frame)
            self._link = link
            return sources_text(self.session, link, elements.sources(link))

        self._link = None
        self._say(sources)

    def clear(self) -> None:
        """Takes the answer away: it is of another place or value."""
        self._link = None
        self.children = []

    def _follow(self) -> None:
        link = self._link
        if link is not None:
            self._link = None  # there is no more than all of it
            self._say(lambda: chain_text(self.session, self.session.elements.chain(link)))

    def _say(self, answer: Callable[[], str]) -> None:
        try:
            text = interruptible(answer)
        except DebuggerError as error:
            text = str(error)
        except KeyboardInterrupt:
            text = "stopped on request"
        self.html.value = _ORIGIN.format(_STYLE, shown(text))
        self.children = [self.html, *([self.follow] if self._link is not None else [])]


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
    """A watch: its value, a button that removes it, and one that shows it in a tensor view."""

    def __init__(self, session: Session, watch: Watch, run: Callable[[str], None]) -> None:
        self.session, self.watch = session, watch
        small = Layout(width="32px", flex="0 0 auto")
        self.remove = Button(icon="times", tooltip=f"unpin {watch.expression}", layout=small)
        self.remove.on_click(lambda _: run(f"undisplay {watch.number}"))
        self.views = ToggleButton(icon="th", tooltip="a view of it that stays at each step", layout=small)
        self.views.observe(lambda _: self.refresh(), "value")
        self.text = HTML()
        self.tensor: TensorWidget | None = None
        super().__init__([HBox([self.remove, self.views, self.text])])

    def refresh(self) -> None:
        """Shows what it is in the selected frame."""
        frame = self.session.selected_frame
        self.text.value = _PINNED.format(shown(watch_text(self.session, self.watch, frame)))
        if self.views.value and self.tensor is None:
            self.tensor = TensorWidget()
        self.children = [self.children[0], *([self.tensor] if self.views.value and self.tensor else [])]
        if self.views.value and self.tensor is not None:
            text = self.watch.expression.text
            try:
                self.tensor.show(text, self.session.watches.evaluate(text, frame).value)
            except DebuggerError:  # the text says why
                self.tensor.show("", None)
