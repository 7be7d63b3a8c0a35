"""Non-replayable history: effect results, states of random generators, failures."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from shlo.debugger.replay.edits import Edit
from shlo.interpreter.kernel_api import Value
from shlo.ir.diagnostics import ExecutionError

Values = tuple[Value, ...]


class Effect(Struct, frozen=True):
    """A step that must not be taken twice: which process took it after how many of its own, at which program
    point (`ProgramPoint.key`), on which operands.
    """

    process: int
    step: int
    point: str
    operands: Values


class EffectLog(Struct):
    """What a replay of a program on the same inputs needs.

    `results` of effects and the `failure` (with the step that fails) are by position, `generators` of `rng`
    by process. For a grid, `schedule` has the process that takes each step, `effects` says what each effect
    was, and `discarded` holds those of futures that were cut off. `edits` are in the order of their
    positions. `drawn` has, by position of an effect, its process and the state of the generator after it.
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
    edits: list[Edit] = field(default_factory=list[Edit])
    drawn: dict[int, tuple[int, dict[str, Any]]] = field(
        default_factory=dict[int, tuple[int, dict[str, Any]]]
    )

    def branch(self, position: int) -> EffectLog:
        """Returns the log of another future that begins at a position. Its effects are its own: what those
        of this future gave is not used there.
        """
        log = replace(
            self,
            results=dict(self.results),
            schedule=list(self.schedule),
            effects={step: effect for step, effect in self.effects.items() if step < position},
            discarded={},
            drawn=dict(self.drawn),
        )
        log._shorten(position)
        return log

    def cut(self, position: int) -> None:
        """Discards what comes after a position: another future begins there."""
        for step in [step for step in self.effects if step >= position]:
            effect = self.effects.pop(step)
            self.discarded[effect.process, effect.step] = effect, self.results[step]
        self._shorten(position)

    def switch(self, position: int) -> None:
        """Discards what comes after a position, and the edits there: another future has its own."""
        self._shorten(position)
        self.effects = {step: effect for step, effect in self.effects.items() if step < position}
        self.edits = [edit for edit in self.edits if edit.position < position]

    def _shorten(self, position: int) -> None:
        for by_step in (self.results, self.drawn):
            for step in [step for step in by_step if step >= position]:
                del by_step[step]
        self.edits = [edit for edit in self.edits if edit.position <= position]
        del self.schedule[position:]
        if self.failure is not None and self.failure[0] >= position:
            self.failure = None
