"""Programs under the eyes of somebody: a `Session` steps through one, forwards and backwards."""

from shlo.debugger.breakpoints import Breakpoint
from shlo.debugger.errors import DebuggerError
from shlo.debugger.origins import Origin, SourceLine, origin_of
from shlo.debugger.session import Session
from shlo.debugger.snapshots import FrameView, Snapshot, Taken, ValueView
from shlo.debugger.statistics import Histogram, Statistics, histogram_of, statistics_of

__all__ = [
    "Breakpoint",
    "DebuggerError",
    "FrameView",
    "Histogram",
    "Origin",
    "Session",
    "Snapshot",
    "SourceLine",
    "Statistics",
    "Taken",
    "ValueView",
    "histogram_of",
    "origin_of",
    "statistics_of",
]
