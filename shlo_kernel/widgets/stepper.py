"""The stepper: a session of the debugger as widgets of a notebook.

All state is the Session's. Every button is a line of the debugger's command language, and so is what one
types; after each command the widgets show where the session is. Commands run in the kernel's thread, where
Jupyter's interrupt ends one that takes long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ipywidgets import HTML, Button, HBox, IntSlider, Layout, Select, Text, ToggleButton, VBox
from markupsafe import Markup

from shlo.debugger import DebuggerError, Session
from shlo.debugger.commands.table import run_command
from shlo.debugger.text.format import place_text, where_text
from shlo.runner.interrupts import interruptible
from shlo.text.escape import escaped
from shlo_kernel.mime.markup import shown
from shlo_kernel.widgets.closing import close_all
from shlo_kernel.widgets.graph import GraphPane
from shlo_kernel.widgets.grid import GridPane
from shlo_kernel.widgets.snapshot import snapshot_bundle
from shlo_kernel.widgets.source import current_line, origin_html, source_html
from shlo_kernel.widgets.tensor import TensorPane
from shlo_kernel.widgets.values import ValueList

_ERROR: Final = "color:var(--jp-error-color1,#d32f2f)"
_BORDER: Final = "1px solid var(--jp-border-color2,#ddd)"
_REPLY: Final = "margin:0;max-height:300px;overflow:auto;font-size:12px;line-height:1.35"


@dataclass(frozen=True, slots=True)
class Control:
    """A button: its text, its icon, its tooltip, and its line of the command language."""

    text: str
    icon: str
    tooltip: str
    command: str


CONTROLS: Final = (
    Control("restart", "fast-backward", "go to the beginning", "restart"),
    Control("reverse", "backward", "back to the breakpoint before, or the beginning", "reverse-continue"),
    Control("back over", "step-backward", "back to the operation before this one", "reverse-next"),
    Control("back", "chevron-left", "take back one step", "reverse-step"),
    Control("step", "chevron-right", "take one step, into regions and functions", "step"),
    Control("next", "step-forward", "take the operation as a whole", "next"),
    Control("out", "level-up", "on until the region or function has ended", "finish"),
    Control(
        "NaN before", "chevron-up", "back to where the NaN or infinity before was made", "reverse-nonfinite"
    ),
    Control("next NaN", "chevron-down", "on to where the next NaN or infinity is made", "nonfinite"),
    Control("continue", "forward", "on to the next breakpoint, or the end", "continue"),
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


class Stepper(VBox):
    """The widgets of a session; those of a grid where it has several processes."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self._is_updating = False
        grid = session.grid
        self.grid = GridPane(grid, lambda number: self.run(f"process {number}")) if grid else None
        controls = (*CONTROLS, *GRID_CONTROLS) if grid else CONTROLS
        self.buttons = [self._button(control) for control in controls]
        self.compare = Button(
            description="compare processes",
            icon="columns",
            tooltip="the chosen value side by side in all processes",
            layout=Layout(width="auto", flex="0 0 auto"),
        )
        self.compare.on_click(lambda _: self._compare_chosen())
        self.timeline = IntSlider(0, 0, 1, description="position", layout=Layout(width="98%"))
        self.where = HTML()
        self.source = HTML(layout=Layout(flex="1 1 62%", min_width="0", overflow="auto", border=_BORDER))
        self.reply = HTML()
        self.frames = Select(layout=Layout(width="98%", height="70px"))
        self.tensor = TensorPane()
        self.shows_graph = ToggleButton(
            description="graph",
            icon="sitemap",
            tooltip="the program as a graph that follows the stepper; what is selected in it is shown here",
            layout=Layout(width="auto"),
        )
        self.shows_graph.observe(self._toggle_graph, "value")
        self.graph: GraphPane | None = None
        self.graph_box = VBox()
        self.values = ValueList(session, self._show_value)
        self.line = self._field("break at line", "200px", "break ")
        self.command = self._field("command: break op add, print %x[0, :], help", "420px", "")
        self.timeline.observe(self._goto, "value")
        self.frames.observe(self._select_frame, "value")
        super().__init__(self._arranged())
        self.refresh()

    def mime_bundle(self) -> dict[str, Any]:
        """Returns what a notebook displays, by MIME type."""
        return self._repr_mimebundle_()

    def _repr_mimebundle_(self, **options: Any) -> dict[str, Any]:
        """Returns the widget, and for what shows none (GitHub, nbconvert) the place where it was opened."""
        bundle = super()._repr_mimebundle_(**options) or {}
        return {**bundle, **snapshot_bundle(self.session, self.values)}

    def close(self) -> None:
        """Closes all widgets of the stepper."""
        close_all(self)

    def __repr__(self) -> str:
        return escaped(where_text(self.session))

    def run(self, line: str) -> None:
        """Carries out a command, and shows what it answers and where the session is then."""
        reply = None
        try:
            reply = interruptible(lambda: run_command(self.session, line))
            self._say("" if reply.text == where_text(self.session) else reply.text)
        except DebuggerError as error:
            self._say(str(error), _ERROR)
        except KeyboardInterrupt:
            self._say("stopped on request", _ERROR)
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
        side = VBox([self.frames, self.values], layout=Layout(flex="1 1 38%", min_width="0"))
        return [
            HBox([*self.buttons, self.shows_graph], layout=Layout(flex_flow="row wrap")),
            self.timeline,
            *([self.grid] if self.grid else []),
            self.where,
            HBox([self.source, side]),
            HBox([self.line, self.command, *([self.compare] if self.grid else [])]),
            self.reply,
            self.graph_box,
            self.tensor,
        ]

    def _show_position(self) -> None:
        snapshot = self.session.snapshot
        self.timeline.max = max(snapshot.last, 1)
        self.timeline.value = snapshot.position
        heading = where_text(self.session).partition("\n")[0]
        error = Markup('<div style="{}">{}</div>').format(_ERROR, shown(snapshot.error or ""))
        where = Markup('<code class="shlo-where">{}</code> {}{}')
        self.where.value = where.format(
            shown(heading), origin_html(snapshot.frame), error if snapshot.error else ""
        )

    def _show_frames(self) -> None:
        frames = self.session.snapshot.frames
        texts = [escaped(f"{place_text(frame)}  {frame.op}") for frame in frames]
        self.frames.options = [(text, number) for number, text in enumerate(texts)]
        self.frames.value = self.session.selected_frame if frames else None

    def _show_frame(self) -> None:
        self.source.value = source_html(self.session)
        self.values.refresh()
        self._show_in_graph(lambda: current_line(self.session))

    def _show_in_graph(self, line: Callable[[], int | None]) -> None:
        """Shows a line in the graph, if that is open."""
        if self.graph is not None and self.shows_graph.value:
            self.graph.show(self.session, line())

    def _show_value(self) -> None:
        self._show_in_graph(lambda: self.values.line)
        try:
            self.tensor.show(self.values.title, self.values.value)
        except DebuggerError as error:
            self._say(str(error), _ERROR)

    def _say(self, text: str, style: str = "") -> None:
        reply = Markup('<pre class="shlo-reply" style="{};{}">{}</pre>')
        self.reply.value = reply.format(_REPLY, style, shown(text)) if text else ""

    # --- what is asked ---

    def _button(self, control: Control) -> Button:
        layout = Layout(width="auto")
        button = Button(description=control.text, icon=control.icon, tooltip=control.tooltip, layout=layout)
        button.on_click(lambda _: self.run(control.command))
        return button

    def _field(self, placeholder: str, width: str, command: str) -> Text:
        """Returns a field for the rest of a command, which is carried out at the end of the line."""
        field = Text(placeholder=placeholder, continuous_update=False, layout=Layout(width=width))

        def carry_out(change: Any) -> None:
            if change.new.strip():
                field.value = ""
                self.run(command + change.new.strip())

        field.observe(carry_out, "value")
        return field

    def _goto(self, change: Any) -> None:
        if not self._is_updating:
            self.run(f"goto {change.new}")

    def _toggle_graph(self, change: Any) -> None:
        """Shows the graph, or takes it away."""
        if change.new and self.graph is None:
            self.graph = GraphPane(self._choose_line)
        self.graph_box.children = [self.graph] if change.new and self.graph is not None else []
        self._show_in_graph(lambda: current_line(self.session))

    def _choose_line(self, line: int) -> None:
        """Shows a line of the program, and the value that its operation bound."""
        self.source.value = source_html(self.session, line)
        source = self.session.module.source
        label = line if source is None else source.line_label(line)
        is_there = self.values.choose_line(line)
        self._say("" if is_there else f"line {label} has bound no value here: until {label} goes there")

    def _compare_chosen(self) -> None:
        if self.values.select.value is not None:
            self.run(f"compare %{self.values.select.value}")

    def _select_frame(self, change: Any) -> None:
        if not self._is_updating and change.new is not None:
            self.session.select_frame(change.new)
            self._show_frame()
