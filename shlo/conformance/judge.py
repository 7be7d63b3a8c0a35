"""Runs cases on an engine, and judges what it gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from shlo.conformance.cases import ConformanceCase
from shlo.conformance.waivers import Waiver, waiver_of
from shlo.divergence.findings import is_beyond
from shlo.divergence.tolerances import Tolerances, tolerance_of
from shlo.engines import Engine, EngineFailure, engine_of, label_of
from shlo.engines.engine import Outcome
from shlo.fuzzing.comparing import difference_text, steps_of
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating
from shlo.support.conclusion import Conclusion

Verdict = Literal["pass", "wrong", "refused", "crashed", "timeout", "waived"]
"""What becomes of a case. A waived one is wrong in a way that a waiver allows."""

_VERDICTS: Final[dict[Outcome, Verdict]] = {
    "refused": "refused",
    "crashed": "crashed",
    "timeout": "timeout",
    "wrong results": "wrong",
}


class JudgedCase(Struct, frozen=True):
    """A case and what became of it.

    Args:
        case: the case.
        verdict: what became of it.
        detail: how results differ, or why there are none.
        judge: the engine that says what is right.
        allowed: why results may differ, and by how much.
        expected: the right results.
    """

    case: ConformanceCase
    verdict: Verdict
    detail: str = ""
    judge: str = ""
    allowed: str = ""
    expected: Sequence[Array] = ()


class Scorecard(Struct):
    """What became of all cases."""

    engine: str
    judged: list[JudgedCase] = field(default_factory=list[JudgedCase])
    is_interrupted: bool = False

    @property
    def counts(self) -> Counter[str]:
        """How many cases have each verdict."""
        return Counter(each.verdict for each in self.judged)

    @property
    def conclusion(self) -> Conclusion:
        """What the cases say of the engine: those that it did not run are not compared."""
        counts = self.counts
        compared = counts["pass"] + counts["wrong"] + counts["waived"]
        left_out = counts.total() - compared + self.is_interrupted
        return Conclusion(counts["wrong"] > 0, compared, left_out)


def judge_cases(
    cases: Iterable[ConformanceCase],
    engine: Engine,
    scorecard: Scorecard,
    waivers: Sequence[Waiver] = (),
    on_case: Callable[[JudgedCase], None] = lambda judged: None,
) -> None:
    """Judges cases one after the other; `scorecard` is filled while the run goes on."""
    for case in cases:
        judged = judge(case, engine)
        if judged.verdict == "wrong" and waiver_of(waivers, case) is not None:
            judged = replace(judged, verdict="waived")
        scorecard.judged.append(judged)
        on_case(judged)


def judge(case: ConformanceCase, engine: Engine) -> JudgedCase:
    """Returns what becomes of a case on an engine."""
    name, arguments = case.operation.name, case.case.inputs[0]
    judging, expected = right_results(case)
    allowed = tolerance_of(name).reason
    try:
        with np.errstate(all="ignore"):
            given = engine.execute(case.case.module, arguments, RunOptions())
    except EngineFailure as failure:
        return JudgedCase(case, _VERDICTS[failure.outcome], str(failure), judging, allowed, expected)
    except ShloError as error:
        return JudgedCase(case, "refused", str(error), judging, allowed, expected)
    detail = _difference(case, expected, given, label_of(engine))
    return JudgedCase(case, "wrong" if detail else "pass", detail, judging, allowed, expected)


def right_results(case: ConformanceCase) -> tuple[str, tuple[Array, ...]]:
    """Returns the results of a case, and the engine that they are from."""
    module, arguments = case.case.module, case.case.inputs[0]
    with np.errstate(all="ignore"):
        try:
            return "reference", engine_of("reference").execute(module, arguments, RunOptions())
        except ShloError:
            return "interpreter", engine_of("interpreter").execute(module, arguments, RunOptions())


def _difference(case: ConformanceCase, expected: Sequence[Any], given: Sequence[Any], label: str) -> str:
    """Returns how results differ, empty where they are near enough."""
    if len(given) != len(expected):
        return f"expected {len(expected)} results, got {len(given)}"
    steps = steps_of(case.case.module, case.case.inputs, (1, 1), "spec")
    operands = next((step.operands for step in steps if step.operation is case.operation), ())
    for number, (right, other) in enumerate(zip(expected, given)):
        if np.shape(right) != np.shape(other) or right.dtype != np.asarray(other).dtype:
            got, shapes = np.asarray(other).dtype, f"{list(np.shape(right))}, got {list(np.shape(other))}"
            return f"result {number}: expected {right.dtype} of shape {shapes} of {got}"
        is_judged = is_floating(right) and right.size
        allowed = Tolerances().allowed(case.operation.name, right, operands) if is_judged else 0.0
        if is_beyond(right, other, allowed):
            return f"result {number}: {difference_text(right, np.asarray(other), label)}"
    return ""
