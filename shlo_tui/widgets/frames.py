"""The frames pane: functions and regions that are open, the outermost on top."""

from __future__ import annotations

from rich.segment import Segment

from shlo.debugger import FrameView
from shlo.debugger.text.format import place_text
from shlo.text.escape import sanitized
from shlo_tui.render.status_text import origin_parts
from shlo_tui.session.view_model import ViewModel
from shlo_tui.widgets.events import FrameChosen
from shlo_tui.widgets.lines import LinePane, Palette, Segments


class FramesPane(LinePane):
    """A line for each frame; the one under the cursor is looked at."""

    def __init__(self, palette: Palette, *, id: str = "frames") -> None:
        super().__init__(palette, id=id)
        self.frames: tuple[FrameView, ...] = ()

    @property
    def count(self) -> int:
        """The number of frames."""
        return len(self.frames)

    def show(self, model: ViewModel) -> None:
        """Shows the frames of a session."""
        self.frames = model.snapshot.frames
        self.resize_content()
        self.put_cursor(model.selected)

    def cursor_changed(self) -> None:
        """Posts `FrameChosen` for the frame under the cursor."""
        if self.frames:
            self.post_message(FrameChosen(self.cursor))

    def words(self, line: int, width: int) -> Segments:
        """Returns a frame's mark, number, description, line and origin."""
        frame = self.frames[line]
        mark = "▶" if line == self.count - 1 else "▷"
        place = "" if frame.line is None else f":{frame.line}"
        return [
            Segment(mark, self.palette["arrow" if mark == "▶" else "frame"]),
            Segment(f"{line} ", self.palette["dim"]),
            Segment(sanitized(place_text(frame)), self.palette["name"]),
            Segment(f"{place}  ", self.palette["dim"]),
            *origin_words(frame, self.palette),
        ]


def origin_words(frame: FrameView, palette: Palette) -> Segments:
    """Returns where a frame's operation came from."""
    return [Segment(f"{sanitized(text)}  ", palette[style]) for text, style in origin_parts(frame.origin)]
