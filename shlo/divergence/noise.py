"""How far results may be apart where no operation is wrong: a run with small errors at random."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shlo.divergence.findings import locked
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.spmd.grid import ProcessGrid
from shlo.ir.diagnostics import ExecutionError
from shlo.ir.dtypes import Array
from shlo.runner.statistics import is_floating, tensor_of


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
        for at, ((register, given), value) in enumerate(zip(step.results if step else (), values)):
            error = errors[at] if at < len(errors) else None
            noisy = given if error is None else self._disturbed(given, error)
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
        """Returns a value, each element changed by its error, up or down."""
        array = np.asarray(value)
        signs = self._generator.choice(np.array([-1.0, 1.0]), array.shape)
        wide = np.complex128 if array.dtype.kind == "c" else np.float64
        with np.errstate(all="ignore"):
            noisy = (array.astype(wide) + signs * error).astype(array.dtype)
        return locked(noisy)


def error_of(value: Array, given: Any, allowed: Any) -> Array:
    """Returns how far each element is from another one; 0 where that is not finite, or not allowed."""
    wide = np.complex128 if value.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        apart = np.abs(value.astype(wide) - np.asarray(given).astype(wide))
        return np.where(np.isfinite(apart) & (apart <= allowed), apart, 0.0)


def distance(value: Any, noisy: Any) -> float:
    """Returns how far two tensors are apart where both are finite."""
    one, two = tensor_of(value), tensor_of(noisy)
    if one is None or two is None or not is_floating(one) or one.shape != two.shape:
        return 0.0
    wide = np.complex128 if one.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        apart = np.abs(one.astype(wide) - two.astype(wide))
    finite = apart[np.isfinite(apart)]
    return float(finite.max()) if finite.size else 0.0
