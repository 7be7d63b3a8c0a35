"""Reverse debugger: `Session` steps a program, or a grid of processes, both ways."""

from typing import TYPE_CHECKING, Final

from shlo.places.origins import Origin, SourceLine, origin_of
from shlo.runner.statistics import Histogram, Statistics, histogram_of, statistics_of
from shlo.support.late_names import late_names

if TYPE_CHECKING:
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
    from shlo.debugger.recording.file import open_recording
    from shlo.debugger.recording.runs import RecordedRun, RecordedValue
    from shlo.debugger.session import Session

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
    "Breakpoint": "control.breakpoints",
    "ChannelView": "inspect.snapshots",
    "Comparison": "inspect.snapshots",
    "DebuggerError": "errors",
    "FrameView": "inspect.snapshots",
    "GridView": "inspect.snapshots",
    "ProcessValue": "inspect.snapshots",
    "ProcessView": "inspect.snapshots",
    "RecordedRun": "recording.runs",
    "RecordedValue": "recording.runs",
    "RecordingError": "errors",
    "Session": "session",
    "Snapshot": "inspect.snapshots",
    "StepView": "inspect.snapshots",
    "ValueGroup": "inspect.snapshots",
    "ValueView": "inspect.snapshots",
    "open_recording": "recording.file",
}
"""What is fetched when it is first used: a part of the debugger loads no session."""


__getattr__ = late_names(__name__, _HOMES)
