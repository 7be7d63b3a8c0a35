"""The stepper's views of `web/`: source, timeline, tensor and graph."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from ipywidgets import HTML, Layout, Output, Select, Text, VBox, Widget
from markupsafe import Markup
from msgspec import to_builtins

from shlo.debugger import Session
from shlo.debugger.futures.marks import Marks
from shlo.debugger.views.source import (
    SourceView,
    marked_lines,
    source_data,
    source_line,
    source_view,
)
from shlo.debugger.views.timeline import timeline_of
from shlo.ir.operations import Module
from shlo.pages.bundle import View, packed, script_html
from shlo.pages.graph import graph_html, place_html
from shlo.pages.tensor import tensors_html
from shlo.runner.display import array_text
from shlo.runner.errors import RequestError
from shlo.text.escape import escaped
from shlo_kernel.mime.bundle import drawable_graph, named_tensor
from shlo_kernel.mime.markup import highlighted_lines, render, shown

AROUND: Final = 7
"""How many lines are shown above and below the current one where a page runs no scripts."""
MAX_LINES: Final = 100_000
"""How many lines a page is given; of a longer text those around the current one are shown."""
COLUMNS: Final = 400
"""How many columns the timeline has at most."""

BORDER: Final = "1px solid var(--jp-border-color2,#ddd)"
_SOURCE: Final = Markup(
    '<shlo-source-view view="{}"><script type="application/json">{}</script></shlo-source-view>'
)
_SOURCE_PLACE: Final = Markup(
    '<shlo-source-place view="{}" at="{}" here="{}"{} breakpoints="{}" chosen="{}">{}</shlo-source-place>'
)
_TIMELINE: Final = Markup('<shlo-timeline-view view="{}"></shlo-timeline-view>')
_TIMELINE_PLACE: Final = Markup(
    '<shlo-timeline-place view="{}" shown="{}" timeline="{}"></shlo-timeline-place>'
)
_TITLE: Final = Markup('<div style="font-family:monospace;font-weight:bold">{}</div><pre>{}</pre>')


class ViewWidget(VBox):
    """A view of `web/` in a page of widgets, with its script and the field in which it reports user actions.

    Args:
        view: the view, whose script is loaded into the page: only an output runs one.
        parts: the widgets that it is in.
        answer: the pattern of a report, without the number at its end that makes two of them differ.
        hear: called with a report.
        options: traits of the box.
    """

    def __init__(
        self,
        view: View,
        *parts: Widget,
        answer: str,
        hear: Callable[[re.Match[str]], object],
        **options: Any,
    ) -> None:
        self.key = secrets.token_hex(8)
        """What the view is called in its page."""
        self.told = Text(continuous_update=False, layout=Layout(display="none"))
        self.told.add_class(f"shlo-picked-{self.key}")
        pattern = re.compile(rf"{answer} \d+")

        def tell(change: Any) -> None:
            match = pattern.fullmatch(str(change.new))
            if match is not None:
                hear(match)

        self.told.observe(tell, "value")
        script = {"output_type": "display_data", "data": {"text/html": script_html(view)}, "metadata": {}}
        super().__init__([Output(outputs=(script,)), *parts, self.told], **options)


class SourceWidget(ViewWidget):
    """The source of a session's program: all of it where the page runs scripts, with the stepper's place.

    Args:
        keys: the keys that the view reports, and what each is for.
        toggle: called with a line whose margin is clicked.
        press: called with a key and the line of the view's cursor.
    """

    def __init__(
        self, keys: Mapping[str, str], toggle: Callable[[int], None], press: Callable[[str, int], None]
    ) -> None:
        self._keys = keys
        self._module: Module | None = None
        self.html, self.place = HTML(), HTML()

        def hear(match: re.Match[str]) -> None:
            key, line = match[1], int(match[2])
            if key is None:
                toggle(line)
            elif key in keys:
                press(key, line)

        layout = Layout(flex="2 1 420px", min_width="0", overflow="auto", border=BORDER)
        answer = r"(?:break|key (\S)) (\d{1,9})"
        super().__init__("source_view", self.html, self.place, answer=answer, hear=hear, layout=layout)

    def show(self, session: Session, chosen: int | None = None) -> None:
        """Shows where a session is, and a line that was chosen."""
        source, view = session.module.source, source_view(session)
        if session.module is not self._module:
            self._module = session.module
            is_whole = source is not None and len(source.line_starts) <= MAX_LINES
            data = source_data(session, source, self._keys) if source and is_whole else None
            self.html.value = _SOURCE.format(self.key, packed(data)) if data else ""
        points = " ".join(map(str, sorted(marked_lines(view))))
        done = "" if view.open_lines else Markup(" done")
        at = f"{session.position} {session.selected_frame} {chosen or ''}"
        around = source_html(session, view, chosen)
        self.place.value = _SOURCE_PLACE.format(
            self.key, at, view.current or "", done, points, chosen or "", around
        )


def source_html(session: Session, view: SourceView, chosen: int | None = None) -> Markup:
    """Returns the lines around the current one, or around one that was chosen."""
    source, current = session.module.source, view.current
    if source is None or current is None:
        frame = session.snapshot.frame
        return render("source", mark="shlo", rows=[], operation=frame.op if frame else "")
    marked, here = marked_lines(view), current if chosen is None else chosen
    last = min(max(here + AROUND, 2 * AROUND + 1), len(source.line_starts))
    first = max(min(here - AROUND, last - 2 * AROUND), 1)
    lines = highlighted_lines("\n".join(source_line(source, line) for line in range(first, last + 1)))
    rows = [
        (
            source.line_label(line),
            text,
            line == current and bool(view.open_lines),
            line in marked,
            line == chosen,
        )
        for line, text in enumerate(lines, first)
    ]
    return render("source", mark="shlo", rows=rows)


class TimelineWidget(ViewWidget):
    """The positions of a session that were reached. It keeps the last positions at which the stepper stopped
    and at which it found NaN or infinities.

    Args:
        go: called with a position that is clicked.
    """

    def __init__(self, go: Callable[[int], None]) -> None:
        self._stops, self._nonfinite = Marks(), Marks()
        self._shown = 0
        html, self.place = HTML(), HTML()
        super().__init__(
            "timeline_view",
            html,
            self.place,
            answer=r"goto (\d{1,15})",
            hear=lambda match: go(int(match[1])),
        )
        html.value = _TIMELINE.format(self.key)

    def note(self, session: Session, is_nonfinite: bool) -> None:
        """Notes that a command has ended where a session is, and whether it found NaN or infinities there."""
        self._stops.add(session.futures, session.position)
        if is_nonfinite:
            self._nonfinite.add(session.futures, session.position)

    def show(self, session: Session, is_whole: bool) -> None:
        """Shows a session as it is; `is_whole` says whether the positions are all of the run. Each place
        differs from the one before: the view waits for it.
        """
        timeline = timeline_of(session, COLUMNS, self._stops, self._nonfinite)
        self._shown += 1
        text = json.dumps({**to_builtins(timeline), "isDone": is_whole})
        self.place.value = _TIMELINE_PLACE.format(self.key, self._shown, text)


class TensorWidget(ViewWidget):
    """One value: the tensor view, or text for what is no tensor. `show` puts another one into it; plane, zoom
    and scale stay while shapes are the same.

    Args:
        pick: called with the index of an element that is chosen in the view.
    """

    def __init__(self, pick: Callable[[tuple[int, ...]], None] | None = None) -> None:
        self._shown: Any = None  # a page asks for its planes, and those are answered while it lives
        self._is_picked = pick is not None
        self.html = HTML()

        def hear(match: re.Match[str]) -> None:
            if pick is not None:
                pick(tuple(map(int, match[1].split())))

        super().__init__("tensor_view", self.html, answer=r"at((?: \d{1,15})*)", hear=hear)

    def show(self, title: str, value: Any) -> None:
        """Shows a value under a title; one that is no tensor as text."""
        name, _, type_ = title.partition(" : ")
        tensor = named_tensor(name, type_, value)
        self._shown = value
        if tensor is not None:
            self.html.value = tensors_html([tensor], self.key, scripted=False, picked=self._is_picked)
            return
        text = "" if value is None and not title else escaped(array_text(value))
        self.html.value = _TITLE.format(shown(title), text) if title or text else ""


class GraphWidget(ViewWidget):
    """The graph of a session's program. `choose` is called with the line of the program's text whose
    operation was selected in it."""

    def __init__(self, choose: Callable[[int], None]) -> None:
        self._module: Module | None = None
        self.html, self.place = HTML(), HTML()
        super().__init__(
            "graph_view",
            self.html,
            self.place,
            answer=r"(\d+)",
            hear=lambda match: choose(int(match[1])),
        )

    def show(self, session: Session, line: int | None) -> None:
        """Shows the program of the selected process, and in it the operation on a line."""
        if session.module is not self._module:
            self._module = session.module
            try:
                graph = drawable_graph(session.module, session.run.entry)
                self.html.value = graph_html(graph, scripted=False, view=self.key)
            except RequestError as error:
                self.html.value = shown(str(error))
        if line is not None:
            self.place.value = place_html(self.key, line)


def named_list(name: str, **layout: Any) -> Select:
    """Returns a list with a name beside it, for screen readers as well."""
    return Select(description=name, style={"description_width": "auto"}, layout=Layout(**layout))


def close_all(widget: Widget) -> None:
    """Closes a widget and every widget that it holds: children, layouts, styles, and those in attributes;
    ipywidgets closes a container alone."""
    for part in list(_parts(widget, set())):
        Widget.close(part)


def _parts(widget: Any, visited: set[int]) -> Iterator[Any]:
    """Yields a widget and all that it holds, each once."""
    if id(widget) in visited:
        return
    visited.add(id(widget))
    yield widget
    state: dict[str, Any] = {**widget.__dict__, **widget._trait_values}
    for value in state.values():
        parts: list[Any] = list(cast("Any", value)) if isinstance(value, (tuple, list)) else [value]
        for part in parts:
            if isinstance(part, Widget):
                yield from _parts(part, visited)
