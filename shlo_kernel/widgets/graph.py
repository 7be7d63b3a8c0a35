"""The stepper's graph: it follows the stepper, and tells it what is selected in it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from ipywidgets import HTML, Layout, Text, VBox

from shlo.debugger import Session
from shlo.ir.operations import Module
from shlo.pages.graph import graph_html, place_html
from shlo.runner.errors import RequestError
from shlo_kernel.mime.graph import drawable_graph
from shlo_kernel.mime.markup import shown
from shlo_kernel.widgets.script import script_output


class GraphPane(VBox):
    """The graph of a session's program. `choose` is called with the line of the program's text whose
    operation was selected in it."""

    def __init__(self, choose: Callable[[int], None]) -> None:
        self._view = secrets.token_hex(8)
        self._choose = choose
        self._module: Module | None = None
        self.html, self.place = HTML(), HTML()
        self.picked = Text(continuous_update=False, layout=Layout(display="none"))
        self.picked.add_class(f"shlo-picked-{self._view}")
        self.picked.observe(self._tell, "value")
        super().__init__([script_output("graph_view"), self.html, self.place, self.picked])

    def show(self, session: Session, line: int | None) -> None:
        """Shows the program of the selected process, and in it the operation on a line."""
        if session.module is not self._module:
            self._module = session.module
            self.html.value = self._drawn(session.module, session.entry)
        if line is not None:
            self.place.value = place_html(self._view, line)

    def _drawn(self, module: Module, entry: str) -> str:
        try:
            graph = drawable_graph(module, entry)
        except RequestError as error:
            return shown(str(error))
        return graph_html(graph, scripted=False, view=self._view)

    def _tell(self, change: Any) -> None:
        """Reads the line in front of the number of the selection."""
        line, _, _ = str(change.new).partition(" ")
        if line.isdecimal():
            self._choose(int(line))
