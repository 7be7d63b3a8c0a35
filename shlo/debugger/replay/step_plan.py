"""A step as a cursor plans it, and who is told of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct

from shlo.debugger.replay.edits import Edit, ReplaceEdit, SkipEdit
from shlo.debugger.replay.effect_log import Effect, Values
from shlo.debugger.replay.history import History
from shlo.debugger.replay.program_points import ProgramPoint
from shlo.interpreter.engine.stepper import Step
from shlo.interpreter.program.code import Kind
from shlo.interpreter.spmd.grid import GridStep
from shlo.ir.diagnostics import ExecutionError


class StepPlan(Struct):
    """The step from a position of a history that a process takes next, and what is known of it.

    Args:
        history: The history.
        position: The position.
        process: The process.
        point: Where the process is.
        edit: The edit by which the operation is not carried out.
        results: The results of the step where the operation need not be carried out for them.
        records: Whether the history takes the results of the step.
        effect: The effect that a step of a grid has, if it is one that must not be repeated.
        is_first: Whether the step is taken for the first time.
    """

    history: History
    position: int
    process: int
    point: ProgramPoint
    edit: SkipEdit | ReplaceEdit | None
    results: Values | None
    records: bool
    effect: Effect | None
    is_first: bool


class StepObserver(Protocol):
    """Looks at the steps that a cursor takes, in the session's thread."""

    def before_step(self, plan: StepPlan) -> None:
        """A step is about to be taken."""

    def after_step(self, plan: StepPlan, outcome: GridStep) -> None:
        """A step was taken. Edits at the position that it led to are made after this."""


class SessionListener(StepObserver, Protocol):
    """Receives what a session adds to its history, too."""

    def cut(self, position: int) -> None:
        """What came after a position was discarded."""

    def edited(self, edit: Edit) -> None:
        """An edit was made at the position of the session, behind which nothing is known."""

    def switched(self, position: int) -> None:
        """Another future is the session's: what it has in common with the one before ends at a position,
        before the edits there.
        """

    def failed(self, position: int, error: ExecutionError) -> None:
        """The step from a position fails."""

    def stopped(self) -> None:
        """A command that moves has ended."""


def steps_of(outcome: GridStep) -> Sequence[tuple[int, Step]]:
    """Returns the steps of processes that a step of a grid consists of."""
    step = outcome.step
    return outcome.resumed if step is None else ((outcome.process, step), *outcome.resumed)


def is_kernel(step: Step) -> bool:
    """Returns whether a kernel carried out a step."""
    return step.code.instructions[step.index].kind is Kind.KERNEL
