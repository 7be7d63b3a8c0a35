"""The stepper: a session of the debugger as widgets of a notebook.

All state is the Session's. Every button is a line of the debugger's command language, and so is what one
types; after each command the widgets show where the session is. Commands run in the kernel's thread, where
Jupyter's interrupt ends one that takes long.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, Final

from ipywidgets import HTML, Button, HBox, IntSlider, Layout, Text, ToggleButton, VBox
from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.inspect.snapshots import FrameView, Snapshot
from shlo.debugger.text.card import nonfinite_card
from shlo.debugger.text.format import breakpoint_text, place_text, where_text
from shlo.debugger.text.nonfinite import nonfinite_text
from shlo.debugger.views.controls import CONTROLS, GRID_CONTROLS, keys_of
from shlo.debugger.views.replay import page_data, replay_ahead
from shlo.debugger.views.source import WIDEST, source_view
from shlo.debugger.views.values import RESULT
from shlo.pages.bundle import view_script
from shlo.pages.replay import replay_html
from shlo.places.place import short_line_text
from shlo.runner.interrupts import interruptible
from shlo.text.escape import escaped
from shlo.text.shortening import clipped
from shlo_kernel.mime.bundle import value_html
from shlo_kernel.mime.markup import shown
from shlo_kernel.widgets.grid import GridWidget
from shlo_kernel.widgets.panes import (
    BORDER,
    GraphWidget,
    SourceWidget,
    TensorWidget,
    TimelineWidget,
    close_all,
    named_list,
    source_html,
)
from shlo_kernel.widgets.python import BlameList, python_html
from shlo_kernel.widgets.values import OriginWidget, ValueList, WatchList

_ERROR: Final = "color:var(--jp-error-color1,#d32f2f)"
_REPLY: Final = "margin:0;max-height:300px;overflow:auto;font-size:12px;line-height:1.35"


FURTHEST: Final = 10**12
"""A position behind the end of any run."""
LISTED: Final = 12
"""How many values a saved notebook lists."""
_PLACE: Final = Markup('<div><code>{}</code></div>{}<pre style="margin:4px 0">{}</pre>{}')
_RUN_AGAIN: Final = Markup("<div><small>The stepper as it was opened; run the cell to step.</small></div>")
_PAGE: Final = Markup('<div class="shlo-snapshot">{}</div>')
_ENDS: Final = ("done", "failed")
_SEARCHES: Final = ("nonfinite", "reverse-nonfinite")


class Stepper(VBox):
    """The widgets of a session; those of a grid where it has several processes."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._is_updating = False
        grid = session.grid
        self.grid = GridWidget(grid, lambda number: self.run(f"process {number}")) if grid else None
        controls = (*CONTROLS, *GRID_CONTROLS) if grid else CONTROLS
        self.buttons = [
            _tool(control.text, control.icon, control.tooltip, partial(self.run, control.command))
            for control in controls
            if control.text
        ]
        self.compare = _tool(
            "compare processes",
            "columns",
            "the chosen value side by side in all processes",
            lambda: self._run_chosen("compare"),
        )
        self.timeline = IntSlider(0, 0, 1, description="position", layout=Layout(flex="1 1 auto"))
        self.picture = TimelineWidget(lambda position: self.run(f"goto {position}"))
        self.extent = HTML()
        self.whole = _tool(
            "whole run",
            "arrows-h",
            "run to the end, past breakpoints, and come back here: the timeline then has all of it",
            self._run_whole,
        )
        self._end: int | None = None
        self.where = HTML()
        self.commands = {control.key: control for control in controls if control.key}
        self.source = SourceWidget(keys_of(controls), self._toggle_breakpoint, self._press)
        self.python = HTML(layout=Layout(overflow="auto", border=BORDER, min_width="0"))
        self.reply = HTML()
        self.frames = named_list("calls", width="98%", height="70px")
        self.tensor = TensorWidget(self._ask_origin)
        self.origin = OriginWidget(session)
        self.shows_graph = ToggleButton(
            description="graph",
            icon="sitemap",
            tooltip="the program as a graph that follows the stepper; what is selected in it is shown here",
            layout=Layout(width="auto"),
        )
        self.shows_graph.observe(self._toggle_graph, "value")
        self.blame = BlameList(session, self._note_and_refresh, lambda text: self._say(text, _ERROR))
        self.graph: GraphWidget | None = None
        self.graph_box = VBox()
        self.values = ValueList(session, self._show_value)
        self.pin = _tool("pin", "thumb-tack", "show the chosen value at every step", self._pin_chosen)
        self.blames = _tool(
            "what made it",
            "search",
            "what made the NaN or infinity here, as a tree; a row goes there",
            lambda: self.blame.show(self._chosen_name),
        )
        self.watches = WatchList(session, self.run)
        self.line = self._field("break at line", "200px", "break ")
        self.command = self._field("command: break op add, print %x[0, :], help", "420px", "")
        self.timeline.observe(self._goto, "value")
        self.frames.observe(self._select_frame, "value")
        super().__init__(self._arranged())
        if session.snapshot.is_behind:
            self.picture.note(session, True)
        self.refresh()

    def mime_bundle(self) -> dict[str, Any]:
        """Returns what a notebook displays, by MIME type."""
        return self._repr_mimebundle_()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Returns the widget, and for what shows none (GitHub, nbconvert) the place where it was opened."""
        bundle = super()._repr_mimebundle_(**options) or {}
        return {**bundle, **self._snapshot()}

    def _snapshot(self) -> dict[str, str]:
        """Returns what a saved notebook shows without its kernel: place, source and values, by MIME type."""
        options = self.values.select.options
        listed = [str(label) for label, _ in options][:LISTED]
        more = len(options) - len(listed)
        lines = [*listed, *([f"and {more:,} more values"] if more > 0 else [])]
        heading = where_text(self.session)
        name, _, type_ = self.values.title.partition(" : ")
        value = Markup("")
        with suppress(DebuggerError):  # it cannot be computed again
            value = value_html(name, type_, self.values.value) if name else value
        source = python_html(self.session) + source_html(self.session, source_view(self.session))
        position = shown(heading.partition("\n")[0])
        still = _PLACE.format(position, source, shown("\n".join(lines)), value)
        return {
            "text/plain": escaped("\n".join((heading, *(f"  {line}" for line in lines)))),
            "text/html": _PAGE.format(self._saved(still)),
        }

    def _saved(self, still: Markup) -> Markup:
        """Returns a stepper that steps without the kernel, around what is there without scripts; that alone
        where its script is not built, and where the program cannot be looked ahead in.
        """
        replay = replay_ahead(self.session) if view_script("replay_view") else None
        if replay is None:
            return still + _RUN_AGAIN
        return Markup(replay_html(page_data(replay), replay.tensors, still))

    def close(self) -> None:
        """Closes all widgets of the stepper."""
        close_all(self)

    def __repr__(self) -> str:
        return escaped(where_text(self.session))

    def run(self, line: str, is_typed: bool = False) -> None:
        """Carries out a command, and shows what it answers and where the session is then; an answer that says
        the latter alone only where the command was typed."""
        reply, finding, before = None, "", self.session.position
        try:
            reply = interruptible(lambda: run_command(self.session, line))
            is_place = reply.text == where_text(self.session)
            finding = self._finding(line) if is_place else ""
            self._say(finding if is_place and not is_typed else reply.text)
        except DebuggerError as error:
            self._say(str(error), _ERROR)
        except KeyboardInterrupt:
            self._say("stopped on request", _ERROR)
        if finding or self.session.position != before:
            self.picture.note(self.session, bool(finding) or self.session.snapshot.is_behind)
        self.refresh()
        if reply is not None and reply.tensor is not None:
            self.tensor.show(*reply.tensor)

    def refresh(self) -> None:
        """Shows the session as it is."""
        if self.grid is not None and self.session.grid is not None:
            self.grid.show(self.session.grid)
        self._is_updating = True
        try:
            self._show_position()
            self._show_frames()
        finally:
            self._is_updating = False
        self._show_frame()

    # --- what is shown ---

    def _arranged(self) -> list[Any]:
        side = VBox(
            [self.frames, self.values, self.pin, self.watches], layout=Layout(flex="1 1 260px", min_width="0")
        )
        slider = [] if view_script("timeline_view") else [self.timeline]  # the view has one that drops no key
        return [
            HBox([*self.buttons, self.blames, self.shows_graph], layout=Layout(flex_flow="row wrap")),
            HBox([*slider, self.extent, self.whole]),
            self.picture,
            *([self.grid] if self.grid else []),
            self.where,
            self.python,
            HBox([self.source, side], layout=Layout(flex_flow="row wrap")),
            HBox([self.line, self.command, *([self.compare] if self.grid else [])]),
            self.reply,
            self.blame,
            self.graph_box,
            self.tensor,
            self.origin,
        ]

    def _show_position(self) -> None:
        snapshot = self.session.snapshot
        self.timeline.max = max(snapshot.last, 1)
        self.timeline.value = snapshot.position
        self._show_extent(snapshot)
        heading = where_text(self.session).partition("\n")[0]
        error = Markup('<div style="{}">{}</div>').format(_ERROR, shown(snapshot.error or ""))
        where = Markup('<code class="shlo-where">{}</code> {}{}')
        self.where.value = where.format(
            shown(heading), self._origin(snapshot.frame), error if snapshot.error else ""
        )

    def _origin(self, frame: FrameView | None) -> Markup:
        """Returns the scope and the line of Python that an operation came from, with its text; nothing where
        that is not known."""
        if frame is None:
            return Markup("")
        line = frame.origin.line
        text = clipped(self.session.structure.python.text_of(line), WIDEST, " ...")
        words = " · ".join(filter(None, (frame.origin.scope, short_line_text(line), text)))
        return Markup('<span style="opacity:.7">{}</span>').format(shown(words)) if words else Markup("")

    def _show_extent(self, snapshot: Snapshot) -> None:
        """Shows the timeline, and says whether it has the whole run."""
        self._note_end()
        is_whole = self._end == snapshot.last
        text = f"of {snapshot.last:,}, the whole run" if is_whole else f"of {snapshot.last:,} so far"
        self.extent.value = Markup('<span class="shlo-extent">{}</span>').format(text)
        self.whole.disabled = is_whole
        self.picture.show(self.session, is_whole)

    def _note_end(self) -> None:
        """Notes the position at which the run ends, where the session is there."""
        grid = self.session.grid
        if (grid.status if grid else self.session.snapshot.status) in _ENDS:
            self._end = self.session.position

    def _show_frames(self) -> None:
        frames = self.session.snapshot.frames
        texts = [escaped(f"{place_text(frame)}  {frame.op}") for frame in frames]
        self.frames.options = [(text, number) for number, text in enumerate(texts)]
        self.frames.value = self.session.selected_frame if frames else None

    def _show_frame(self) -> None:
        self.source.show(self.session)
        self.python.value = python_html(self.session)
        self.python.layout.display = "block" if self.python.value else "none"
        self.values.refresh()
        self.watches.refresh()
        self._show_in_graph(lambda: source_view(self.session).current)

    def _show_in_graph(self, line: Callable[[], int | None]) -> None:
        """Shows a line in the graph, if that is open."""
        if self.graph is not None and self.shows_graph.value:
            self.graph.show(self.session, line())

    def _show_value(self) -> None:
        self._show_in_graph(lambda: self.values.line)
        self.origin.clear()
        try:
            self.tensor.show(self.values.title, self.values.value)
        except DebuggerError as error:
            self._say(str(error), _ERROR)

    def _finding(self, line: str) -> str:
        """Returns the card of the NaN or infinity that a command has found; nothing of any other command."""
        step = self.session.snapshot.last_step
        if line not in _SEARCHES or step is None:
            return ""
        statistics = [self.session.inspector.statistics(name) for name in step.bound]
        is_there = any(entry is not None and entry.nans + entry.infinities for entry in statistics)
        return nonfinite_text(self.session, nonfinite_card(self.session)) if is_there else ""

    def _say(self, text: str, style: str = "") -> None:
        reply = Markup('<pre class="shlo-reply" style="{};{}">{}</pre>')
        self.reply.value = reply.format(_REPLY, style, shown(text)) if text else ""

    # --- what is asked ---

    def _field(self, placeholder: str, width: str, command: str) -> Text:
        """Returns a field for the rest of a command, which is carried out at the end of the line."""
        field = Text(placeholder=placeholder, continuous_update=False, layout=Layout(width=width))

        def carry_out(change: Any) -> None:
            if change.new.strip():
                field.value = ""
                self.run(command + change.new.strip(), is_typed=True)

        field.observe(carry_out, "value")
        return field

    def _goto(self, change: Any) -> None:
        if not self._is_updating:
            self.run(f"goto {change.new}")

    def _run_whole(self) -> None:
        """Runs the program to its end, and comes back."""
        position = self.session.position
        try:
            interruptible(lambda: self.session.goto(FURTHEST))
        except KeyboardInterrupt:
            self._say("stopped on request", _ERROR)
        self._note_end()
        self.session.goto(position)
        self.refresh()

    def _press(self, key: str, line: int) -> None:
        """Carries out what a key in the source is for."""
        control = self.commands[key]
        self.run(f"{control.command} {line}" if control.takes_line else control.command)

    def _toggle_breakpoint(self, line: int) -> None:
        """Sets a breakpoint on a line, or on the next one with an operation; clears those that are there."""
        before = tuple(self.session.breakpoints)
        try:
            new = self.session.breakpoints.on_line(line)
        except DebuggerError as error:
            self._say(str(error), _ERROR)
            return
        there = [
            point for point in before if point.kind == "line" and point.where == new.where and point.enabled
        ]
        for number in {point.number for point in (new, *there)} if there else ():
            self.session.breakpoints.remove(number)
        self._say("" if there else f"breakpoint {breakpoint_text(new)}")
        self.refresh()

    @property
    def _chosen_name(self) -> str:
        """The name of the chosen value; empty of a result, and where none is chosen."""
        name = self.values.select.value
        return "" if name is None or name.startswith(RESULT) else name

    def _pin_chosen(self) -> None:
        """Shows the chosen value at every step from now on."""
        if self._chosen_name:
            self._run_chosen("display")

    def _note_and_refresh(self) -> None:
        """Shows where the session went."""
        self.picture.note(self.session, self.session.snapshot.is_behind)
        self.refresh()

    def _toggle_graph(self, change: Any) -> None:
        """Shows or hides the graph."""
        if change.new and self.graph is None:
            self.graph = GraphWidget(self._choose_line)
        self.graph_box.children = [self.graph] if change.new and self.graph is not None else []
        self._show_in_graph(lambda: source_view(self.session).current)

    def _choose_line(self, line: int) -> None:
        """Shows a line of the program, and the value that its operation bound."""
        self.source.show(self.session, line)
        source = self.session.module.source
        label = line if source is None else source.line_label(line)
        is_there = self.values.choose_line(line)
        self._say("" if is_there else f"line {label} has bound no value here: until {label} goes there")

    def _ask_origin(self, index: tuple[int, ...]) -> None:
        """Says where an element of the chosen value comes from."""
        if self.values.select.value is not None:
            self.origin.show(self.values.select.value, index)

    def _run_chosen(self, command: str) -> None:
        if self.values.select.value is not None:
            self.run(f"{command} %{self.values.select.value}")

    def _select_frame(self, change: Any) -> None:
        if not self._is_updating and change.new is not None:
            self.session.select_frame(change.new)
            self._show_frame()


def _tool(text: str, icon: str, tooltip: str, act: Callable[[], object]) -> Button:
    """Returns a button that does something."""
    layout = Layout(width="auto", flex="0 0 auto")
    button = Button(description=text, icon=icon, tooltip=tooltip, layout=layout)
    button.on_click(lambda _: act())
    return button
