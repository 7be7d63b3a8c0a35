"""The first wrong operation of a program that an engine only runs as a whole, by values on the way that are
made results of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from shlo.dialects.constants import is_constant
from shlo.divergence.extra_results import BRANCHES, COUNT, LOOP, Descent, InlinedFunction
from shlo.divergence.findings import (
    Bisection,
    DivergenceFinding,
    OperationCall,
    RunDifference,
    counterparts,
    finding_of,
    is_beyond,
)
from shlo.divergence.judge import Judge
from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine, EngineError
from shlo.interpreter.execution import execute
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.control_flow import branch_of
from shlo.interpreter.program.liveness import uses_of
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module, Operation
from shlo.runner.errors import RequestError
from shlo.runner.statistics import tensor_of
from shlo.transforms.rewriting.extraction import module_of

MOST_RUNS: Final = 60
"""How many programs the engine runs at most."""

MOST_TRIES: Final = 3
"""How many values are tried in a row where the fault hides."""

HIDES: Final = "the results are right where values in between are results, too"
ADDS_UP: Final = (
    "where its operands are results, too, it is right for them: errors before it add up, or the fault hides"
)


def bisect_whole(
    module: Module,
    inputs: Sequence[Any],
    options: RunOptions,
    engine: Engine,
    tolerances: Tolerances,
    wrong: Sequence[int],
    compare: Callable[[Module], RunDifference],
    judge: Judge | None = None,
) -> Bisection:
    """Returns the first wrong operation of a program whose results an engine gets wrong.

    Args:
        module: the program.
        inputs: what it is called with.
        options: the entry function, and how it runs.
        engine: what runs it.
        tolerances: how far results may be apart.
        wrong: the numbers of the results that are wrong.
        compare: runs a program on both sides, and compares its results.
        judge: says which side is nearer to the exact value.
    """
    try:
        function = InlinedFunction(module, options.entries[0])
    except RequestError as error:
        return Bisection(note=str(error))
    search = _Search(function, inputs, options, engine, tolerances, compare, judge)
    try:
        search.in_block(function.operations, (), [function.returned[number] for number in wrong])
    except (ExecutionError, EngineError) as error:
        search.found.note = str(error)
    return search.found


class _Search:
    """A search for the first wrong operation: it cuts the operations that a wrong value depends on in two,
    and compares the values that cross the cut.
    """

    def __init__(
        self,
        function: InlinedFunction,
        inputs: Sequence[Any],
        options: RunOptions,
        engine: Engine,
        tolerances: Tolerances,
        compare: Callable[[Module], RunDifference],
        judge: Judge | None,
    ) -> None:
        self._function, self._inputs, self._options = function, inputs, options
        self._engine, self._tolerances, self._compare = engine, tolerances, compare
        self._judge = judge
        self.found = Bisection()

    def in_block(
        self, operations: Sequence[Operation], descents: tuple[Descent, ...], wrong: Sequence[int]
    ) -> None:
        """Searches the operations of a block, some of whose values are wrong."""
        right = set[int]()
        while len(suspects := self._suspects(operations, wrong, right)) > 1:
            verdict = self._cut(suspects, descents, wrong)
            if verdict is None:
                self._leave_open(suspects)
                return
            live, wrong_live = verdict
            right.update(value for value in live if value not in wrong_live)
            wrong = wrong_live or wrong
        if not suspects:
            self.found.note = "a result that the program only passes on is wrong"
            return
        (suspect,) = suspects
        if suspect.name == LOOP:
            self._in_loop(suspect, descents, wrong)
        elif suspect.name in BRANCHES:
            self._in_branch(suspect, descents, wrong)
        else:
            self._confirm(suspect, operations, descents)

    def _suspects(
        self, operations: Sequence[Operation], wrong: Sequence[int], right: set[int]
    ) -> list[Operation]:
        """Returns the operations that wrong values depend on, up to values that are right."""
        needed, suspects = set(wrong), list[Operation]()
        for operation in reversed(operations):
            if not is_constant(operation) and needed.intersection(operation.results):
                suspects.append(operation)
                needed.update(value for value in self._uses(operation) if value not in right)
        return suspects[::-1]

    def _uses(self, operation: Operation) -> tuple[int, ...]:
        return uses_of(operation, self._function.table)

    def _cut(
        self, suspects: Sequence[Operation], descents: tuple[Descent, ...], wrong: Sequence[int]
    ) -> tuple[list[int], list[int]] | None:
        """Returns values that cross a cut between the suspects, and those of them that are wrong; None where
        no cut says anything.
        """
        middle, tries = (len(suspects) - 2) / 2, 0
        for position in sorted(range(len(suspects) - 1), key=lambda at: abs(at - middle)):
            live = self._live(suspects, position, wrong)
            if not all(self._function.can_return(value, descents) for value in live):
                continue
            verdict = self._wrong_of(descents, live)
            if verdict is not None:
                return live, verdict
            tries += 1
            if tries == MOST_TRIES or self.found.runs >= MOST_RUNS:
                return None
        self.found.note = self.found.note or "values in between are no tensors that can be results"
        return None

    def _live(self, suspects: Sequence[Operation], position: int, wrong: Sequence[int]) -> list[int]:
        """Returns what the suspects up to a position give to those behind it, or as wrong values."""
        given = [value for operation in suspects[: position + 1] for value in operation.results]
        used = set(wrong).union(*map(self._uses, suspects[position + 1 :]))
        return [value for value in given if value in used]

    def _wrong_of(self, descents: tuple[Descent, ...], values: Sequence[int]) -> list[int] | None:
        """Returns which values are wrong; None where that cannot be told."""
        self.found.runs += 1
        difference = self._compare(self._function.returning(descents, values))
        if difference.not_compared:
            self.found.note = next(iter(difference.not_compared.values()))
            return None
        count = len(self._function.returned)
        wrong = {finding.result - count for finding in difference.results}
        if not wrong:
            self.found.note = HIDES
            return None
        self.found.note = ""
        return [value for at, value in enumerate(values) if at in wrong]

    def _leave_open(self, suspects: Sequence[Operation]) -> None:
        first, last = (self._titled(operation) for operation in (suspects[0], suspects[-1]))
        self.found.between = first, last, len(suspects)

    def _titled(self, operation: Operation) -> str:
        place = self._function.place(operation)
        return f"{place}: {operation.name}" if place else operation.name

    def _in_loop(self, loop: Operation, descents: tuple[Descent, ...], wrong: Sequence[int]) -> None:
        """Searches the first iteration after which what the loop carries is wrong, then that iteration."""
        block = loop.regions[1].blocks[0]
        ends = block.operations[-1].operands
        high = int(self._interpreted((*descents, Descent(loop, 1)), (COUNT,)))
        if not high:
            self.found.note = f"{self._titled(loop)} runs no iteration, and is wrong"
            return
        low, positions = 0, [at for at, result in enumerate(loop.results) if result in set(wrong)]
        carried = [
            at for at, value in enumerate(ends) if self._function.can_return(value, (Descent(loop, 1),))
        ]
        while high - low > 1:
            middle = (low + high) // 2
            inner = (*descents, Descent(loop, 1, middle - 1))
            verdict = self._wrong_of(inner, [ends[at] for at in carried])
            if verdict is None:
                self.found.between = self._titled(loop), self._titled(loop), 1
                return
            if verdict:
                high, positions = middle, [at for at in carried if ends[at] in verdict]
            else:
                low = middle
        inner = (*descents, Descent(loop, 1, high - 1))
        self.in_block(block.operations[:-1], inner, [ends[at] for at in positions])

    def _in_branch(self, branch: Operation, descents: tuple[Descent, ...], wrong: Sequence[int]) -> None:
        """Searches the region that was taken."""
        number = branch_of(branch, self._interpreted(descents, branch.operands[:1]))
        block = branch.regions[number].blocks[0]
        ends = block.operations[-1].operands
        inner = (*descents, Descent(branch, number))
        wrong_ends = [ends[at] for at, result in enumerate(branch.results) if result in set(wrong)]
        self.in_block(block.operations[:-1], inner, wrong_ends)

    def _interpreted(self, descents: tuple[Descent, ...], values: tuple[int, ...]) -> Any:
        """Returns what the interpreter has for the last of these values."""
        return execute(self._function.returning(descents, values), self._inputs, self._options)[-1]

    def _confirm(
        self,
        suspect: Operation,
        operations: Sequence[Operation],
        descents: tuple[Descent, ...],
    ) -> None:
        """Compares the suspect on the operands that the engine computes for it; where it is right for them,
        each operation before it.
        """
        self._leave_open([suspect])
        finding = next(self._local_findings([suspect], descents), None)
        if finding is None:
            before = self._suspects(operations, suspect.results, set())
            finding = next(self._local_findings(before, descents), None)
        self.found.finding, self.found.note = finding, "" if finding else ADDS_UP
        if finding is not None:
            self.found.between = None

    def _local_findings(
        self, suspects: Sequence[Operation], descents: tuple[Descent, ...]
    ) -> Iterator[DivergenceFinding]:
        """Yields the operations that are wrong for the operands that the engine computes, of one run."""
        rows = [
            (operation, list(dict.fromkeys(self._uses(operation))))
            for operation in suspects
            if operation.name not in (LOOP, *BRANCHES)
        ]
        values = dict.fromkeys(value for op, uses in rows for value in (*uses, *op.results))
        values = [value for value in values if self._function.can_return(value, descents)]
        self.found.runs += 1
        program = self._function.returning(descents, values)
        results = self._engine.execute(program, self._inputs, self._options)
        known = dict(zip(values, results[len(self._function.returned) :]))
        for operation, uses in rows:
            if all(value in known for value in (*uses, *operation.results)):
                yield from self._local_finding(operation, uses, known, descents)

    def _local_finding(
        self,
        operation: Operation,
        uses: Sequence[int],
        known: dict[int, Any],
        descents: tuple[Descent, ...],
    ) -> Iterator[DivergenceFinding]:
        operands = [known[value] for value in uses]
        given = [known[value] for value in operation.results]
        module = module_of([operation], uses, operation.results, self._function.table)
        for index, value, other in counterparts(execute(module, operands, RunOptions()), given):
            array = tensor_of(value)
            allowed = 0.0 if array is None else self._tolerances.allowed(operation.name, array, operands)
            if is_beyond(value, other, allowed):
                name, place = operation.name, self._function.place(operation)
                path, reason = (
                    self._function.path(descents, operation),
                    self._tolerances.reason(operation.name),
                )
                finding = finding_of("bisected", name, place, path, 0, index, value, other, allowed, reason)
                finding = replace(finding, source=operation, call=OperationCall(module, operands))
                yield self._judge.judged(finding, module, operands) if self._judge else finding
