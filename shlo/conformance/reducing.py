"""Cases that an engine fails, as smaller programs that it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np
from msgspec.structs import replace

from shlo.conformance.cases import operation_of
from shlo.conformance.judge import FAILURES, JudgedCase, Scorecard, judge, run_on
from shlo.engines import Engine, engine_of, label_of
from shlo.fuzzing.forms import MAIN
from shlo.fuzzing.reducing import REDUCED_FOR_S
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import ShloError
from shlo.ir.operations import Operation
from shlo.reduction.candidate import Candidate
from shlo.reduction.captured import arguments_of
from shlo.reduction.checks import ValidCheck
from shlo.reduction.search import start
from shlo.runner.errors import RequestError

MOST_STEPS: Final = 100_000
"""Operations that a smaller program may carry out: a loop without its condition may have no end."""


def reduce_failures(
    scorecard: Scorecard,
    engine: Engine,
    seconds: float = REDUCED_FOR_S,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, count: None,
) -> None:
    """Reduces the cases that an engine fails, those of one operation and detail once.

    Args:
        scorecard: the judged cases; each failure becomes one with `reduced`, or with `not_reduced`.
        engine: the engine.
        seconds: how long a case is reduced at most.
        jobs: how many programs the engine runs at a time.
        progress: is told how many failures are done, and of how many.
    """
    failures = [number for number, judged in enumerate(scorecard.judged) if judged.verdict in FAILURES]
    outcomes: dict[tuple[str, str], JudgedCase | str] = {}
    for done, number in enumerate(failures):
        progress(done, len(failures))
        judged = scorecard.judged[number]
        key = judged.case.subject, judged.detail
        if key not in outcomes:
            outcomes[key] = _reduced(judged, engine, seconds, jobs)
        outcome = outcomes[key]
        is_reduced = isinstance(outcome, JudgedCase)
        scorecard.judged[number] = (
            replace(judged, reduced=outcome) if is_reduced else replace(judged, not_reduced=outcome)
        )


def _reduced(judged: JudgedCase, engine: Engine, seconds: float, jobs: int) -> JudgedCase | str:
    """Returns the smallest program found on which an engine fails as on a case, or why there is none."""
    program = judged.case.case
    if program.grid != (1, 1):
        return "its program is for a grid of processes"
    if judged.case.operation is None:
        return "it has several operations: `shlo diff` names the first one that is wrong"
    if judged.verdict == "timeout":
        return "each smaller program may take as long"
    check = _FailureCheck(judged, engine)
    try:
        search = start(program.module, MAIN, program.inputs[0], check, seconds=seconds, jobs=jobs)
        smaller = check.judged(search.run())
    except RequestError as error:
        return str(error)
    if smaller is None or smaller.verdict != judged.verdict:
        return "the engine does not fail it each time"
    return smaller


class _FailureCheck(ValidCheck):
    """A program with the operation of a case that an engine fails as it does the case."""

    def __init__(self, judged: JudgedCase, engine: Engine) -> None:
        self._judged, self._engine = judged, engine

    def suspect(self, candidate: Candidate) -> Operation | None:
        """Returns the operation that is judged."""
        return operation_of(candidate.module, self._judged.case.subject)

    def shows(self, candidate: Candidate) -> bool:
        """Judges the candidate."""
        judged = self.judged(candidate)
        return judged is not None and judged.verdict == self._judged.verdict

    def judged(self, candidate: Candidate) -> JudgedCase | None:
        """Returns what becomes of a candidate; None where it is no case of the operation, or does not end."""
        operation = self.suspect(candidate)
        if operation is None:
            return None
        case = self._judged.case
        arguments = [np.asarray(value) for value in arguments_of(candidate)]
        smaller = replace(
            case,
            operation=operation,
            case=replace(case.case, module=candidate.module, inputs=[arguments]),
            expected=None,
        )
        try:
            with np.errstate(all="ignore"):
                engine_of("interpreter").execute(
                    candidate.module, arguments, RunOptions(max_steps=MOST_STEPS)
                )
            return judge(smaller, partial(run_on, smaller, self._engine), label_of(self._engine))
        except ShloError:
            return None
