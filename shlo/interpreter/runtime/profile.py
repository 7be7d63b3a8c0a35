"""Profiles: where the time of a run goes, operation by operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from shlo.ir.operations import Operation

Progress = Callable[[int, int], None]
"""Called with how many of the entry function's operations are done, and of how many."""

ELEMENT_BY_ELEMENT = " (element by element)"


class ProfiledRun(Struct, frozen=True):
    """An operation that a process has carried out, or waited at.

    Attributes:
        name: its name; that of one whose region ran on each element alone ends with ELEMENT_BY_ELEMENT.
        seconds: how long it took, without what a grid recorded within.
        start: when it began, on the clock of `time.perf_counter`.
        path: the calls and control flow around it, the outermost first, and last the operation itself.
        process: the number of the process in its grid.
        label: what messages call the process; empty where it is alone.
        is_wait: whether the process waited there for others.
    """

    name: str
    seconds: float
    start: float
    path: tuple[Operation, ...]
    process: int
    label: str
    is_wait: bool = False


class Profile(Protocol):
    """Collects what a run's operations cost."""

    def record(self, run: ProfiledRun) -> None:
        """Called after each operation that a kernel or a grid carries out, and after each wait."""
        ...


class Meter:
    """Forwards costs to a profile and adds them up. All processes of a grid share one."""

    def __init__(self, profile: Profile) -> None:
        self.seconds = 0.0
        self._profile = profile

    def record(self, run: ProfiledRun) -> None:
        """Tells the profile what an operation took."""
        if not run.is_wait:
            self.seconds += run.seconds
        self._profile.record(run)
