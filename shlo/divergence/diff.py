"""An engine against the interpreter: every operation of a run on both, alone and with what came before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from shlo.dialects import find_op_def
from shlo.divergence.bisection import bisect_whole
from shlo.divergence.collectives import CollectiveCall, Collectives
from shlo.divergence.findings import (
    MOST_FINDINGS,
    Bisection,
    OperationCall,
    RunDifference,
    counterparts,
    elements_beyond,
    finding_of,
    is_beyond,
    locked,
    relative_error,
    same_values,
    types_apart,
)
from shlo.divergence.judge import Judge, chaotic_loops
from shlo.divergence.known import Carried, explanation_of_elements
from shlo.divergence.noise import Noise, error_of
from shlo.divergence.single_ops import SingleOps
from shlo.divergence.tolerances import Tolerances
from shlo.engines import Engine, EngineError, label_of
from shlo.interpreter.engine.frames import Frame
from shlo.interpreter.execution import make_grid
from shlo.interpreter.kernel_steps import path_of
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import Kind
from shlo.interpreter.runtime.profile import Progress
from shlo.interpreter.runtime.program_output import drop_output
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.needed_grid import stepped_options
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array, dtype_of, float_limits
from shlo.ir.operations import Module, Operation
from shlo.ir.types import ComplexType, FloatType, element_type_of
from shlo.runner.equality import same_bits
from shlo.runner.statistics import is_floating, tensor_of


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
    bisects: bool = False,
    judge: Judge | None = None,
) -> RunDifference:
    """Runs programs with the interpreter, and each of their operations with an engine; returns where they
    part. Collectives are compared where all processes carry them out, equally often.

    Args:
        modules: one program for all processes or one for each.
        inputs: the arguments of all processes, or those of each.
        options: how the interpreter runs, with the grid; the engine takes entry and grid of it.
        engine: what is compared.
        tolerances: how far results may be apart.
        progress: is told how many operations of the entry function are done.
        compares_operations: whether operations are compared one by one.
        compares_whole: whether the engine runs the whole program.
        bisects: whether the operation is searched that makes results of the whole program wrong, where none
            is wrong by itself and there is one process.
        judge: says which side is nearer to the exact values, of one process.

    Raises:
        ExecutionError: the interpreter cannot run the program.
    """
    is_grid = (options.replicas, options.partitions) != (1, 1)
    judge = None if is_grid else judge
    stepped = stepped_options(modules[0], options)
    run = _Run(modules, inputs, stepped, engine, tolerances or Tolerances(), progress, judge)
    if compares_operations:
        run.compare_operations()
    else:
        run.run_reference(modules[0])
    if compares_whole:
        run.compare_whole(modules, inputs, options, is_grid)
    if bisects and run.found.results and not run.found.alone and not is_grid:
        run.found.bisection = _bisected(run.found, modules[0], inputs[0], options, engine, tolerances, judge)
    if judge is not None and run.found.results:
        run.found.results = [
            judge.judged(finding, modules[0], inputs[0], options) for finding in run.found.results
        ]
        run.found.chaotic = chaotic_loops(modules[0], inputs[0], options)
    return run.found


def _bisected(
    found: RunDifference,
    module: Module,
    inputs: Sequence[Any],
    options: RunOptions,
    engine: Engine,
    tolerances: Tolerances | None,
    judge: Judge | None,
) -> Bisection:
    """Returns which operation makes results of a whole program wrong."""

    def compare(program: Module) -> RunDifference:
        return diff_run([program], [inputs], options, engine, tolerances, compares_operations=False)

    wrong = list(dict.fromkeys(finding.result for finding in found.results))
    return bisect_whole(module, inputs, options, engine, tolerances or Tolerances(), wrong, compare, judge)


class _Run:
    """Grids in step: the interpreter's, one whose operations have the results that the engine gives for what
    it gave before, and one with small errors at random, which tells what cancels.
    """

    def __init__(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: RunOptions,
        engine: Engine,
        tolerances: Tolerances,
        progress: Progress | None,
        judge: Judge | None,
    ) -> None:
        options = replace(options, profile=None, progress=None)
        self._grid = make_grid(modules, inputs, options)
        self._other: ProcessGrid | None = make_grid(modules, inputs, replace(options, output=drop_output))
        self._is_one_program = len({id(module) for module in modules}) == 1
        self._collectives = Collectives(self._grid.shape.size)
        self._engine = engine
        self._single, self._judge = SingleOps(engine), judge
        self._tolerances = tolerances
        self._progress = progress
        self._noise = Noise(make_grid(modules, inputs, replace(options, output=drop_output)))
        self._largest = 0.0
        self._epsilon = 0.0
        self.found = RunDifference(label_of(engine), self._grid.shape.size)
        self.found.not_compared = self._single.refused
        self.found.not_alone = self._single.not_alone

    def run_reference(self, module: Module) -> None:
        """Takes all steps of the interpreter alone."""
        self._grid.run()
        types = {element_type_of(type_) for operation, _ in module.walk() for type_ in operation.result_types}
        dtypes = [dtype_of(type_) for type_ in types if isinstance(type_, FloatType | ComplexType)]
        self._epsilon = max((float_limits(dtype).epsilon for dtype in dtypes), default=0.0)

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
            code, index = frame.code, frame.index
            if is_kernel and self._is_one_program and _is_collective(frame.instruction.operation):
                self._synchronize(number, frame)
            else:
                grid.step(number)
            self._noise.step(number, code, index)
            if other is not None:
                self._advance(other, number, None)

    def _synchronize(self, number: int, frame: Frame) -> None:
        """Takes a step of the interpreter's grid at a collective, and compares it once all processes have
        gone on behind it.
        """
        grid = self._grid
        path = path_of(grid.processes[number].frames)
        self._collectives.arrive(number, frame.code, frame.index, path, frame.operands, grid.steps)
        done = grid.step(number)
        for process, step in (*done.resumed, *([(number, done.step)] if done.step else ())):
            collective = self._collectives.leave(process, tuple(value for _, value in step.results))
            if collective is not None:
                self._compare_collective(collective)

    def _compare_collective(self, collective: CollectiveCall) -> None:
        code, index = collective.code, collective.index
        operation = code.instructions[index].operation
        if self._tolerances.ignores(operation.name):
            return
        processes = range(self._grid.shape.size)
        shape = self._grid.shape.replicas, self._grid.shape.partitions
        inputs = [collective.operands[number] for number in processes]
        results = self._single.grid_results(code, index, inputs, shape)
        if results is None:
            return
        self.found.operations += 1
        location = code.place(index)
        for number in processes:
            values, operands = collective.values[number], inputs[number]
            self._judge_alone(
                operation,
                location,
                collective.path,
                number,
                values,
                results[number],
                operands,
                collective.position,
            )

    def compare_whole(
        self,
        modules: Sequence[Module],
        inputs: Sequence[Sequence[Any]],
        options: RunOptions,
        is_grid: bool,
    ) -> None:
        """Compares the results of the program as the engine runs it as a whole."""
        expected = [process.returned for process in self._grid.processes]
        chosen = RunOptions(
            entry=options.entry,
            replicas=options.replicas,
            partitions=options.partitions,
            stubs=options.stubs,
            handlers=options.handlers,
            callbacks=options.callbacks,
        )
        try:
            if is_grid:
                results = self._engine.execute_grid(modules, inputs, chosen)
            else:
                results = [self._engine.execute(modules[0], inputs[0], chosen)]
        except (EngineError, ExecutionError) as error:
            self.found.not_compared["the whole program"] = str(error)
            return
        if len(results) != options.replicas * options.partitions:
            self.found.not_compared["the whole program"] = f"results of {len(results)} processes came back"
            return
        for process, (values, others) in enumerate(zip(expected, results)):
            self._judge_results(process, values, others)

    def _judge_results(self, process: int, values: Sequence[Any], others: Sequence[Any]) -> None:
        """Compares the results of the whole program in a process."""
        levels = self._noise.results(process, values)
        for index, value, other in counterparts(values, others):
            self.found.whole += 1
            array = tensor_of(value)
            allowed, reason = 0.0, ""
            if array is not None and is_floating(array) and array.size and index < len(levels):
                allowed, reason = self._tolerances.together(array, self._epsilon, levels[index])
            if self.found.is_beyond("", None, value, other, allowed, reason):
                finding = finding_of("result", "", None, (), process, index, value, other, allowed, reason)
                self.found.results.append(finding)

    def _compare(self, number: int, frame: Frame) -> None:
        """Takes a step of both grids, and compares what the engine gives for it."""
        grid, code, index = self._grid, frame.code, frame.index
        instruction = frame.instruction
        name = instruction.operation.name
        operands, other = frame.operands, self._counterpart(number, frame)
        others = None if other is None else other.processes[number].frames[-1].operands
        path = path_of(grid.processes[number].frames) if self._is_new(name, code.place(index)) else ()
        position = grid.steps
        values = tuple(value for _, value in grid.step(number).step.results)  # type: ignore[union-attr]
        for value in values:
            array = tensor_of(value)
            if array is not None and is_floating(array):
                self._epsilon = max(self._epsilon, float_limits(array.dtype).epsilon)
        ignored = self._tolerances.ignores(name)
        alone = None if ignored else self._single.results(code, index, operands)
        errors: list[Array | None] = []
        if alone is not None:
            self.found.operations += 1
            operation, location = instruction.operation, code.place(index)
            before = len(self.found.alone)
            errors = self._judge_alone(operation, location, path, number, values, alone, operands, position)
            if len(self.found.alone) > before:
                self._describe(before, *self._single.call(code, index, operands))
        levels = self._noise.step(number, code, index, values, errors)
        if other is None or others is None:
            return
        locked_results: tuple[Any, ...] | None = None
        is_same = all(map(same_bits, operands, others))
        together = alone if is_same or ignored else self._single.results(code, index, others)
        if together is not None:
            pairs = zip(values, together)
            locked_results = tuple(
                value if same_bits(value, other) else locked(other) for value, other in pairs
            )
            if any(types_apart(*pair) is not None for pair in zip(values, locked_results)) or len(
                locked_results
            ) < len(values):
                self._other = None  # it cannot go on; the operation alone is a finding
                return
        elif is_same:
            locked_results = values
        self._advance(other, number, locked_results)
        if locked_results is not None:
            self._judge_together(name, code.place(index), number, values, locked_results, levels, position)

    def _describe(self, at: int, module: Module, arguments: Sequence[Any]) -> None:
        """Adds to a finding of an operation what a judge says of it, and to the first one the operation."""
        finding = self.found.alone[at]
        if self._judge is not None:
            finding = self._judge.judged(finding, module, arguments)
        self.found.alone[at] = finding if at else replace(finding, call=OperationCall(module, arguments))

    def _is_new(self, name: str, location: str | None) -> bool:
        return (name, location) not in self.found.occurrences

    def _judge_alone(
        self,
        operation: Operation,
        location: str | None,
        path: tuple[str, ...],
        number: int,
        values: Sequence[Any],
        other_values: Sequence[Any],
        operands: Sequence[Any],
        position: int,
    ) -> list[Array | None]:
        """Keeps a finding where the engine's results are too far from the interpreter's; returns how far each
        element is that is not, None for results that are the same.
        """
        name = operation.name
        errors: list[Array | None] = [None] * len(values)
        reason = self._tolerances.reason(name)
        for index, value, other in counterparts(values, other_values):
            array = tensor_of(value)
            is_alike = types_apart(value, other) is None
            if array is not None and is_alike and same_values(array, other):
                continue
            allowed = 0.0
            if array is not None and is_alike and is_floating(array):
                allowed = self._tolerances.allowed(name, array, operands)
                errors[index] = error_of(array, other, allowed)
            if not self.found.is_beyond(name, location, value, other, allowed, reason):
                continue
            key = name, location
            self.found.occurrences[key] = self.found.occurrences.get(key, 0) + 1
            if self.found.occurrences[key] == 1 and len(self.found.alone) < MOST_FINDINGS:
                finding = finding_of(
                    "alone", name, location, path, number, index, value, other, allowed, reason
                )
                explanation = (
                    self._known(operation, operands, values, other_values, index, allowed) if is_alike else ""
                )
                self.found.alone.append(
                    replace(finding, source=operation, position=position, known=explanation)
                )
        return errors

    def _known(
        self,
        operation: Operation,
        operands: Sequence[Any],
        values: Sequence[Any],
        other_values: Sequence[Any],
        index: int,
        allowed: Any,
    ) -> str:
        """Returns why a result differs where that is known of XLA, empty where it is not."""
        if self._engine.name != "xla":
            return ""
        inputs, own_values, others = (
            [array for array in map(tensor_of, arrays) if array is not None]
            for arrays in (operands, values, other_values)
        )
        step = Carried(operation, inputs, own_values, others, is_foldable=False)
        differing = elements_beyond(own_values[index], others[index], allowed)
        explanation = explanation_of_elements(step, [differing])
        return "" if explanation is None else explanation.reason

    def _judge_together(
        self,
        name: str,
        location: str | None,
        number: int,
        values: Sequence[Any],
        other_values: Sequence[Any],
        levels: Sequence[float],
        position: int,
    ) -> None:
        for index, (value, other, level) in enumerate(zip(values, other_values, levels)):
            array = tensor_of(value)
            if array is None or value is other or not is_floating(array) or not array.size:
                continue
            error = relative_error(array, other)
            if error > 10 * self._largest and error > 0:
                self._largest = error
                if len(self.found.growth) < MOST_FINDINGS:
                    self.found.growth.append((name, location, error))
            allowed, reason = self._tolerances.together(array, self._epsilon, level)
            if self.found.together is None and is_beyond(array, other, allowed):
                path = path_of(self._grid.processes[number].frames)
                finding = finding_of(
                    "together", name, location, path, number, index, array, other, allowed, reason
                )
                self.found.together = replace(finding, position=position)

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

    def _advance(self, other: ProcessGrid, number: int, results: Sequence[Any] | None) -> None:
        """Takes a step of the other grid, which ends there where its own values make it fail."""
        try:
            other.step(number, results)
        except (ExecutionError, ValueError) as error:
            self._other = None
            self.found.parted = str(error)


def _is_collective(operation: Operation) -> bool:
    """Returns whether the processes of a group carry an operation out together."""
    op_def = find_op_def(operation.name)
    return op_def is not None and op_def.synchronizes == "group"
