"""An engine against the interpreter: every operation of a run on both, alone and with what came before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import inf, isfinite
from typing import Any, Final, Literal

import numpy as np

from shlo.debugger.tensors.difference import TensorDifference, difference_of
from shlo.divergence.single_ops import SingleOps
from shlo.divergence.tolerances import Tolerances, limits_of
from shlo.engines import Engine, EngineError
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import Kind
from shlo.interpreter.run import make_grid
from shlo.interpreter.runtime.profile import Progress
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array, dtype_of
from shlo.ir.operations import Module, Operation
from shlo.ir.types import ComplexType, FloatType, element_type_of
from shlo.runner.equality import same_bits
from shlo.runner.statistics import is_floating, tensor_of

WORST: Final = 3
"""How many elements of a finding are kept."""

MOST_FINDINGS: Final = 100
"""How many findings are kept; further ones are counted."""

How = Literal["alone", "together", "result"]
"""An operation on the operands that the interpreter has, on those that the engine made, or a result of the
program that the engine ran as a whole."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Results that are further apart than their tolerance.

    Args:
        how: what was compared.
        operation: the operation's name; empty for a result of the program.
        place: `file:line:column`, None where nothing tells.
        path: the calls and iterations that lead there, outermost first.
        process: the number of the process.
        result: the number of the result.
        difference: how the tensors differ, with the worst elements: the interpreter's and the engine's.
        allowed: how far the worst element might have been.
        source: the operation itself; None for a result of the program.
    """

    how: How
    operation: str
    place: str | None
    path: tuple[str, ...]
    process: int
    result: int
    difference: TensorDifference
    allowed: float
    source: Operation | None = None


@dataclass(slots=True)
class RunDifference:
    """Where the run of a program on an engine parts from that of the interpreter; false where it does not.

    Args:
        engine: the engine's name.
        processes: how many there are.
        compared: how many operations were compared.
        alone: operations whose own results are wrong, the first occurrence of each; and how often.
        together: the first operation at which the errors of all before it exceed half of the digits.
        results: results of the whole program that do.
        growth: operations at which the largest error, relative to the tensor, grew tenfold.
        not_compared: operations, or the whole program, and why the engine did not run them.
        parted: where control flow went another way, None where it did not.
    """

    engine: str
    processes: int
    compared: int = 0
    alone: list[Finding] = field(default_factory=list[Finding])
    occurrences: dict[tuple[str, str | None], int] = field(default_factory=dict[tuple[str, str | None], int])
    together: Finding | None = None
    results: list[Finding] = field(default_factory=list[Finding])
    growth: list[tuple[str, str | None, float]] = field(default_factory=list[tuple[str, str | None, float]])
    not_compared: dict[str, str] = field(default_factory=dict[str, str])
    parted: str | None = None

    def __bool__(self) -> bool:
        return bool(self.alone or self.together or self.results or self.parted)


def diff_run(
    modules: Sequence[Module],
    inputs: Sequence[Sequence[Any]],
    options: RunOptions,
    engine: Engine,
    tolerances: Tolerances | None = None,
    progress: Progress | None = None,
    *,
    compares_operations: bool = True,
    compares_whole: bool = True,
) -> RunDifference:
    """Runs programs with the interpreter, and each of their operations with an engine; returns where they
    part. Collectives are compared as part of the whole program.

    Args:
        modules: one program for all processes or one for each.
        inputs: the arguments of all processes, or those of each.
        options: how the interpreter runs, with the grid; the engine takes entry and grid of it.
        engine: what is compared.
        tolerances: how far results may be apart.
        progress: is told how many operations of the entry function are done.
        compares_operations: whether operations are compared one by one.
        compares_whole: whether the engine runs the whole program.

    Raises:
        ExecutionError: the interpreter cannot run the program.
    """
    partitions = legacy_partitions(modules[0], options.entries[0], options.semantics)
    is_grid = (options.replicas, options.partitions) != (1, 1)
    stepped = options if is_grid or partitions == 1 else replace(options, partitions=partitions)
    run = _Run(modules, inputs, stepped, engine, tolerances or Tolerances(), progress)
    if compares_operations:
        run.compare_operations()
    else:
        run.run_reference(modules[0])
    if compares_whole:
        run.compare_whole(modules, inputs, options, is_grid)
    return run.found


class _Run:
    """Two grids in step: the interpreter's, and one whose operations have the results that the engine gives
    for what it gave before.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: RunOptions,
        engine: Engine,
        tolerances: Tolerances,
        progress: Progress | None,
    ) -> None:
        options = replace(options, profile=None, progress=None)
        self._grid = make_grid(modules, inputs, options)
        self._other: ProcessGrid | None = make_grid(modules, inputs, replace(options, output=_silent))
        self._engine = engine
        self._single = SingleOps(engine)
        self._tolerances = tolerances
        self._progress = progress
        self._largest = 0.0
        self._epsilon = 0.0
        self.found = RunDifference(engine.name, self._grid.shape.size)
        self.found.not_compared = self._single.not_compared

    def run_reference(self, module: Module) -> None:
        """Takes all steps of the interpreter alone."""
        self._grid.run()
        types = {element_type_of(type_) for operation, _ in module.walk() for type_ in operation.result_types}
        known = [dtype_of(each) for each in types if isinstance(each, FloatType | ComplexType)]
        self._epsilon = max((limits_of(each)[0] for each in known), default=0.0)

    def compare_operations(self) -> None:
        """Takes all steps of both."""
        grid = self._grid
        while (number := grid.next_process) is not None:
            frame = grid.processes[number].frames[-1]
            if self._progress is not None and len(grid.processes[number].frames) == 1:
                self._progress(frame.index, len(frame.code.instructions))
            is_kernel = frame.index < len(frame.code.instructions) and frame.instruction.kind is Kind.KERNEL
            if is_kernel and not grid.is_at_sync_point(number):
                self._compare(number, frame)
                continue
            other = self._counterpart(number, frame)
            grid.step(number)
            if other is not None:
                self._advance(other, number, None)

    def compare_whole(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: RunOptions,
        is_grid: bool,
    ) -> None:
        """Compares the results of the program as the engine runs it as a whole."""
        expected = [process.returned for process in self._grid.processes]
        chosen = RunOptions(entry=options.entry, replicas=options.replicas, partitions=options.partitions)
        try:
            if is_grid:
                given = self._engine.execute_grid(modules, inputs, chosen)
            else:
                given = [self._engine.execute(modules[0], inputs[0], chosen)]
        except (EngineError, ExecutionError) as error:
            self.found.not_compared["the whole program"] = str(error)
            return
        for process, (values, others) in enumerate(zip(expected, given)):
            for index, (value, other) in enumerate(zip(values, others)):
                array = tensor_of(value)
                if array is None:
                    continue
                is_judged = is_floating(array) and array.size
                allowed = self._tolerances.together(array, self._epsilon) if is_judged else 0.0
                if _beyond(array, other, allowed):
                    finding = _finding("result", "", None, (), process, index, value, other, allowed)
                    self.found.results.append(finding)

    def _compare(self, number: int, frame: Frame) -> None:
        """Takes a step of both grids, and compares what the engine gives for it."""
        grid, code, index = self._grid, frame.code, frame.index
        instruction = frame.instruction
        name = instruction.operation.name
        operands = [frame.registers[register] for register in instruction.operands]
        other = self._counterpart(number, frame)
        others = None
        if other is not None:
            registers = other.processes[number].frames[-1].registers
            others = [registers[register] for register in instruction.operands]
        path = _path(grid.processes[number].frames) if self._is_new(name, code.place(index)) else ()
        values = tuple(value for _, value in grid.step(number).step.results)  # type: ignore[union-attr]
        for value in values:
            array = tensor_of(value)
            if array is not None and is_floating(array):
                self._epsilon = max(self._epsilon, limits_of(array.dtype)[0])
        ignored = self._tolerances.ignores(name)
        alone = None if ignored else self._single.results(code, index, operands)
        if alone is not None:
            self.found.compared += 1
            self._judge_alone(instruction.operation, code.place(index), path, number, values, alone, operands)
        if other is None or others is None:
            return
        known: tuple[Any, ...] | None = None
        is_same = all(map(same_bits, operands, others))
        together = alone if is_same or ignored else self._single.results(code, index, others)
        if together is not None:
            pairs = zip(values, together)
            known = tuple(value if same_bits(value, each) else _locked(each) for value, each in pairs)
        elif is_same:
            known = values
        self._advance(other, number, known)
        if known is not None:
            self._judge_together(name, code.place(index), frame, number, values, known)

    def _is_new(self, name: str, place: str | None) -> bool:
        return (name, place) not in self.found.occurrences

    def _judge_alone(
        self,
        operation: Operation,
        place: str | None,
        path: tuple[str, ...],
        number: int,
        values: Sequence[Any],
        given: Sequence[Any],
        operands: Sequence[Any],
    ) -> None:
        name = operation.name
        for index, (value, other) in enumerate(zip(values, given)):
            array = tensor_of(value)
            if array is None or _same_values(value, other):
                continue
            allowed = self._tolerances.allowed(name, array, operands) if is_floating(array) else 0.0
            if not _beyond(array, other, allowed):
                continue
            key = name, place
            self.found.occurrences[key] = self.found.occurrences.get(key, 0) + 1
            if self.found.occurrences[key] == 1 and len(self.found.alone) < MOST_FINDINGS:
                finding = _finding("alone", name, place, path, number, index, array, other, allowed)
                self.found.alone.append(replace(finding, source=operation))

    def _judge_together(
        self,
        name: str,
        place: str | None,
        frame: Frame,
        number: int,
        values: Sequence[Any],
        given: Sequence[Any],
    ) -> None:
        for index, (value, other) in enumerate(zip(values, given)):
            array = tensor_of(value)
            if array is None or value is other or not is_floating(array) or not array.size:
                continue
            error = _relative(array, other)
            if error > 10 * self._largest and error > 0:
                self._largest = error
                if len(self.found.growth) < MOST_FINDINGS:
                    self.found.growth.append((name, place, error))
            allowed = self._tolerances.together(array, self._epsilon)
            if self.found.together is None and _beyond(array, other, allowed):
                path = _path(self._grid.processes[number].frames)
                finding = _finding("together", name, place, path, number, index, array, other, allowed)
                self.found.together = finding

    def _counterpart(self, number: int, frame: Frame) -> ProcessGrid | None:
        """Returns the other grid where it is before the same instruction; None once its control flow has gone
        another way.
        """
        other = self._other
        if other is None:
            return None
        frames = other.processes[number].frames
        if frames and frames[-1].code is frame.code and frames[-1].index == frame.index:
            return other
        self._other = None
        name = frame.instruction.operation.name
        self.found.parted = f"{name} at {frame.place}" if frame.place else name
        return None

    def _advance(self, other: ProcessGrid, number: int, known: Sequence[Any] | None) -> None:
        """Takes a step of the other grid, which ends there where its own values make it fail."""
        try:
            other.step(number, known)
        except (ExecutionError, ValueError) as error:
            self._other = None
            self.found.parted = str(error)


def _silent(output: Any) -> None:
    """Drops what a program prints: the interpreter's run has printed it."""


def _locked(value: Any) -> Any:
    """Returns an engine's result as the interpreter holds values."""
    array = np.asarray(value)
    if array.ndim == 0:
        return array[()]
    array.flags.writeable = False
    return array


def _same_values(one: Any, other: Any) -> bool:
    """Returns whether two tensors have the same numbers, a NaN being the same as another."""
    left, right = np.asarray(one), np.asarray(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        return False
    if left.dtype.kind in "biu":
        return bool((left == right).all())
    with np.errstate(all="ignore"):
        return bool(((left == right) | ((left != left) & (right != right))).all())


def _beyond(value: Any, other: Any, allowed: Any) -> bool:
    """Returns whether an element is further away than is allowed, or is a NaN or infinity in one alone."""
    left, right = np.asarray(value), np.asarray(other)
    if left.dtype != right.dtype or left.shape != right.shape:
        return True
    if _same_values(left, right):
        return False
    if not is_floating(left):
        return True
    wide = np.complex128 if left.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        one, two = left.astype(wide), right.astype(wide)
        is_same = (one == two) | (np.isnan(one) & np.isnan(two))
        is_near = np.isfinite(one) & np.isfinite(two) & (np.abs(one - two) <= allowed)
        return not bool((is_same | is_near).all())


def _relative(value: Array, other: Any) -> float:
    """Returns the largest distance of two elements, as a part of the largest element."""
    wide = np.complex128 if value.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        one = value.astype(wide)
        distance = np.abs(one - np.asarray(other).astype(wide))
        sizes = np.abs(one)
        finite = sizes[np.isfinite(sizes)]
        largest = float(finite.max()) if finite.size else 0.0
        apart = distance[np.isfinite(distance)]
        error = float(apart.max()) if apart.size else 0.0
    return error / largest if largest else (inf if error else 0.0)


def _finding(
    how: How,
    name: str,
    place: str | None,
    path: tuple[str, ...],
    process: int,
    index: int,
    value: Any,
    other: Any,
    allowed: Any,
) -> Finding:
    array = np.asarray(value)
    difference = difference_of(array, np.asarray(other), WORST)
    most = np.broadcast_to(np.asarray(allowed, np.float64), array.shape)
    at = difference.worst[0].index if difference.worst else ()
    limit = float(most[at]) if difference.worst else 0.0
    return Finding(how, name, place, path, process, index, difference, limit if isfinite(limit) else inf)


def _path(frames: Sequence[Frame]) -> tuple[str, ...]:
    """Returns the calls and iterations that lead to the innermost frame's instruction, outermost first."""
    parts: list[str] = []
    for below, above in pairwise(frames):
        kind, at = below.instruction.kind, below.place
        where = f" at {at}" if at else ""
        if kind is Kind.CALL:
            parts.append(f"call of @{above.function.name}{where}")
        elif kind in (Kind.WHILE, Kind.COUNT):
            part = ", condition" if kind is Kind.WHILE and above.region == 0 else ""
            parts.append(f"iteration {above.iteration}{part} of {below.instruction.operation.name}{where}")
        else:
            parts.append(f"region {above.region} of {below.instruction.operation.name}{where}")
    return tuple(parts)
