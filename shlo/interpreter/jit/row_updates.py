"""Scatters of rows that become machine code once that pays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from shlo.interpreter.kernel_api import Value
from shlo.interpreter.kernels.indexing.scatter import scatter_of_rows
from shlo.interpreter.loops.frame import NativeFrame, array_types
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import Program
from shlo.interpreter.runtime.tiers import Tier, policy

if TYPE_CHECKING:
    from shlo.interpreter.loops.machine import Machine


class RowUpdates:
    """A scatter of rows, ready to run: in Python until that has taken as long as compiling takes.

    It returns a new array; `in_place` writes into its first operand.
    """

    def __init__(self, bound: BoundKernel, program: Program) -> None:
        self._bound = bound
        self._types = array_types(bound.op_view.operand_types)
        self._frame = NativeFrame(self._types, ())
        self.tier: Tier[Machine] = Tier("rows", 1, program)

    def __call__(self, table: Value, starts: Value, updates: Value) -> Value:
        """Returns the table with the updates."""
        machine = self.tier.code
        if machine is None:
            return self.tier.in_slower_form(self._compiled, self._bound.evaluate, table, starts, updates)
        return self._run(machine, np.array(table, self._types[0][0], order="C"), starts, updates)

    def in_place(self, table: Value, starts: Value, updates: Value) -> Value:
        """Returns the table, which has received the updates; it lies in memory row by row."""
        evaluate, machine = self._bound.in_place or self._bound.evaluate, self.tier.code
        if machine is None:
            return self.tier.in_slower_form(self._compiled, evaluate, table, starts, updates)
        return self._run(machine, table, starts, updates)

    def _run(self, machine: Machine, *operands: Value) -> Value:
        objects, _ = self._frame.objects(operands)
        machine.function(self._frame.words(objects))
        return objects[0]

    def _compiled(self) -> Machine:
        from shlo.interpreter.loops.library import row_updates

        return row_updates(self._bound.op_view)


def row_updates(bound: BoundKernel, program: Program) -> RowUpdates | None:
    """Returns what runs a scatter of many rows, None for any other scatter."""
    if not bound.may_trust or scatter_of_rows(bound.op_view) is None:
        return None
    if bound.op_view.tensor_type(2).element_count < policy().row_elements:
        return None
    return RowUpdates(bound, program)
