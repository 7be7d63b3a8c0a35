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

_RENAMED: Final = {"GridSession": Session, "Taken": StepView}
_RENAMED_MEMBERS: Final = (
    (Session, "meet", "run_to_sync"),
    (Session, "back_meet", "reverse_to_sync"),
    (Snapshot, "taken", "last_step"),
)
"""Old names, which warn, until 0.3."""


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name not in _RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    _warn(name, _RENAMED[name].__name__)
    return _RENAMED[name]


def _warn(old: str, new: str) -> None:
    from shlo.support.deprecation import warn_deprecated

    warn_deprecated(old, new, removed_in="0.3.0", stacklevel=3)


def _deprecated_member(old: str, new: str) -> property:
    def get(self: Any) -> Any:
        _warn(old, new)
        return getattr(self, new)

    return property(get, doc=f"Deprecated name of `{new}`.")


for _owner, _old, _new in _RENAMED_MEMBERS:
    setattr(_owner, _old, _deprecated_member(_old, _new))
