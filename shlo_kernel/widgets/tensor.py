"""The stepper's view of a value: the tensor view of `web/`, or text for what is no tensor."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any, Final

from ipywidgets import HTML, Layout, Text, VBox
from markupsafe import Markup

from shlo.pages.tensor import tensors_html
from shlo.runner.display import array_text
from shlo.text.escape import escaped
from shlo_kernel.mime.markup import shown
from shlo_kernel.mime.tensor import named_tensor
from shlo_kernel.widgets.script import script_output

_TITLE: Final = Markup('<div style="font-family:monospace;font-weight:bold">{}</div><pre>{}</pre>')

_TOLD: Final = re.compile(r"at((?: \d{1,15})*) \d+")


class TensorPane(VBox):
    """One value. `show` puts another one into it; plane, zoom and scale stay while shapes are the same.

    Args:
        pick: called with the index of an element that is chosen in the view.
    """

    def __init__(self, pick: Callable[[tuple[int, ...]], None] | None = None) -> None:
        self._view = secrets.token_hex(8)
        self._shown: Any = None  # a page asks for its planes, and those are answered while it lives
        self._pick = pick
        self.html = HTML()
        self.told = Text(continuous_update=False, layout=Layout(display="none"))
        self.told.add_class(f"shlo-picked-{self._view}")
        self.told.observe(self._hear, "value")
        super().__init__([script_output("tensor_view"), self.html, self.told])

    def show(self, title: str, value: Any) -> None:
        """Shows a value under a title; one that is no tensor as text."""
        name, _, type_ = title.partition(" : ")
        tensor = named_tensor(name, type_, value)
        self._shown = value
        if tensor is not None:
            self.html.value = tensors_html(
                [tensor], self._view, scripted=False, picked=self._pick is not None
            )
            return
        text = "" if value is None and not title else escaped(array_text(value))
        self.html.value = _TITLE.format(shown(title), text) if title or text else ""

    def _hear(self, change: Any) -> None:
        """Reads which element is chosen: `at INDEX... N`; the number N makes two of them differ."""
        match = _TOLD.fullmatch(str(change.new))
        if match is not None and self._pick is not None:
            self._pick(tuple(map(int, match[1].split())))
