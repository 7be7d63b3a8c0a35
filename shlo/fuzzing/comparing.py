"""Programs on the interpreter and on another engine: many at once, and what differs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Literal

import numpy as np
from msgspec import Struct, field

from shlo.debugger.tensors.difference import difference_of
from shlo.dialects.constants import is_constant
from shlo.divergence.findings import elements_beyond, is_beyond
from shlo.divergence.known import Carried, Known, explanation_of_elements, explanation_of_steps
from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine, EngineError, label_of
from shlo.fuzzing.forms import Apart, alone, apart, joined, main_of
from shlo.fuzzing.programs import Case
from shlo.fuzzing.round_trips import ROUND_TRIPS, round_trip_problem
from shlo.interpreter import RunOptions
from shlo.interpreter.execution import make_grid, run, run_grid
from shlo.interpreter.kernel_steps import kernel_steps
from shlo.interpreter.program.liveness import uses_of
from shlo.interpreter.semantics import Semantics
from shlo.ir.diagnostics import ShloError
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Module, Operation
from shlo.ir.types import RankedTensorType
from shlo.runner.statistics import is_floating
from shlo.text.numbers import exact_number_text, plural

What = Literal["operation", "results", "grid", "round trip", "interpreter"]
"""An operation by itself; results of a program, or of a grid; a round trip; the interpreter fails."""


class Difference(Struct, frozen=True):
    """Something that is not as it should be.

    Args:
        what: what differs.
        number: of which program.
        key: what is the same for differences of one cause, as far as that can be told: the operation, the
            types of its elements.
        text: how it differs.
        module: a program that shows it.
        inputs: the arguments of each process.
        grid: replicas and partitions.
        detail: the round trip.
    """

    what: What
    number: int
    key: str
    text: str
    module: Module
    inputs: Sequence[Sequence[Array]] = ()
    grid: tuple[int, int] = (1, 1)
    detail: str = ""


class Outcome(Struct):
    """What came of some programs.

    Args:
        programs: how many were compared.
        counts: how often results of each operation were compared.
        differences: what is not as it should be.
        known: differences that are known, by name.
        refused: what the engine did not run, by its message.
    """

    programs: int = 0
    counts: Counter[str] = field(default_factory=Counter[str])
    differences: list[Difference] = field(default_factory=list[Difference])
    known: Counter[str] = field(default_factory=Counter[str])
    refused: Counter[str] = field(default_factory=Counter[str])


RECOMPUTED: Final = "operands computed once more"
"""The name of differences of operations that do not differ alone: XLA computes operands again in a fusion,
there with other roundings."""


class Comparison:
    """Compares programs on two engines.

    Args:
        engine: what is compared with the interpreter.
        tolerances: how far floating-point results of an operation may be apart.
    """

    def __init__(self, engine: Engine, tolerances: Tolerances) -> None:
        self._engine, self._tolerances = engine, tolerances
        self._semantics: Semantics = semantics_of(engine)
        self._reasons: dict[str, str] = {}

    def compare(self, cases: Sequence[Case]) -> Outcome:
        """Returns what comes of programs on the engine, those of one process compiled as one."""
        outcome = Outcome()
        single = [case for case in cases if case.how != "grid"]
        forms = {case.number: apart(case.module) for case in single if case.how == "apart"}
        for case, arguments in self._given(single, forms, outcome):
            outcome.programs += 1
            if case.number in forms:
                self._judge_apart(case, forms[case.number], arguments, outcome)
            else:
                self._judge_results(case, [arguments], outcome)
        for case in cases:
            if case.how == "grid":
                self._compare_grid(case, outcome)
        return outcome

    def _given(
        self, cases: Sequence[Case], forms: dict[int, Apart], outcome: Outcome
    ) -> list[tuple[Case, Sequence[Array]]]:
        """Returns what the engine gives for the programs that it runs."""
        if not cases:
            return []
        mains = [
            forms[case.number].function if case.number in forms else main_of(case.module) for case in cases
        ]
        program = joined([case.module for case in cases], mains)
        arguments = [array for case in cases for array in case.inputs[0]]
        counts = [len(main.regions[0].blocks[0].operations[-1].operands) for main in mains]
        try:
            results = list(self._engine.execute(program, arguments, RunOptions()))
            if len(results) != sum(counts) and len(cases) > 1:
                raise EngineError("some program has another number of results")
        except (EngineError, ShloError) as error:
            if len(cases) == 1:
                outcome.refused[self._refused(cases[0], str(error))] += 1
                return []
            half = len(cases) // 2
            return [
                *self._given(cases[:half], forms, outcome),
                *self._given(cases[half:], forms, outcome),
            ]
        batches: list[tuple[Case, Sequence[Array]]] = []
        if len(results) != sum(counts):
            text = f"expected {plural(counts[0], 'result')}, got {len(results)}"
            key, case = "results: how many", cases[0]
            outcome.differences.append(
                Difference("results", case.number, key, text, case.module, case.inputs)
            )
            outcome.programs += 1
            return []
        for case, count in zip(cases, counts):
            batches.append((case, results[:count]))
            del results[:count]
        return batches

    def _refused(self, case: Case, message: str) -> str:
        """Returns why the engine does not run a program: the first operation that it does not run alone, and
        what it says.
        """
        reason = _reason(message)
        answer = self._reasons.get(reason)
        if answer is None:
            answer = self._reasons[reason] = next(self._refused_alone(case), "a whole program")
        return f"{answer}: {reason}"

    def _refused_alone(self, case: Case) -> Iterator[str]:
        """Yields the operations of a program that the engine does not run alone, on zeros."""
        region = main_of(case.module).regions[0]
        for operation in region.blocks[0].operations[:-1]:
            module, inputs = alone(case.module, operation)
            types = [region.values.types[value] for value in inputs]
            arrays = [
                np.zeros(type_.static_shape, dtype_of(type_.element_type))
                for type_ in types
                if isinstance(type_, RankedTensorType)
            ]
            try:
                self._engine.execute(module, arrays, RunOptions())
            except (EngineError, ShloError):
                yield _key(operation)

    def _judge_apart(self, case: Case, form: Apart, outputs: Sequence[Array], outcome: Outcome) -> None:
        """Compares the results of each operation with what it gives on the operands that the engine had."""
        region = main_of(case.module).regions[0]
        block, table = region.blocks[0], region.values
        numbers = [value for result in form.operations for value in result.results]
        values: dict[int, Array] = dict(zip((*block.arguments, *numbers), (*case.inputs[0], *outputs)))
        for operation_ in block.operations:
            constant = operation_.attribute("value")
            if constant is not None and not operation_.operands:
                values[operation_.results[0]] = np.asarray(constant.array)  # type: ignore[attr-defined]
        constants = {
            value for operation in block.operations if is_constant(operation) for value in operation.results
        }
        try:
            with np.errstate(all="ignore"):
                expected = list(run(form.check, *case.inputs[0], *outputs, semantics=self._semantics))
        except Exception as error:  # whatever it is, it is a finding
            outcome.differences.append(_failure(case, error))
            return
        for operation in form.operations:
            wanted = [np.asarray(expected.pop(0)) for _ in operation.results]
            others = [values[result] for result in operation.results]
            used = uses_of(operation, table)
            operands = [values[number] for number in used]
            text = self._difference(operation, wanted, others, operands)
            outcome.counts[operation.name] += 1
            if not text:
                continue
            module, inputs = alone(case.module, operation)
            given_to = [values[value] for value in inputs]
            step = Carried(operation, operands, wanted, others, is_foldable=constants.issuperset(used))
            explanation = self._known(step, module, given_to)
            if explanation is not None:
                outcome.known[explanation.name] += 1
            elif self._is_recomputed(operation, module, given_to, wanted):
                outcome.known[RECOMPUTED] += 1
            else:
                outcome.differences.append(
                    Difference("operation", case.number, _key(operation), text, module, [given_to])
                )

    def _known(self, step: Carried, module: Module, inputs: Sequence[Array]) -> Known | None:
        """Returns what explains the difference of an operation on the engine's operands, None where nothing
        does.

        Args:
            step: the operation, with the results of both engines.
            module: a program of it.
            inputs: the arguments of that.
        """
        if step.operation.regions or step.operation.name in ("func.call", "stablehlo.composite"):
            return explanation_of_steps(steps_of(module, [inputs], (1, 1), self._semantics))
        differing = [
            elements_beyond(
                result, other, self._tolerances.allowed(step.operation.name, result, step.operands)
            )
            for result, other in zip(step.results, step.given or ())
        ]
        return explanation_of_elements(step, differing)

    def _is_recomputed(
        self, operation: Operation, module: Module, operands: Sequence[Array], expected: Sequence[Any]
    ) -> bool:
        """Returns whether an operation on floating-point numbers gives the same where it runs alone: beside
        what computes its operands, these may be computed once more, in another way.
        """
        if not all(is_floating(np.asarray(expected_value)) for expected_value in expected):
            return False
        try:
            outputs = self._engine.execute(module, operands, RunOptions())
        except (EngineError, ShloError):
            return False
        return not self._difference(operation, expected, outputs, operands)

    def _difference(
        self,
        operation: Operation,
        expected: Sequence[Any],
        outputs: Sequence[Any],
        operands: Sequence[Array],
    ) -> str:
        """Returns how results differ, empty where they are near enough."""
        for index, (value, other) in enumerate(zip(expected, outputs)):
            array = np.asarray(value)
            if is_beyond(array, other, self._tolerances.allowed(operation.name, array, operands)):
                return f"result {index}: {difference_text(array, np.asarray(other), label_of(self._engine))}"
        return ""

    def _judge_results(self, case: Case, outputs: Sequence[Sequence[Array]], outcome: Outcome) -> None:
        """Compares the results of a whole program, all of which are exact."""
        try:
            with np.errstate(all="ignore"):
                expected = results_of(case.module, case.inputs, case.grid, self._semantics)
        except Exception as error:  # whatever it is, it is a finding
            outcome.differences.append(_failure(case, error))
            return
        for operation, _ in case.module.walk():
            outcome.counts[operation.name] += 1
        text = difference_of_results(expected, outputs, label_of(self._engine))
        if not text:
            return
        explanation = explanation_of_steps(steps_of(case.module, case.inputs, case.grid, self._semantics))
        if explanation is not None:
            outcome.known[explanation.name] += 1
            return
        what: What = "results" if case.how == "fused" else "grid"
        names = sorted({operation.name for operation, _ in case.module.walk() if "." in operation.name})
        key = f"{what}: {', '.join(names)}"
        outcome.differences.append(
            Difference(what, case.number, key, text, case.module, case.inputs, case.grid)
        )

    def _compare_grid(self, case: Case, outcome: Outcome) -> None:
        replicas, partitions = case.grid
        options = RunOptions(replicas=replicas, partitions=partitions)
        module = joined([case.module], [main_of(case.module)])
        try:
            outputs = self._engine.execute_grid([module], case.inputs, options)
        except (EngineError, ShloError) as error:
            outcome.refused[_reason(str(error))] += 1
            return
        outcome.programs += 1
        self._judge_results(case, outputs, outcome)


def results_of(
    module: Module, inputs: Sequence[Sequence[Array]], grid: tuple[int, int], semantics: Semantics
) -> list[tuple[Any, ...]]:
    """Returns what the interpreter gives in each process."""
    if grid == (1, 1):
        return [run(module, *inputs[0], semantics=semantics)]
    return run_grid(module, inputs, replicas=grid[0], partitions=grid[1], semantics=semantics)


def steps_of(
    module: Module, inputs: Sequence[Sequence[Array]], grid: tuple[int, int], semantics: Semantics
) -> Iterator[Carried]:
    """Yields the operations that the interpreter's kernels carry out in a run."""
    options = RunOptions(semantics=semantics, replicas=grid[0], partitions=grid[1])
    with np.errstate(all="ignore"):
        for step in kernel_steps(make_grid(module, inputs, options)):
            yield Carried(step.operation, _tensors(step.operands), _tensors(step.values))


def _tensors(values: Sequence[Any]) -> list[Array]:
    """Returns those values that are no tuples and no tokens."""
    return [np.asarray(value) for value in values if hasattr(value, "dtype")]


def semantics_of(engine: Engine) -> Semantics:
    """Returns which document the interpreter follows beside an engine: where XLA departs from the
    specification on purpose, that is no difference.
    """
    return "xla" if engine.name == "xla" else "spec"


def difference_of_results(
    expected: Sequence[Sequence[Any]],
    outputs: Sequence[Sequence[Any]],
    name: str,
    allowed: Callable[[Array], Any] = lambda value: 0.0,
    judge: str = "the interpreter",
) -> str:
    """Returns how the results of processes differ, empty where they are near enough.

    Args:
        expected: what is right, in each process.
        outputs: what an engine gives.
        name: what the engine is called.
        allowed: returns how far elements may be from what is right.
        judge: what the side that is right is called.
    """
    if len(expected) != len(outputs):
        return f"results of {len(expected)} processes in {judge}, of {len(outputs)} in {name}"
    for process, (values, others) in enumerate(zip(expected, outputs)):
        if len(values) != len(others):
            return f"{plural(len(values), 'result')} in {judge}, {len(others)} in {name}"
        for index, (value, other) in enumerate(zip(map(np.asarray, values), map(np.asarray, others))):
            if value.dtype != other.dtype or is_beyond(value, other, allowed(value)):
                prefix = f"process {process}, " if len(expected) > 1 else ""
                return f"{prefix}result {index}: {difference_text(value, other, name, judge)}"
    return ""


def difference_text(value: Array, other: Array, name: str, judge: str = "the interpreter") -> str:
    """Returns the first element that differs most, and how many do."""
    if value.dtype != other.dtype or value.shape != other.shape:
        return f"{value.dtype}{list(value.shape)} in {judge}, {other.dtype}{list(other.shape)} in {name}"
    difference = difference_of(value, other, 1)
    (worst,) = difference.worst
    return (
        f"{difference.differing} of {value.size} elements, at {list(worst.index)} "
        f"{exact_number_text(worst.one)} in {judge}, {exact_number_text(worst.other)} in {name}"
    )


def round_trip_differences(case: Case) -> list[Difference]:
    """Returns the round trips that do not give the same program again."""
    differences: list[Difference] = []
    for name in ROUND_TRIPS:
        text = round_trip_problem(case.module, name)
        if text:
            key = f"{name}: {text[:60]}"
            differences.append(
                Difference("round trip", case.number, key, text, case.module, case.inputs, detail=name)
            )
    return differences


def _failure(case: Case, error: Exception) -> Difference:
    text = f"{type(error).__name__}: {error}"
    key = f"interpreter: {text[:80]}"
    return Difference("interpreter", case.number, key, text, case.module, case.inputs, case.grid)


def _reason(message: str) -> str:
    """Returns an engine's message without what is of one program."""
    first = message.strip().splitlines()[0] if message.strip() else "no message"
    return re.sub(r"\d+", "N", first)[:160]


def _key(operation: Operation) -> str:
    types = (*operation.operand_types, *operation.result_types)
    elements = dict.fromkeys(
        str(type_.element_type) for type_ in types if isinstance(type_, RankedTensorType)
    )
    return f"{operation.name} of {', '.join(elements)}"
