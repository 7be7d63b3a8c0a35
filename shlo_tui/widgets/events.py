"""What panes tell the app: a person chose something in them."""

from __future__ import annotations

from textual.message import Message

from shlo.ir.source import Span
from shlo_tui.session.worker import Report


class TimelineResized(Message):
    """The timeline has another width, and wants another overview."""


class Reported(Message):
    """The thread of the session has something to say."""

    def __init__(self, report: Report) -> None:
        self.report = report
        super().__init__()


class ValueChosen(Message):
    """A value is looked at; None for the one that was bound last."""

    def __init__(self, name: str | None) -> None:
        self.name = name
        super().__init__()


class FrameChosen(Message):
    """A frame is looked at."""

    def __init__(self, index: int) -> None:
        self.index = index
        super().__init__()


class LinesShown(Message):
    """Other lines of the source are visible now."""


class ValuesShown(Message):
    """Other rows of the list of values are visible now."""


class TensorPartChanged(Message):
    """Another part of the tensor is looked at."""


class PositionChosen(Message):
    """A position of the timeline was clicked on."""

    def __init__(self, position: int) -> None:
        self.position = position
        super().__init__()


class FindingChosen(Message):
    """A finding is looked at."""

    def __init__(self, span: Span | None) -> None:
        self.span = span
        super().__init__()


class ProcessShown(Message):
    """The cursor is on another process of the grid, or that one is in another state."""


class ProcessChosen(Message):
    """A process of the grid is looked at."""

    def __init__(self, process: int) -> None:
        self.process = process
        super().__init__()
