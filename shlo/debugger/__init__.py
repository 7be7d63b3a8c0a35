"""Reverse debugger: `Session` steps a program, or a grid of processes, both ways."""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError, RecordingError
from shlo.debugger.inspect.snapshots import (
    ChannelView,
    Comparison,
    FrameView,
    GridView,
    ProcessValue,
    ProcessView,
    Snapshot,
    StepView,
    ValueGroup,
    ValueView,
)
from shlo.debugger.session import Session
from shlo.places.origins import Origin, SourceLine, origin_of
from shlo.runner.statistics import Histogram, Statistics, histogram_of, statistics_of

if TYPE_CHECKING:
    from shlo.debugger.recording.file import open_recording
    from shlo.debugger.recording.runs import RecordedRun, RecordedValue

__all__ = [
    "Breakpoint",
    "ChannelView",
    "Comparison",
    "DebuggerError",
    "FrameView",
    "GridView",
    "Histogram",
    "Origin",
    "ProcessValue",
    "ProcessView",
    "RecordedRun",
    "RecordedValue",
    "RecordingError",
    "Session",
    "Snapshot",
    "SourceLine",
    "Statistics",
    "StepView",
    "ValueGroup",
    "ValueView",
    "histogram_of",
    "open_recording",
    "origin_of",
    "statistics_of",
]


_HOMES: Final = {
    "RecordedRun": "shlo.debugger.recording.runs",
    "RecordedValue": "shlo.debugger.recording.runs",
    "open_recording": "shlo.debugger.recording.file",
}
"""What is fetched when it is first used."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
