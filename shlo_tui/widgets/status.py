"""The line at the top, which says where the program is, and the one that says what happened."""

from __future__ import annotations

from rich.segment import Segment

from shlo.text.escape import sanitized
from shlo_tui.render.status_text import Spans, origin_parts
from shlo_tui.session.view_model import ViewModel
from shlo_tui.widgets.lines import LinesWidget, Palette, Segments, segments


class Line(LinesWidget):
    """One line of words."""

    def __init__(self, palette: Palette, *, id: str) -> None:
        super().__init__(palette, id=id)
        self.parts: Spans = []

    def say(self, *parts: tuple[str, str]) -> None:
        """Shows texts, each with the name of its style."""
        self.parts = list(parts)
        self.refresh()

    def words(self, y: int) -> Segments:
        """Returns the texts in their styles."""
        return [
            Segment(" "),
            *segments([(sanitized(text), style) for text, style in self.parts], self.palette),
        ]


class StatusLine(Line):
    """What happened."""


class TitleLine(Line):
    """The file, in a grid the process, the frames, and where the operation came from."""

    def show(self, name: str, model: ViewModel | None) -> None:
        """Shows where a session is."""
        process = [(f"{model.grid.process.label}  ", "changed")] if model and model.grid else []
        self.say((f"{name}  ", "name"), *process, *(_path(model) if model and model.frame else ()))


def _path(model: ViewModel) -> Spans:
    """Returns the frames down to the one that is looked at, and that one's origin."""
    parts: Spans = []
    for frame in model.snapshot.frames[: model.selected + 1]:
        is_function = frame.region is None
        text = f"@{frame.function}" if is_function else f"{frame.region_name} #{frame.iteration}"
        parts += [(" ▸ ", "dim"), (text, "accent")] if parts else [(text, "accent")]
    origin = origin_parts(model.frame.origin) if model.frame else []
    return [*parts, *((f"  {text}", style) for text, style in origin)]
