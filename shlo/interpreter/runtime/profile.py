"""Profiles: where the time of a run goes, operation by operation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

Progress = Callable[[int, int], None]
"""Called with how many of the entry function's operations are done, and of how many."""

ELEMENT_BY_ELEMENT = " (element by element)"


class Profile(Protocol):
    """Collects what a run's operations cost."""

    def record(self, name: str, seconds: float) -> None:
        """Called after each operation that a kernel carries out, with its name and how long it took; the
        name of one whose region ran on each element alone ends with ELEMENT_BY_ELEMENT.
        """
        ...


class Meter:
    """Forwards costs to a profile and adds them up. All processes of a grid share one."""

    def __init__(self, profile: Profile) -> None:
        self.seconds = 0.0
        self._profile = profile

    def record(self, name: str, seconds: float) -> None:
        """Tells the profile what an operation took."""
        self.seconds += seconds
        self._profile.record(name, seconds)
