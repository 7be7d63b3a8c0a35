"""The stepper's view of a value: the tensor view of `web/`, or text for what is no tensor."""

from __future__ import annotations

import secrets
from typing import Any, Final

from ipywidgets import HTML, VBox
from markupsafe import Markup

from shlo.pages.tensor import tensors_html
from shlo.runner.display import array_text
from shlo.text.escape import escaped
from shlo_kernel.mime.markup import shown
from shlo_kernel.mime.tensor import named_tensor
from shlo_kernel.widgets.script import script_output

_TITLE: Final = Markup('<div style="font-family:monospace;font-weight:bold">{}</div><pre>{}</pre>')


class TensorPane(VBox):
    """One value. `show` puts another one into it; plane, zoom and scale stay while shapes are the same."""

    def __init__(self) -> None:
        self._view = secrets.token_hex(8)
        self._shown: Any = None  # a page asks for its planes, and those are answered while it lives
        self.html = HTML()
        super().__init__([script_output("tensor_view"), self.html])

    def show(self, title: str, value: Any) -> None:
        """Shows a value under a title; one that is no tensor as text."""
        name, _, type_ = title.partition(" : ")
        tensor = named_tensor(name, type_, value)
        self._shown = value
        if tensor is not None:
            self.html.value = tensors_html([tensor], self._view, scripted=False)
            return
        text = "" if value is None and not title else escaped(array_text(value))
        self.html.value = _TITLE.format(shown(title), text) if title or text else ""
