"""Programs under the eyes of somebody: a `Session` steps through one, or a grid of them, forwards and
backwards.
"""

from shlo.debugger.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.grid_session import GridSession
from shlo.debugger.grid_snapshots import (
    ChannelView,
    Comparison,
    GridView,
    ProcessValue,
    ProcessView,
    ValueGroup,
)
from shlo.debugger.origins import Origin, SourceLine, origin_of
from shlo.debugger.session import Session
from shlo.debugger.snapshots import FrameView, Snapshot, Taken, ValueView
from shlo.debugger.statistics import Histogram, Statistics, histogram_of, statistics_of

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
