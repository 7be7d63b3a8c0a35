"""Sanitized runs: every operation that a kernel carries out is held to the table, from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from shlo.interpreter.agreement import CheckFailure
from shlo.interpreter.engine.stepper import Process
from shlo.interpreter.execution import grid_of_bodies, make_grid, make_process
from shlo.interpreter.kernel_api import Body, KernelError
from shlo.interpreter.kernel_steps import KernelStep, kernel_steps
from shlo.interpreter.options import RunOptions
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.runtime.context import ExecutionContext, Values
from shlo.interpreter.runtime.profile import Progress
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.interpreter.spmd.legacy import legacy_partitions
from shlo.interpreter.topology.groups import GridShape
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.operations import Module
from shlo.sanitizer.findings import Findings
from shlo.sanitizer.objections import Objection
from shlo.sanitizer.report import element_text, summary_of
from shlo.sanitizer.selection import Selection
from shlo.sanitizer.steps import OperationStep
from shlo.sanitizer.table import Check


class Sanitizer:
    """Runs programs and collects what it finds, also where a run fails. One thread at a time uses it.

    Args:
        selection: what is looked for; without it, what is looked for by default.
        observe: is called with each step of a kernel, too.
        most_steps: how many of these are looked at; the rest of the run is fast. None for all.
    """

    def __init__(
        self,
        selection: Selection | None = None,
        observe: Callable[[KernelStep], None] | None = None,
        most_steps: int | None = None,
    ) -> None:
        self._selection = selection or Selection()
        self._observe, self._most_steps = observe, most_steps
        self.findings = Findings()

    def execute(self, module: Module, arguments: Sequence[Any], options: RunOptions) -> tuple[Any, ...]:
        """Runs a function of a module and returns its results, as `interpreter.execute`. Raises
        ExecutionError.
        """
        partitions = legacy_partitions(module, options.entries[0], options.semantics)
        if partitions > 1:
            return self.execute_grid([module], [arguments], replace(options, partitions=partitions))[0]
        process = make_process(module, arguments, replace(options, profile=None, progress=None))
        grid = ProcessGrid([process], GridShape(), is_alone=True)
        try:
            self._run(grid, options.progress)
        except ExecutionError as error:
            raise process.error or error from error.__cause__
        return process.results

    def execute_grid(
        self, modules: Sequence[Module], inputs: Sequence[Sequence[Any]], options: RunOptions
    ) -> list[tuple[Any, ...]]:
        """Runs a grid and returns the results of each process, as `interpreter.run_grid`. Raises
        GridError.
        """
        grid = make_grid(modules, inputs, replace(options, profile=None, progress=None))
        self.findings.processes = max(self.findings.processes, grid.shape.size)
        self._run(grid, options.progress)
        return grid.results

    def _run(self, grid: ProcessGrid, progress: Progress | None = None) -> None:
        """Takes all steps of a grid, and of those that it starts."""
        for process in grid.processes:
            process.context.grid_runner = self._run_bodies
        for step in kernel_steps(grid, progress):
            if self.findings.steps == self._most_steps:
                self.findings.is_cut = True
                grid.finish()
                return
            self._look_at(step, grid)
            del step  # the next one takes memory, too

    def _look_at(self, step: KernelStep, grid: ProcessGrid) -> None:
        """Notes what is objected to in a step."""
        if self._observe is not None:
            self._observe(step)
        self.findings.steps += 1
        checks = self._selection.checks_of(step.operation)
        if checks:
            self.findings.looked_at += 1
            process = grid.processes[step.process]
            seen = OperationStep(
                step.code, step.instruction, step.operands, step.values, step.process, grid.shape
            )
            for check, objection in objections(process.context, checks, seen):
                self.findings.add(check, step.operation, step.place, step.frames, step.process, objection)

    def _run_bodies(
        self,
        bodies: Sequence[Body],
        contexts: Sequence[ExecutionContext],
        shape: GridShape,
        arguments: Sequence[Values],
    ) -> list[Values]:
        grid = grid_of_bodies(bodies, contexts, shape, arguments)
        self.findings.processes = max(self.findings.processes, shape.size)
        self._run(grid)
        return [process.returned for process in grid.processes]


def execute_strictly(
    module: Module, arguments: Sequence[Any], options: RunOptions, selection: Selection | None = None
) -> tuple[Any, ...]:
    """Returns the results of a sanitized run; raises ExecutionError, because of a CheckFailure, where it has
    findings, and as `execute` where it fails, with the findings before that.
    """
    sanitizer = Sanitizer(selection)
    findings = sanitizer.findings
    try:
        results = sanitizer.execute(module, arguments, options)
    except ExecutionError as error:
        if not findings:
            raise
        message = f"{error.message}; before that, {summary_of(findings, has_place=True)}"
        raise ExecutionError(message, error.op, error.place) from error.__cause__
    if not findings:
        return results
    first, *_ = findings
    raise ExecutionError(summary_of(findings), first.operation.name, first.place) from CheckFailure(
        first.check.sentence
    )


def objections(
    context: ExecutionContext, checks: Sequence[Check], step: OperationStep
) -> list[tuple[Check, Objection]]:
    """Returns what checks object to in an operation that was carried out in a context. A check that cannot
    compute what it compares with objects to nothing.
    """
    pairs: list[tuple[Check, Objection]] = []
    with context.active():
        for check in checks:
            try:
                objection = check.find(step)
            except KernelError:
                continue
            if objection is not None:
                pairs.append((check, objection))
    return pairs


def objections_of_step(
    process: Process,
    code: CodeBlock,
    index: int,
    operands: Sequence[Any],
    results: Sequence[Any],
    selection: Selection | None = None,
) -> list[str]:
    """Returns what is objected to in a step of a process, a line each, with the worst element."""
    checks = (selection or _DEFAULT).checks_of(code.instructions[index].operation)
    if not checks:
        return []
    context = process.context
    step = OperationStep(code, index, operands, results, context.process, context.shape)
    return [
        f"{check.sentence} [{check.name}]: {element_text(objection.worst[0])}"
        for check, objection in objections(context, checks, step)
    ]


_DEFAULT = Selection()
