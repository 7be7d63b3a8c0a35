"""What cannot be computed again of a session's past."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from shlo.interpreter.kernel_api import Value
from shlo.ir.diagnostics import ExecutionError


@dataclass(slots=True)
class Past:
    """What effects gave, by step; where the session stood; the failure and at which position it comes; where
    the generator of `rng` stood.
    """

    effects: dict[int, tuple[Value, ...]] = field(default_factory=dict[int, tuple[Value, ...]])
    position: int = 0
    failure: tuple[int, ExecutionError] | None = None
    generator: dict[str, Any] | None = None


class Listener(Protocol):
    """Somebody who is told about a session's past as it comes to be, in the session's thread."""

    def moving(self, position: int) -> None:
        """A step from a position is about to be taken, perhaps not for the first time."""

    def effect(self, step: int, results: Sequence[Value]) -> None:
        """A step with an effect was taken for the first time, and gave these results."""

    def failed(self, position: int, error: ExecutionError) -> None:
        """The step from a position fails."""

    def stopped(self) -> None:
        """A command that moves has ended."""
