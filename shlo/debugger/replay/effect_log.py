"""Non-replayable history: effect results, states of random generators, failures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.spmd.grid import GridStep
from shlo.ir.diagnostics import ExecutionError

Values = tuple[Value, ...]


class Effect(NamedTuple):
    """A step that must not be taken twice: which process took it after how many of its own, at which program
    point (`ProgramPoint.key`), on which operands.
    """

    process: int
    step: int
    point: str
    operands: Values


@dataclass(slots=True)
class EffectLog:
    """What a replay of a program on the same inputs needs.

    `results` of effects and the `failure` (with the step that fails) are by position, `generators` of `rng`
    by process. For a grid, `schedule` has the process that takes each step, `effects` says what each effect
    was, and `discarded` holds those of futures that were cut off.
    """

    results: dict[int, Values] = field(default_factory=dict[int, Values])
    position: int = 0
    failure: tuple[int, ExecutionError] | None = None
    generators: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    schedule: list[int] = field(default_factory=list[int])
    effects: dict[int, Effect] = field(default_factory=dict[int, Effect])
    discarded: dict[tuple[int, int], tuple[Effect, Values]] = field(
        default_factory=dict[tuple[int, int], tuple[Effect, Values]]
    )

    def cut(self, position: int) -> None:
        """Discards what comes after a position: another future begins there."""
        for step in [step for step in self.effects if step >= position]:
            effect = self.effects.pop(step)
            self.discarded[effect.process, effect.step] = effect, self.results[step]
        for step in [step for step in self.results if step >= position]:
            del self.results[step]
        del self.schedule[position:]
        if self.failure is not None and self.failure[0] >= position:
            self.failure = None


class EffectListener(Protocol):
    """Receives what a session adds to its log, in the session's thread."""

    def before_step(self, position: int) -> None:
        """A step from a position is about to be taken, perhaps not for the first time."""

    def stepped(self, position: int, made: GridStep) -> None:
        """A step led to a position for the first time."""

    def effect(self, step: int, results: Sequence[Value]) -> None:
        """A step with an effect was taken for the first time, with these results."""

    def cut(self, position: int) -> None:
        """What came after a position was discarded."""

    def failed(self, position: int, error: ExecutionError) -> None:
        """The step from a position fails."""

    def stopped(self) -> None:
        """A command that moves has ended."""
