"""The frames pane: functions and regions that are open, the outermost on top."""

from __future__ import annotations

from rich.segment import Segment

from shlo.debugger import FrameView
from shlo.debugger.text.format import place_text
from shlo.text.escape import sanitized
from shlo_tui.app.events import FrameChosen
from shlo_tui.app.saying import origin_parts
from shlo_tui.session.view_model import Scene
from shlo_tui.widgets.lines import Ink, LinePane, Words


class FramesPane(LinePane):
    """A line for each frame; the one under the cursor is looked at."""

    def __init__(self, ink: Ink, *, id: str = "frames") -> None:
        super().__init__(ink, id=id)
        self.frames: tuple[FrameView, ...] = ()

    @property
    def count(self) -> int:
        return len(self.frames)

    def show(self, scene: Scene) -> None:
        """Shows the frames of a session."""
        self.frames = scene.snapshot.frames
        self.resize_content()
        self.put_cursor(scene.selected)

    def moved(self) -> None:
        if self.frames:
            self.post_message(FrameChosen(self.cursor))

    def words(self, line: int, width: int) -> Words:
        frame = self.frames[line]
        mark = "▶" if line == self.count - 1 else "▷"
        place = "" if frame.line is None else f":{frame.line}"
        return [
            Segment(mark, self.ink["arrow" if mark == "▶" else "frame"]),
            Segment(f"{line} ", self.ink["dim"]),
            Segment(sanitized(place_text(frame)), self.ink["name"]),
            Segment(f"{place}  ", self.ink["dim"]),
            *origin_words(frame, self.ink),
        ]


def origin_words(frame: FrameView, ink: Ink) -> Words:
    """Where a frame's operation came from."""
    return [Segment(f"{sanitized(text)}  ", ink[style]) for text, style in origin_parts(frame.origin)]
