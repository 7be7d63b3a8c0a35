"""Scatters of rows that become machine code once that pays."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from shlo.interpreter.kernel_api import KernelFn, Value
from shlo.interpreter.kernels.indexing.scatter import scatter_of_rows
from shlo.interpreter.kernels.numeric import element_dtype
from shlo.interpreter.program.bound_kernel import BoundKernel
from shlo.interpreter.program.code import Program
from shlo.interpreter.runtime.copies import by_rows
from shlo.interpreter.runtime.tiers import Tier, policy, work_seconds

if TYPE_CHECKING:
    from shlo.interpreter.loops.machine import Machine

_ADDRESSES: Final = struct.Struct("=3Q")


class RowUpdates:
    """A scatter of rows, ready to run: in Python until that has taken as long as compiling takes.

    It returns a new array; `in_place` writes into its first operand.
    """

    def __init__(self, bound: BoundKernel, program: Program) -> None:
        self._bound = bound
        op = bound.op_view
        self._dtypes = [element_dtype(type_) for type_ in op.operand_types]
        self._shapes = [op.tensor_type(index).static_shape for index in range(3)]
        self.tier: Tier[Machine] = Tier("rows", 1, program)

    def __call__(self, table: Value, starts: Value, updates: Value) -> Value:
        """Returns the table with the updates."""
        machine = self.tier.code
        if machine is None:
            return self._in_python(self._bound.evaluate, table, starts, updates)
        return self._run(machine, np.array(table, self._dtypes[0], order="C"), starts, updates)

    def in_place(self, table: Value, starts: Value, updates: Value) -> Value:
        """Returns the table, which has received the updates; it lies in memory row by row."""
        evaluate, machine = self._bound.in_place, self.tier.code
        if machine is None or evaluate is None:
            return self._in_python(evaluate or self._bound.evaluate, table, starts, updates)
        return self._run(machine, table, starts, updates)

    def _run(self, machine: Machine, table: Any, starts: Value, updates: Value) -> Value:
        arrays = [table, *map(by_rows, (starts, updates), self._shapes[1:], self._dtypes[1:])]
        machine.function(_ADDRESSES.pack(*map(id, arrays)))
        return table

    def _in_python(self, evaluate: KernelFn, *operands: Value) -> Value:
        start = work_seconds()
        result = evaluate(*operands)
        if self.tier.is_due(work_seconds() - start):
            self.tier.begin(self._compiled)
        return result

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
