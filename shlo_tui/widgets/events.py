"""What panes tell the app: something was chosen in them, or they show another part and lack data about it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message

from shlo.ir.source import Span
from shlo_tui.session.worker import Report


@dataclass
class Reported(Message):
    """The session's thread has a report."""

    report: Report


@dataclass
class ValueChosen(Message):
    """A value is looked at."""

    name: str


@dataclass
class FrameChosen(Message):
    """A frame is looked at."""

    index: int


@dataclass
class LineToggled(Message):
    """The margin of a line, counted from 1, was clicked on: of a file of Python, or of the source."""

    line: int
    file: str = ""


@dataclass
class PositionChosen(Message):
    """A position of the timeline was clicked on."""

    position: int


@dataclass
class FindingChosen(Message):
    """A finding is looked at."""

    span: Span | None


@dataclass
class ProcessChosen(Message):
    """A process of the grid is looked at."""

    process: int


@dataclass
class PythonLineChosen(Message):
    """A line of a Python file, counted from 1, is looked at."""

    file: str
    line: int


@dataclass
class OutlineChosen(Message):
    """A scope of the outline is to be shown: its first line, from 1."""

    line: int


class ProcessShown(Message):
    """The cursor is on another process of the grid, or that one is in another state."""


class LinesShown(Message):
    """Other lines of the source are visible now."""


class ValuesShown(Message):
    """Other rows of the list of values are visible now."""


class TensorPartChanged(Message):
    """Another part of the tensor is looked at."""


class TimelineResized(Message):
    """The timeline has another width, for which it needs another overview."""
