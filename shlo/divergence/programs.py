"""A program against another one, or against values in files: the first operation whose values part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from shlo.compare import paired_operations
from shlo.divergence.findings import (
    MOST_FINDINGS,
    Finding,
    RunDifference,
    finding_of,
    is_beyond,
    relative_error,
)
from shlo.divergence.tolerances import Tolerances
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.execution import make_grid
from shlo.interpreter.kernel_steps import kernel_steps, path_of
from shlo.interpreter.options import RunOptions
from shlo.interpreter.runtime.profile import Progress
from shlo.interpreter.runtime.program_output import drop_output
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.needed_grid import stepped_options
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array, float_limits
from shlo.ir.operations import Module, Operation
from shlo.runner.statistics import is_floating, tensor_of
from shlo.transforms.rewriting.purity import is_constant

MOST_BYTES: Final = 4 << 30
"""Bytes of values of the first program that are kept for the comparison."""

MOST_UNKNOWN: Final = 10
"""How many operations without a counterpart are told."""

Path = tuple[tuple[int, int, int | None], ...]
"""Operations that were entered, by identity, each with the iteration and the region."""


class Event(Struct, frozen=True):
    """An operation that its kernel has just carried out.

    Args:
        process: the number of the process.
        path: the operations that were entered, outermost first.
        frames: the frames of the process, as long as nothing else happens.
        operation: the operation.
        place: `file:line:column`, None where nothing tells.
        values: its results.
        position: how many steps the grid had taken before.
    """

    process: int
    path: Path
    frames: Sequence[Frame]
    operation: Operation
    place: str | None
    values: tuple[Any, ...]
    position: int

    @property
    def title(self) -> str:
        """The operation's place and name."""
        return f"{self.place}: {self.operation.name}" if self.place else self.operation.name


class Expected(Struct, frozen=True):
    """What an operation should give, and what gave it; empty for the operation itself."""

    values: Sequence[Any]
    title: str


def events(grid: ProcessGrid, progress: Progress | None = None) -> Iterator[Event]:
    """Takes all steps of a grid, and yields those of kernels, without collectives; raises ExecutionError.
    `progress` is told how many operations of the entry function are done.
    """
    for step in kernel_steps(grid, progress):
        if step.is_sync_point:
            continue
        path = tuple(
            (id(below.instruction.operation), above.iteration, above.region)
            for below, above in pairwise(step.frames)
        )
        position = grid.steps - 1
        yield Event(step.process, path, step.frames, step.operation, step.place, step.values, position)


def diff_programs(
    before: Module,
    after: Module,
    inputs: Sequence[Sequence[Any]],
    others: Sequence[Sequence[Any]],
    options: RunOptions,
    names: tuple[str, str],
    tolerances: Tolerances | None = None,
    progress: Progress | None = None,
) -> RunDifference:
    """Runs two programs with the interpreter, and returns where the values of the second part from those of
    the first: at operations that belong together by structure, name stack and line, in the same calls and
    iterations. Values that part where no result of the program does are no difference.

    Args:
        before: the first program, for all processes.
        after: the second one.
        inputs: the arguments of all processes, or those of each, for the first program.
        others: those for the second.
        options: how both run, with the entry and the grid.
        names: what both are called.
        tolerances: how far results may be apart.
        progress: is told how many operations of the second entry function are done.

    Raises:
        ExecutionError: the first program cannot be run.
    """
    of_each = options.replicas * options.partitions  # whole tensors are the same in all processes
    options = stepped_options(before, options)
    first = make_grid([before], inputs, options)
    kept = _kept_values(first)
    pairs = list(paired_operations(before, after))
    pairs += _replaced(before, after, pairs)
    counterparts = {id(other): id(operation) for operation, other in pairs}

    def expected(event: Event) -> Expected | None:
        path = tuple(
            (counterparts.get(operation, 0), iteration, region) for operation, iteration, region in event.path
        )
        return kept.get((event.process, path, counterparts.get(id(event.operation), 0)))

    found = RunDifference(names[1], options.replicas * options.partitions, reference=names[0])
    judge = _Judge(found, tolerances or Tolerances(), expected)
    second = make_grid([after], others, replace(options, output=drop_output))
    judge.run(second, progress)
    if found.parted is None:
        judge.compare_results([each.returned for each in first.processes[:of_each]], second)
    if not found:
        found.growth.clear()
        return found
    found.not_compared.update(
        (title, f"no operation of {names[0]} belongs with it") for title in judge.unknown[:MOST_UNKNOWN]
    )
    if len(judge.unknown) > MOST_UNKNOWN:
        found.not_compared["others"] = f"{len(judge.unknown) - MOST_UNKNOWN} more operations"
    return found


def _kept_values(grid: ProcessGrid) -> dict[tuple[int, Path, int], Expected]:
    """Runs a grid, and returns what its operations gave, by process, call path and operation, as far as
    `MOST_BYTES` holds it.
    """
    kept: dict[tuple[int, Path, int], Expected] = {}
    left = MOST_BYTES
    for event in events(grid):
        size = sum(int(getattr(value, "nbytes", 0)) for value in event.values)
        if size <= left:
            left -= size
            kept[event.process, event.path, id(event.operation)] = Expected(event.values, event.title)
    return kept


def _replaced(
    before: Module, after: Module, pairs: Sequence[tuple[Operation, Operation]]
) -> list[tuple[Operation, Operation]]:
    """Returns pairs of operations without a counterpart, such as those that a pass has replaced by others:
    operations of one type whose results are the same operands of two that belong together.
    """
    definitions, others = _Definitions(before), _Definitions(after)
    known = {id(operation) for pair in pairs for operation in pair}
    found: list[tuple[Operation, Operation]] = []
    waiting = list(pairs)
    while waiting:
        users = waiting.pop()
        for value, other_value in zip(users[0].operands, users[1].operands):
            defined, other = definitions.of(users[0], value), others.of(users[1], other_value)
            if defined is None or other is None or id(defined) in known or id(other) in known:
                continue
            is_same_place = defined.results.index(value) == other.results.index(other_value)
            if is_same_place and defined.result_types == other.result_types:
                known |= {id(defined), id(other)}
                found.append((defined, other))
                waiting.append((defined, other))
    return found


class _Definitions:
    """The operations of a program by the values that they define."""

    def __init__(self, module: Module) -> None:
        self._tables: dict[int, int] = {}
        self._operations: dict[tuple[int, int], Operation] = {}
        waiting = [module.body]
        while waiting:
            region = waiting.pop()
            table = id(region.values)
            for block in region.blocks:
                for operation in block.operations:
                    self._tables[id(operation)] = table
                    self._operations |= {(table, value): operation for value in operation.results}
                    waiting += operation.regions

    def of(self, user: Operation, value: int) -> Operation | None:
        """Returns the operation that defines an operand, None where it is an argument."""
        return self._operations.get((self._tables[id(user)], value))


def diff_values(
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    options: RunOptions,
    name: str,
    expected: Callable[[Event], Expected | None],
    tolerances: Tolerances | None = None,
    progress: Progress | None = None,
) -> RunDifference:
    """Runs programs with the interpreter, and returns where their values part from expected ones.

    Args:
        modules: one program for all processes or one for each.
        inputs: the arguments of all processes, or those of each.
        options: how they run, with entries and grid.
        name: where the expected values are from.
        expected: returns what an operation should give, None where nothing is known.
        tolerances: how far results may be apart.
        progress: is told how many operations of the entry function are done.

    Raises:
        ExecutionError: a program cannot be run.
    """
    found = RunDifference("interpreter", options.replicas * options.partitions, reference=name)
    judge = _Judge(found, tolerances or Tolerances(), expected)
    for event in events(make_grid(modules, inputs, options), progress):
        judge.judge(event)
    found.together = judge.first
    return found


class _Judge:
    """Compares the values of a run with those that are expected; `first` is where the first one parts."""

    def __init__(
        self, found: RunDifference, tolerances: Tolerances, expected: Callable[[Event], Expected | None]
    ) -> None:
        self._found = found
        self._tolerances = tolerances
        self._expected = expected
        self._epsilon = 0.0
        self._largest = 0.0
        self._titles: dict[str, None] = {}
        self.first: Finding | None = None

    @property
    def unknown(self) -> list[str]:
        """The operations of which nothing was expected, without constants."""
        return list(self._titles)

    def run(self, grid: ProcessGrid, progress: Progress | None) -> None:
        """Takes all steps of a grid; where it fails, the runs part there."""
        try:
            for event in events(grid, progress):
                self.judge(event)
        except ExecutionError as error:
            self._found.parted = str(error)
            self._found.together = self.first

    def judge(self, event: Event) -> None:
        """Compares the results of an operation."""
        for value in event.values:
            array = tensor_of(value)
            if array is not None and is_floating(array):
                self._epsilon = max(self._epsilon, float_limits(array.dtype).epsilon)
        if self._tolerances.ignores(event.operation.name):
            return
        known = self._expected(event)
        if known is None:
            if not is_constant(event.operation):
                self._titles[event.title] = None
            return
        self._found.compared += 1
        for index, (value, other) in enumerate(zip(known.values, event.values)):
            self._compare(event, known.title, index, value, other)

    def _compare(self, event: Event, title: str, index: int, value: Any, other: Any) -> None:
        array, given = tensor_of(value), tensor_of(other)
        if array is None or given is None or not array.size:
            return
        name = event.operation.name
        if (array.dtype, array.shape) != (given.dtype, given.shape):
            self._found.not_compared.setdefault(name, "its results are of another type")
            return
        if is_floating(array):
            error = relative_error(array, given)
            if error > 10 * self._largest and error > 0:
                self._largest = error
                if len(self._found.growth) < MOST_FINDINGS:
                    self._found.growth.append((name, event.place, error))
        allowed = self._allowed(array)
        if self.first is None and is_beyond(array, given, allowed):
            path = path_of(event.frames)
            finding = finding_of(
                "together", name, event.place, path, event.process, index, array, given, allowed
            )
            self.first = replace(finding, counterpart=title, position=event.position)

    def compare_results(self, expected: Sequence[Sequence[Any]], grid: ProcessGrid) -> None:
        """Compares the results of the program; where they differ, the first operation that parts is told."""
        found = self._found
        for process, values in enumerate(expected):
            for index, (value, other) in enumerate(zip(values, grid.processes[process].returned)):
                array = tensor_of(value)
                if array is None or tensor_of(other) is None:
                    continue
                allowed = self._allowed(array)
                if is_beyond(array, other, allowed):
                    finding = finding_of("result", "", None, (), process, index, array, other, allowed)
                    found.results.append(finding)
        if found.results:
            found.together = self.first

    def _allowed(self, array: Array) -> float:
        is_judged = is_floating(array) and array.size
        return self._tolerances.together(array, self._epsilon) if is_judged else 0.0
