"""Runs cases on an engine, and judges what it gives."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from typing import Any, Final, Literal, get_args

import numpy as np
from msgspec import Struct, field
from msgspec.structs import replace

from shlo.conformance.cases import ConformanceCase
from shlo.conformance.traits import Traits, traits_of
from shlo.conformance.waivers import Waiver, waiver_of
from shlo.engines import Engine, EngineError, EngineFailure, engine_of, label_of
from shlo.engines.engine import Outcome
from shlo.fuzzing.comparing import difference_of_results, steps_of
from shlo.interpreter.options import RunOptions
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array
from shlo.support.conclusion import Conclusion
from shlo.syntax import parse

Verdict = Literal["pass", "wrong", "refused", "crashed", "timeout", "waived"]
"""What becomes of a case. A waived one is wrong in a way that a waiver allows."""

VERDICTS: Final[tuple[str, ...]] = get_args(Verdict)
FAILURES: Final = ("wrong", "crashed", "timeout")
"""Verdicts of an engine that does not do what it took on."""

_OF_OUTCOMES: Final[dict[Outcome, Verdict]] = {
    "refused": "refused",
    "crashed": "crashed",
    "timeout": "timeout",
    "wrong results": "wrong",
}


Results = Sequence[Sequence[Any]]
"""Tensors, those of each process of a grid."""


class JudgedCase(Struct, frozen=True):
    """A case and what became of it.

    Args:
        case: the case.
        verdict: what became of it.
        detail: how results differ, or why there are none.
        judge: the engine that says what is right.
        expected: the right results of each process.
        given: the engine's, where it gave any.
        seconds: how long the engine took.
        traits: what is so about it where the engine fails it.
        waiver: why it may be wrong.
        reduced: a smaller program that the engine fails in the same way, judged.
        not_reduced: why there is none, where one was asked for.
    """

    case: ConformanceCase
    verdict: Verdict
    detail: str = ""
    judge: str = ""
    expected: Results = ()
    given: Results = ()
    seconds: float = 0.0
    traits: Traits = Traits()
    waiver: Waiver | None = None
    reduced: JudgedCase | None = None
    not_reduced: str = ""

    @property
    def allowed(self) -> str:
        """Why results may differ, and by how much."""
        return self.case.allowance.reason


class Failed(Struct, frozen=True):
    """A case that an engine gives no results for."""

    verdict: Verdict
    detail: str


Given = Results | Failed
"""What an engine gives for a case, or why it gives nothing."""
_Timed = list[tuple[Given, float]]


class Scorecard(Struct):
    """What became of all cases."""

    engine: str
    judged: list[JudgedCase] = field(default_factory=list[JudgedCase])
    is_interrupted: bool = False

    @property
    def failures(self) -> list[JudgedCase]:
        """The cases that the engine fails, and no waiver covers."""
        return [each for each in self.judged if each.verdict in FAILURES]

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
    jobs: int = 1,
) -> None:
    """Judges cases in their order; `scorecard` is filled while the run goes on.

    Args:
        cases: the cases.
        engine: the engine; one that may be used from several threads where there are several jobs.
        scorecard: what became of them.
        waivers: what the engine may differ in.
        on_case: is told of each case, as it is without a waiver.
        jobs: how many cases the engine runs at a time; what is right is computed meanwhile, in this thread.
    """
    pool = ThreadPoolExecutor(jobs)
    try:
        for group, future in _ahead(
            _by_program(cases), lambda group: pool.submit(_timed, group, engine), 2 * jobs
        ):
            for number, case in enumerate(group):
                judged = judge(
                    case, lambda at=number, future=future: future.result()[at][0], label_of(engine)
                )
                judged = replace(judged, seconds=future.result()[number][1])
                on_case(judged)
                scorecard.judged.append(waived(judged, waivers))
    finally:
        pool.shutdown(cancel_futures=True)


def _by_program(cases: Iterable[ConformanceCase]) -> Iterator[Sequence[ConformanceCase]]:
    """Yields cases of one program together: an engine that keeps what it compiled has it once."""
    group: list[ConformanceCase] = []
    for case in cases:
        if group and case.case.module is not group[0].case.module:
            yield group
            group = []
        group.append(case)
    if group:
        yield group


def _ahead(
    groups: Iterable[Sequence[ConformanceCase]],
    submit: Callable[[Sequence[ConformanceCase]], Future[_Timed]],
    count: int,
) -> Iterator[tuple[Sequence[ConformanceCase], Future[_Timed]]]:
    """Yields groups of cases with what becomes of them; the next ones are running meanwhile."""
    running: deque[tuple[Sequence[ConformanceCase], Future[_Timed]]] = deque()
    for group in groups:
        running.append((group, submit(group)))
        if len(running) > count:
            yield running.popleft()
    yield from running


def _timed(cases: Sequence[ConformanceCase], engine: Engine) -> _Timed:
    """Returns what an engine gives for each case, and how many seconds it takes."""
    timed: list[tuple[Given, float]] = []
    for case in cases:
        start = monotonic()
        timed.append((run_on(case, engine), monotonic() - start))
    return timed


def run_on(case: ConformanceCase, engine: Engine) -> Given:
    """Returns what an engine gives for a case, or why it gives nothing."""
    try:
        with np.errstate(all="ignore"):
            return run_case(case, engine)
    except EngineFailure as failure:
        return Failed(_OF_OUTCOMES[failure.outcome], str(failure))
    except ShloError as error:
        return Failed("refused", str(error))


_REPLICA: Final = """
func.func @main() -> tensor<ui32> {
  %0 = stablehlo.replica_id : tensor<ui32>
  return %0 : tensor<ui32>
}"""


def has_grid(engine: Engine) -> bool:
    """Returns whether an engine runs the processes of a grid, by running one."""
    module, _ = parse(_REPLICA)
    try:
        return len(engine.execute_grid([module], [[], []], RunOptions(replicas=2))) == 2
    except ShloError:
        return False


_IDENTITY: Final = """
func.func @main(%arg0: tensor<f32>) -> tensor<f32> {
  return %arg0 : tensor<f32>
}"""


def require_running(engine: Engine) -> None:
    """Raises EngineError where a program that returns its argument ends an engine: no case says more."""
    module, _ = parse(_IDENTITY)
    try:
        engine.execute(module, [np.float32(1)], RunOptions())
    except EngineFailure as failure:
        if failure.outcome == "crashed":
            raise EngineError(
                f"expected an engine that runs programs: {failure}", "the program only returned its argument"
            ) from failure


def run_case(case: ConformanceCase, engine: Engine) -> Results:
    """Returns what an engine gives in each process of a case; raises ShloError."""
    program = case.case
    if program.grid == (1, 1):
        return [engine.execute(program.module, program.inputs[0], RunOptions())]
    replicas, partitions = program.grid
    options = RunOptions(replicas=replicas, partitions=partitions)
    return engine.execute_grid([program.module], program.inputs, options)


def judge(case: ConformanceCase, given: Callable[[], Given], label: str) -> JudgedCase:
    """Returns what becomes of a case.

    Args:
        case: the case.
        given: returns what the engine gives, once what is right is known.
        label: what reports call the engine.
    """
    judging, expected = right_results(case)
    results = given()
    if isinstance(results, Failed):
        traits = traits_of(case, expected[0]) if results.verdict in FAILURES else Traits()
        return JudgedCase(case, results.verdict, results.detail, judging, expected, traits=traits)
    detail = _difference(case, expected, results, label)
    if detail:
        traits = traits_of(case, expected[0], results[0])
        return JudgedCase(case, "wrong", detail, judging, expected, results, traits=traits)
    return JudgedCase(case, "pass", judge=judging)  # no report shows its results


def waived(judged: JudgedCase, waivers: Sequence[Waiver]) -> JudgedCase:
    """Returns a case with the waiver for it, where it is wrong and there is one."""
    waiver = waiver_of(waivers, judged.case, judged.traits) if judged.verdict in FAILURES else None
    return judged if waiver is None else replace(judged, verdict="waived", waiver=waiver)


def right_results(case: ConformanceCase) -> tuple[str, Results]:
    """Returns the results of a case in each process, and the engine that they are from."""
    if case.expected is not None:
        return case.judge, [list(arrays) for arrays in case.expected]
    with np.errstate(all="ignore"):
        try:
            return case.judge, run_case(case, engine_of(case.judge))
        except ShloError:
            return "interpreter", run_case(case, engine_of("interpreter"))


def _difference(case: ConformanceCase, expected: Results, given: Results, label: str) -> str:
    """Returns how results differ, empty where they are near enough."""
    if len(given) != len(expected):
        return f"expected results of {len(expected)} processes, got {len(given)}"
    tolerance, operands = case.allowance, ()
    if tolerance.scale == "sum":
        steps = steps_of(case.case.module, case.case.inputs, case.case.grid, "spec")
        operands = next((step.operands for step in steps if step.operation is case.operation), ())

    def allowed(right: Array) -> Any:
        return tolerance.allowed(case.subject, right, operands)

    return difference_of_results(expected, given, label, allowed, "the reference")
