"""Programs under the eyes of somebody: a `Session` steps through one, or a grid of them, forwards and
backwards.
"""

from shlo.debugger.control.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.grid_session import GridSession
from shlo.debugger.inspect.grid_snapshots import (
    ChannelView,
    Comparison,
    GridView,
    ProcessValue,
    ProcessView,
    ValueGroup,
)
from shlo.debugger.inspect.provenance import Origin, SourceLine, origin_of
from shlo.debugger.inspect.snapshots import FrameView, Snapshot, Taken, ValueView
from shlo.debugger.inspect.statistics import Histogram, Statistics, histogram_of, statistics_of
from shlo.debugger.session import Session

__all__ = [
    "Breakpoint",
    "ChannelView",
    "Comparison",
    "DebuggerError",
    "FrameView",
    "GridSession",
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
