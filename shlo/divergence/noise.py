"""How far results may be apart where no operation is wrong: a run with small errors at random."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from shlo.divergence.findings import locked
from shlo.interpreter.kernel_steps import KernelStep, kernel_steps
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating, largest_finite, tensor_of, wide


class Noise:
    """A run of the interpreter beside the one that is compared: what an operation gives is changed, up or
    down at random, by as much as the engine's result for it is off, within its tolerance. So it shows what
    errors become where sums cancel. It ends where its control flow goes another way.
    """

    def __init__(self, grid: ProcessGrid) -> None:
        self._grid: ProcessGrid | None = grid
        self._generator = np.random.default_rng(0)

    def step(
        self,
        number: int,
        code: CodeBlock,
        index: int,
        values: Sequence[Any] = (),
        errors: Sequence[Array | None] = (),
    ) -> list[float]:
        """Takes a step of a process, where the run is before that instruction.

        Args:
            number: the number of the process.
            code: the block of the instruction.
            index: the number of the instruction in it.
            values: what the instruction gives in the run that is compared.
            errors: how far the engine's results are off; None for what is exact.

        Returns:
            for each value how far this run is from it; 0 once the run has ended.
        """
        grid = self._grid
        nothing = [0.0] * len(values)
        if grid is None:
            return nothing
        frames = grid.processes[number].frames
        if not frames or frames[-1].code is not code or frames[-1].index != index:
            self._grid = None
            return nothing
        registers = frames[-1].registers
        try:
            step = grid.step(number).step
        except (ExecutionError, ValueError):
            self._grid = None
            return nothing
        levels = nothing
        for at, ((register, result), value) in enumerate(zip(step.results if step else (), values)):
            error = errors[at] if at < len(errors) else None
            noisy = result if error is None else self._disturbed(result, error)
            if registers[register] is not None:
                registers[register] = noisy
            levels[at] = distance(value, noisy)
        return levels

    def results(self, number: int, values: Sequence[Any]) -> list[float]:
        """Returns how far the results of a process are from others; 0 where the run was not taken so far."""
        process = None if self._grid is None else self._grid.processes[number]
        if process is None or process.status != "done":
            return [0.0] * len(values)
        return [distance(*pair) for pair in zip(values, process.returned)]

    def _disturbed(self, value: Any, error: Array) -> Any:
        return disturbed(value, error, self._generator)


class NoisyRun:
    """A second run of a program, in step with a first one, whose values are changed at random by errors that
    are told. How far it is from the first one is what errors have become.
    """

    def __init__(self, grid: ProcessGrid) -> None:
        self._grid = grid
        self._steps: Iterator[KernelStep] | None = kernel_steps(grid)
        self._step: KernelStep | None = None
        self._generator = np.random.default_rng(0)

    def advance(self, step: KernelStep) -> list[float] | None:
        """Takes the step that the first run has taken. Returns the levels of its results; None once control
        flow went another way.
        """
        self._step = self._next()
        if self._step is None or (self._step.process, self._step.code, self._step.instruction) != (
            step.process,
            step.code,
            step.instruction,
        ):
            self._steps = None
            return None
        return [distance(*pair) for pair in zip(step.values, self._step.values)]

    def _next(self) -> KernelStep | None:
        try:
            return None if self._steps is None else next(self._steps, None)
        except (ExecutionError, ValueError):  # its own values make it fail
            self._steps = None
            return None

    def disturb(self, errors: Sequence[Array | None], values: Sequence[Any] | None = None) -> None:
        """Changes the results of the step by errors, None for what is exact: those that this run has, or
        others.
        """
        if self._steps is None or self._step is None:
            return
        registers = self._step.frames[-1].registers
        numbers = self._step.operation.results
        for register, value, error in zip(numbers, values or self._step.values, errors):
            if registers[register] is not None and tensor_of(value) is not None:
                registers[register] = value if error is None else disturbed(value, error, self._generator)

    def returned(self, number: int, values: Sequence[Any]) -> list[float] | None:
        """Returns how far the results of a process are from those of the first run; None where control flow
        went another way.
        """
        process = self._grid.processes[number]
        if self._steps is None or self._next() is not None or process.status != "done":
            return None
        return [distance(*pair) for pair in zip(values, process.returned)]


def disturbed(value: Any, error: Array, generator: np.random.Generator) -> Any:
    """Returns a value, each element changed by its error, up or down."""
    array = np.asarray(value)
    signs = generator.choice(np.array([-1.0, 1.0]), array.shape)
    with np.errstate(all="ignore"):
        noisy = (wide(array) + signs * error).astype(array.dtype)
    return locked(noisy)


def error_of(value: Array, other: Any, allowed: Any) -> Array:
    """Returns how far each element is from another one; 0 where that is not finite, or not allowed."""
    with np.errstate(all="ignore"):
        apart = np.abs(wide(value) - wide(other))
        return np.where(np.isfinite(apart) & (apart <= allowed), apart, 0.0)


def distance(value: Any, noisy: Any) -> float:
    """Returns how far two tensors are apart where both are finite."""
    one, two = tensor_of(value), tensor_of(noisy)
    if one is None or two is None or not is_floating(one) or one.shape != two.shape:
        return 0.0
    with np.errstate(all="ignore"):
        return largest_finite(np.abs(wide(one) - wide(two))) or 0.0
