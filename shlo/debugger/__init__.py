"""Reverse debugger: `Session` steps a program, or a grid of processes, both ways."""

from typing import Any

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.inspect.provenance import Origin, SourceLine, origin_of
from shlo.debugger.inspect.snapshots import (
    ChannelView,
    Comparison,
    FrameView,
    GridView,
    ProcessValue,
    ProcessView,
    Snapshot,
    Taken,
    ValueGroup,
    ValueView,
)
from shlo.debugger.session import Session
from shlo.debugger.tensors.statistics import Histogram, Statistics, histogram_of, statistics_of

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
    "Session",
    "Snapshot",
    "SourceLine",
    "Statistics",
    "Taken",
    "ValueGroup",
    "ValueView",
    "histogram_of",
    "origin_of",
    "statistics_of",
]


def __getattr__(name: str) -> Any:
    if name == "GridSession":  # until 0.3: a session takes one process or a grid
        import warnings

        warnings.warn("GridSession is deprecated; use Session", DeprecationWarning, stacklevel=2)
        return Session
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
