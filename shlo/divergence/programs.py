"""A program against another one, or against values in files: the first operation whose values part."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from shlo.compare import paired_operations
from shlo.dialects.constants import is_constant
from shlo.divergence.findings import (
    MOST_FINDINGS,
    DivergenceFinding,
    RunDifference,
    counterparts,
    finding_of,
    is_beyond,
    relative_error,
    types_apart,
)
from shlo.divergence.noise import NoisyRun, error_of
from shlo.divergence.tolerances import SAFETY, Tolerances
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
from shlo.runner.statistics import is_floating, tensor_of, wide

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
        operands: what it was given.
        position: how many steps the grid had taken before.
        levels: how far a `NoisyRun` is from each result; None where there is none.
    """

    process: int
    path: Path
    frames: Sequence[Frame]
    operation: Operation
    place: str | None
    values: tuple[Any, ...]
    operands: tuple[Any, ...]
    position: int
    levels: Sequence[float] | None = None

    @property
    def title(self) -> str:
        """The operation's place and name."""
        return f"{self.place}: {self.operation.name}" if self.place else self.operation.name


class Expected(Struct, frozen=True):
    """What an operation should give, None for a result of which nothing is known.

    Args:
        values: its results.
        title: what gave them; empty for the operation itself.
        name: the name of that operation; empty likewise.
        levels: as of an `Event`.
    """

    values: Sequence[Any]
    title: str = ""
    name: str = ""
    levels: Sequence[float] | None = None


def events(
    grid: ProcessGrid, progress: Progress | None = None, noisy: NoisyRun | None = None
) -> Iterator[Event]:
    """Takes all steps of a grid, and yields those of kernels, a `noisy` run in step; raises ExecutionError.
    `progress` is told how many operations of the entry function are done.
    """
    for step in kernel_steps(grid, progress):
        path = tuple(
            (id(below.instruction.operation), above.iteration, above.region)
            for below, above in pairwise(step.frames)
        )
        levels = None if noisy is None else noisy.advance(step)
        values, operands, position = step.values, step.operands, grid.steps - 1
        yield Event(
            step.process, path, step.frames, step.operation, step.place, values, operands, position, levels
        )


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
    count = options.replicas * options.partitions  # whole tensors are the same in all processes
    options = stepped_options(before, replace(options, profile=None, progress=None))
    pair = _Pair(before, after, inputs, others, options, count, names, tolerances or Tolerances())
    diff = pair.compared(progress)
    if pair.is_same or diff.parted is not None:
        return diff
    return pair.compared(progress, has_noisy=True)


class _Pair(Struct):
    """Two programs with what both are called with, and in how many processes. `is_same` once the results of
    these were, bit by bit.
    """

    before: Module
    after: Module
    inputs: Sequence[Sequence[Any]]
    others: Sequence[Sequence[Any]]
    options: RunOptions
    count: int
    names: tuple[str, str]
    tolerances: Tolerances
    is_same: bool = False

    def compared(self, progress: Progress | None, *, has_noisy: bool = False) -> RunDifference:
        """Runs both programs, and returns where they diverge; each beside a `NoisyRun` if asked for, in which
        operations round otherwise that are not the same in both: results may differ by what this becomes.
        """
        pairs = list(paired_operations(self.before, self.after))
        pairs += _replaced(self.before, self.after, pairs)
        exact, exact_others = _same_on_same_operands(self.before, self.after, pairs)
        quiet = replace(self.options, output=drop_output)
        first = make_grid([self.before], self.inputs, quiet if has_noisy else self.options)
        noisy = NoisyRun(make_grid([self.before], self.inputs, quiet)) if has_noisy else None
        reference_values = _kept_values(first, noisy, exact, self.tolerances)
        counterparts_of = {id(other): id(operation) for operation, other in pairs}

        def expected(event: Event) -> Expected | None:
            path = tuple(
                (counterparts_of.get(operation, 0), iteration, region)
                for operation, iteration, region in event.path
            )
            return reference_values.get((event.process, path, counterparts_of.get(id(event.operation), 0)))

        diff = RunDifference(self.names[1], self.count, reference=self.names[0])
        second = make_grid([self.after], self.others, quiet)
        second_noisy = NoisyRun(make_grid([self.after], self.others, quiet)) if has_noisy else None
        judge = _Judge(diff, self.tolerances, expected, second_noisy, exact_others)
        judge.run(second, progress)
        if diff.parted is None:
            judge.compare_results(range(self.count), (first, noisy), (second, second_noisy))
        self.is_same = diff.largest is None and not diff.results
        if not diff:
            diff.growth.clear()
            return diff
        diff.not_alone.update(
            (title, f"no operation of {self.names[0]} belongs with it")
            for title in judge.unknown[:MOST_UNKNOWN]
        )
        if len(judge.unknown) > MOST_UNKNOWN:
            diff.not_alone["others"] = f"{len(judge.unknown) - MOST_UNKNOWN} more operations"
        return diff


def _kept_values(
    grid: ProcessGrid, noisy: NoisyRun | None, exact: Container[int], tolerances: Tolerances
) -> dict[tuple[int, Path, int], Expected]:
    """Runs a grid, and returns what its operations gave, by process, call path and operation, as far as
    `MOST_BYTES` holds it. In a noisy run, operations that are not `exact` round otherwise.
    """
    values: dict[tuple[int, Path, int], Expected] = {}
    left = MOST_BYTES
    for event in events(grid, noisy=noisy):
        size = sum(int(getattr(value, "nbytes", 0)) for value in event.values)
        if size <= left:
            left -= size
            key = event.process, event.path, id(event.operation)
            values[key] = Expected(event.values, event.title, event.operation.name, event.levels)
        if noisy is not None and id(event.operation) not in exact:
            noisy.disturb(_rounding_errors(event, tolerances, 1))
    return values


def _rounding_errors(event: Event, tolerances: Tolerances, ulps: int) -> list[Array | None]:
    """Returns how far the results of an operation may be off by its tolerance, and some units in the last
    place more; None for what is exact.
    """
    errors: list[Array | None] = []
    for array in map(tensor_of, event.values):
        if array is None or not is_floating(array) or not array.size or is_constant(event.operation):
            errors.append(None)
            continue
        with np.errstate(all="ignore"):
            size = np.abs(wide(array))
            unit = ulps * float_limits(array.dtype).epsilon * np.where(np.isfinite(size), size, 0)
        errors.append(unit + tolerances.allowed(event.operation.name, array, event.operands))
    return errors


def _same_on_same_operands(
    before: Module, after: Module, pairs: Sequence[tuple[Operation, Operation]]
) -> tuple[set[int], set[int]]:
    """Returns the operations of each of two programs, by identity, that are the same in the other one, on
    operands that belong together.
    """
    definitions, others = _Definitions(before), _Definitions(after)
    counterparts = {id(other): id(operation) for operation, other in pairs}
    changed: tuple[set[int], set[int]] = set(), set()
    for operation, other in pairs:
        if operation.signature == other.signature and all(
            definitions.key(operation, value, {}) == others.key(other, other_value, counterparts)
            for value, other_value in zip(operation.operands, other.operands)
        ):
            changed[0].add(id(operation))
            changed[1].add(id(other))
    return changed


def _replaced(
    before: Module, after: Module, pairs: Sequence[tuple[Operation, Operation]]
) -> list[tuple[Operation, Operation]]:
    """Returns pairs of operations without a counterpart, such as those that a pass has replaced by others:
    operations of one type whose results are the same operands of two that belong together.
    """
    definitions, others = _Definitions(before), _Definitions(after)
    paired = {id(operation) for pair in pairs for operation in pair}
    replaced: list[tuple[Operation, Operation]] = []
    waiting = list(pairs)
    while waiting:
        users = waiting.pop()
        for value, other_value in zip(users[0].operands, users[1].operands):
            defined, other = definitions.of(users[0], value), others.of(users[1], other_value)
            if defined is None or other is None or id(defined) in paired or id(other) in paired:
                continue
            is_same_place = defined.results.index(value) == other.results.index(other_value)
            if is_same_place and defined.result_types == other.result_types:
                paired |= {id(defined), id(other)}
                replaced.append((defined, other))
                waiting.append((defined, other))
    return replaced


class _Definitions:
    """The operations of a program by the values that they define."""

    def __init__(self, module: Module) -> None:
        self._tables: dict[int, int] = {}
        self._operations: dict[tuple[int, int], Operation] = {}
        self._arguments: dict[tuple[int, int], int] = {}
        waiting = [module.body]
        while waiting:
            region = waiting.pop()
            table = id(region.values)
            for block in region.blocks:
                self._arguments |= {(table, value): at for at, value in enumerate(block.arguments)}
                for operation in block.operations:
                    self._tables[id(operation)] = table
                    self._operations |= {(table, value): operation for value in operation.results}
                    waiting += operation.regions

    def of(self, user: Operation, value: int) -> Operation | None:
        """Returns the operation that defines an operand, None where it is an argument."""
        return self._operations.get((self._tables[id(user)], value))

    def key(self, user: Operation, value: int, names: Mapping[int, int]) -> tuple[int, int]:
        """Returns what defines an operand: the operation, by its identity or what `names` has for it, and the
        number of the result, or that of the argument.
        """
        operation = self.of(user, value)
        if operation is None:
            return 0, self._arguments[self._tables[id(user)], value]
        return names.get(id(operation), id(operation)), operation.results.index(value)


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
    options = replace(options, profile=None, progress=None)
    diff = RunDifference("interpreter", options.replicas * options.partitions, reference=name)
    noisy = NoisyRun(make_grid(modules, inputs, replace(options, output=drop_output)))
    judge = _Judge(diff, tolerances or Tolerances(), expected, noisy)
    for event in events(make_grid(modules, inputs, options), progress, noisy):
        judge.judge(event)
    diff.together = judge.first
    return diff


class _Judge:
    """Compares the values of a run with those that are expected; `first` is where the first one parts.

    Args:
        found: what is filled.
        tolerances: how far results of an operation may be apart.
        expected: returns what an operation should give.
        noisy: a run beside the one that is judged, which gets the errors that operations may have made; None:
            what they become is not known, and values may be apart by half of the digits.
        exact: operations that make the same of the same operands, by identity; None: those whose expected
            values are known make the errors by which these are off.
    """

    def __init__(
        self,
        diff: RunDifference,
        tolerances: Tolerances,
        expected: Callable[[Event], Expected | None],
        noisy: NoisyRun | None,
        exact: Container[int] | None = None,
    ) -> None:
        self._found = diff
        self._tolerances = tolerances
        self._expected = expected
        self._noisy, self._exact = noisy, exact
        self._epsilon = 0.0
        self._largest = 0.0
        self._titles: dict[str, None] = {}
        self.first: DivergenceFinding | None = None

    @property
    def unknown(self) -> list[str]:
        """The operations of which nothing was expected, without constants."""
        return list(self._titles)

    def run(self, grid: ProcessGrid, progress: Progress | None) -> None:
        """Takes all steps of a grid; where it fails, the runs part there."""
        try:
            for event in events(grid, progress, self._noisy):
                self.judge(event)
        except ExecutionError as error:
            self._found.parted = str(error)
            self._found.together = self.first

    def judge(self, event: Event) -> None:
        """Compares the results of an operation."""
        for array in map(tensor_of, event.values):
            if array is not None and is_floating(array):
                self._epsilon = max(self._epsilon, float_limits(array.dtype).epsilon)
        expected = self._expected(event)
        errors = None
        if expected is not None and not self._tolerances.ignores(event.operation.name):
            errors = self._compared(event, expected)
        elif expected is None and not is_constant(event.operation):
            self._titles[event.title] = None
        if self._noisy is None:
            return
        if self._exact is None:
            rounding = _rounding_errors(event, self._tolerances, 0)
            self._noisy.disturb(rounding) if errors is None else self._noisy.disturb(errors, event.values)
        elif id(event.operation) not in self._exact:
            self._noisy.disturb(_rounding_errors(event, self._tolerances, 1))

    def _compared(self, event: Event, expected: Expected) -> list[Array | None]:
        """Compares results with those that are known; returns by how far they are off where allowed."""
        diff, name = self._found, event.operation.name
        diff.operations += 1
        errors: list[Array | None] = [None] * len(event.values)
        for index, value, other in counterparts(expected.values, event.values):
            if value is None:
                continue
            array, other_array = tensor_of(value), tensor_of(other)
            allowed, reason = self._allowed(event, expected, index, array)
            if array is not None and other_array is not None and types_apart(array, other_array) is None:
                self._grow(event, array, other_array)
                if is_floating(array) and array.size:
                    errors[index] = error_of(array, other_array, allowed)
            is_judged = self._exact is None  # else the results of the program are what counts
            location = event.place
            if (
                diff.is_beyond(name, location, value, other, allowed, reason)
                if is_judged
                else types_apart(value, other) is not None or is_beyond(value, other, allowed)
            ) and self.first is None:
                finding = finding_of(
                    "together",
                    name,
                    location,
                    path_of(event.frames),
                    event.process,
                    index,
                    value,
                    other,
                    allowed,
                    reason,
                )
                self.first = replace(finding, counterpart=expected.title, position=event.position)
        return errors

    def _grow(self, event: Event, array: Array, other: Array) -> None:
        """Keeps an operation at which the largest error grows tenfold."""
        if not is_floating(array) or not array.size:
            return
        error = relative_error(array, other)
        if error > 10 * self._largest and error > 0:
            self._largest = error
            if len(self._found.growth) < MOST_FINDINGS:
                self._found.growth.append((event.operation.name, event.place, error))

    def _allowed(self, event: Event, expected: Expected, index: int, array: Array | None) -> tuple[Any, str]:
        """Returns how far the elements of a result may be from what is expected, and why."""
        tolerances, name = self._tolerances, event.operation.name
        if array is None or not is_floating(array) or not array.size:
            return 0.0, tolerances.reason(name)
        if event.levels is None or index >= len(event.levels):
            return tolerances.together(array, self._epsilon)
        allowed = tolerances.allowed(name, array, event.operands)
        if expected.name and expected.name != name:
            allowed = np.maximum(allowed, tolerances.allowed(expected.name, array, event.operands))
        level = max(event.levels[index], *(expected.levels or (0.0,) * (index + 1))[index : index + 1])
        behind = f"; {SAFETY} times what errors before it become" if level else ""
        return allowed + SAFETY * level, tolerances.reason(name) + behind

    def compare_results(
        self,
        processes: Sequence[int],
        before: tuple[ProcessGrid, NoisyRun | None],
        after: tuple[ProcessGrid, NoisyRun | None],
    ) -> None:
        """Compares the results of the program; where they differ, the first operation that parts is told.

        Args:
            processes: the numbers of those processes whose results count.
            before: the run with the results that are expected, and the noisy one beside it.
            after: the run that is judged, and the noisy one beside it.
        """
        diff = self._found
        for process in processes:
            returned = [grid.processes[process].returned for grid, _ in (before, after)]
            levels = [
                None if noisy is None else noisy.returned(process, values)
                for (_, noisy), values in zip((before, after), returned)
            ]
            for index, value, other in counterparts(*returned):
                diff.whole += 1
                allowed, reason = self._allowed_result(value, index, levels)
                if diff.is_beyond("", None, value, other, allowed, reason):
                    finding = finding_of(
                        "result", "", None, (), process, index, value, other, allowed, reason
                    )
                    diff.results.append(finding)
        if diff.results:
            diff.together = self.first

    def _allowed_result(
        self, value: Any, index: int, levels: Sequence[Sequence[float] | None]
    ) -> tuple[float, str]:
        """Returns how far a result of the program may be from what is expected, and why."""
        array = tensor_of(value)
        if array is None or not is_floating(array) or not array.size:
            return 0.0, ""
        errors = [level[index] for level in levels if level is not None and index < len(level)]
        if len(errors) < len(levels) or self._tolerances.is_given_for_all:
            return self._tolerances.together(array, self._epsilon)
        smallest = 2 * float_limits(array.dtype).smallest_normal
        reason = f"{SAFETY} times what the rounding of operations becomes that are not the same in both"
        return SAFETY * max(errors) + smallest, reason
