"""Searches what steps and generated code compute for NaN, infinities and numbers out of range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from shlo.debugger.replay.nonfinite import NOTHING, Nonfinite, detect, operands_of, search
from shlo.debugger.replay.program_points import program_point
from shlo.debugger.replay.step_plan import StepPlan, is_kernel, steps_of
from shlo.interpreter.jit.traced import ProbeHit, Probes
from shlo.interpreter.kernel_api import Value
from shlo.interpreter.program.code import CodeBlock
from shlo.interpreter.spmd.grid import GridStep, ProcessGrid

if TYPE_CHECKING:
    from shlo.sanitizer.selection import Selection

NATIVE: Final = frozenset(map(np.dtype, (np.float16, np.float32, np.float64, np.complex64, np.complex128)))
"""The types that NumPy can search."""


def _after(code: CodeBlock, index: int) -> Callable[..., object] | None:
    """Returns a function that raises ProbeHit where a kernel made a NaN or infinity."""
    point = program_point(code, index)
    if not point.is_searched:
        return None
    count = len(code.instructions[index].results)

    def search(*values: Value) -> None:
        if count == 1 and getattr(values[0], "dtype", None) in NATIVE and np.isfinite(values[0]).all():
            return
        if detect(point, values[count:], values[:count]):
            raise ProbeHit

    return search


SCANNING: Final = Probes(after=_after, keeps_operands=True)
"""Ends a call where a kernel makes a NaN or infinity."""


class StepSearch:
    """Searches steps as they are taken: an observer of a cursor. `kinds` says what for, and `selection` what
    the sanitizer looks for (None: what it does by default).
    """

    def __init__(self, grid: ProcessGrid) -> None:
        self.kinds = NOTHING
        self.selection: Selection | None = None
        self._grid = grid
        self._operands: dict[int, Sequence[Value]] | None = None

    def before_step(self, plan: StepPlan) -> None:
        """Takes the operands of the step of a process, and of those of others that wait for it alone; None
        where the step was searched.
        """
        grid, number = self._grid, plan.process
        if plan.position in plan.history.scanned:
            self._operands = None
        elif not grid.is_alone:
            used = (number, *grid.waiting_for(number))
            self._operands = {process: operands_of(grid.processes[process]) for process in used}
        elif plan.point.is_searched or Nonfinite.FINDING in self.kinds:
            self._operands = {number: operands_of(grid.processes[number])}
        else:
            self._operands = {}

    def after_step(self, plan: StepPlan, outcome: GridStep) -> None:
        """Searches what the processes got for NaN and infinities."""
        operands, history = self._operands, plan.history
        if operands is None:
            return
        created: list[tuple[int, Nonfinite]] = []
        for number, step in steps_of(outcome) if operands else ():
            if number in operands and is_kernel(step):
                process = self._grid.processes[number]
                point = history.points[history.points.number(step.code, step.index)]
                results = [value for _, value in step.results]
                kinds = search(process, point, operands[number], results, self.kinds, self.selection)
                if kinds:
                    created.append((number, kinds))
        history.scanned.add(plan.position)
        if created:
            history.nonfinite[plan.position + 1] = tuple(created)
